// The turn client of the npm package against the real server.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  AssistantContentDecoder,
  createInteractionEvent,
  createSelectionEvent,
  decodeAssistantContent,
  encodeTurnEvent,
  restoreTurnSnapshotCursor,
} from 'turnwire/agentskit';
import { fault } from './faults.mjs';
import { folderFor, runServer, startServer } from './real-server.mjs';
import {
  answerIn,
  catchUp,
  componentsIn,
  GREETING,
  messagesIn,
  newestSnapshot,
  newSession,
  REFUNDED,
  refundsIn,
  saidIn,
  shopClient,
  turnsOf,
} from './shop-turns.mjs';
import { stateWhere } from './turn-route.mjs';

/** Longer than any test. */
const FOREVER_MS = 3_600_000;

let url;
before(async (t) => {
  url = await startServer(t);
});

/** Submits something and resolves to the state in which the turn rests. */
async function submitted(client, input) {
  await client.submit(input);
  const state = client.getSnapshot();
  const { phase, error, failure, damagedLines, snapshot } = state;
  assert.deepEqual([phase, error, failure, damagedLines], ['idle', null, null, 0]);
  assert.deepEqual([snapshot.turnId, snapshot.payload.status], [state.turnId, 'complete']);
  return state;
}

test('a message is answered, and the next turn goes on behind it', async (t) => {
  const client = shopClient(t, url);
  const first = await submitted(client, 'hello');
  assert.deepEqual(saidIn(first), ['hello', GREETING]);
  const second = await submitted(client, 'order A-1002');
  assert.deepEqual(saidIn(second).slice(0, 3), ['hello', GREETING, 'order A-1002']);
  assert.equal(answerIn(second), 'Order A-1002 (linen napkins) is delivered.');
  assert.ok(second.snapshot.sequence > first.snapshot.sequence);
  assert.equal(messagesIn(second)[0], messagesIn(first)[0]);
});

for (const [choice, status, end] of [
  ['approve', 'complete', REFUNDED],
  ['deny', 'error', 'Stopped — you denied: issue_refund. Send another message to continue.'],
]) {
  test(`a refund waits, and "${choice}" decides it`, async (t) => {
    const client = shopClient(t, url);
    const waiting = await submitted(client, 'refund A-1001');
    assert.deepEqual(refundsIn(waiting), ['requires_confirmation']);
    const { 'approval-request': frame } = componentsIn(waiting);
    const { props } = frame;
    assert.deepEqual([props.approveLabel, props.denyLabel], ['Approve', 'Deny']);
    const state = await submitted(client, JSON.stringify(createSelectionEvent(frame, choice)));
    assert.deepEqual(refundsIn(state), [status]);
    assert.equal(answerIn(state), end);
    assert.deepEqual(componentsIn(state), {});
  });
}

test('an interaction decides as a selection does', async (t) => {
  const client = shopClient(t, url);
  const { 'approval-request': frame } = componentsIn(await submitted(client, 'refund A-1001'));
  const state = await submitted(client, createInteractionEvent(frame, 'approve'));
  assert.deepEqual([answerIn(state), refundsIn(state)], [REFUNDED, ['complete']]);
});

test('a choice is made, and its turn goes on', async (t) => {
  const client = shopClient(t, url);
  const asked = await submitted(client, 'I want a refund');
  const { 'choice-list': list } = componentsIn(asked);
  const [, second] = list.props.choices;
  const state = await submitted(client, createSelectionEvent(list, second.id));
  assert.equal(saidIn(state)[2], second.label);
  assert.ok('approval-request' in componentsIn(state));
});

for (const [input, expected] of [
  ['show me the return policy', { 'source-list': ['label', 'sources'] }],
  [
    'list my orders',
    { table: ['caption', 'columns', 'rows'], 'choice-list': ['prompt', 'choices'] },
  ],
  ['track order A-1003', { progress: ['label', 'value', 'status'] }],
  ['show the map', { 'delivery-map': ['order', 'latitude', 'longitude'] }],
]) {
  test(`"${input}" is answered with components, decoded at once and in chunks`, async (t) => {
    const state = await submitted(shopClient(t, url), input);
    const frames = Object.entries(componentsIn(state));
    const fields = frames.map(([key, { props }]) => [key, Object.keys(props)]);
    assert.deepEqual(Object.fromEntries(fields), expected);
    const { content } = messagesIn(state).at(-1);
    const { parts } = decodeAssistantContent(content);
    assert.equal(parts[0].kind, 'text');
    const decoder = new AssistantContentDecoder();
    assert.deepEqual(
      [...content].flatMap((unit) => decoder.push(unit)),
      parts,
    );
    assert.deepEqual([decoder.complete, decoder.failure], [true, undefined]);
    decoder.close();
  });
}

/** Sends a turn's submission once more, as it was but for its input. */
function replay({ snapshot }, input) {
  const { eventId, sessionId, turnId, emittedAt } = snapshot;
  const body = encodeTurnEvent({
    protocol: 'agentskit.chat.turn',
    version: 1,
    eventId,
    sessionId,
    turnId,
    sequence: 0,
    emittedAt,
    event: 'client.turn.submit',
    payload: { input },
  });
  const headers = { 'content-type': 'application/json' };
  return fetch(turnsOf(url), { method: 'POST', headers, body });
}

test('a turn that has ended is refused, and nothing changes', async (t) => {
  const client = shopClient(t, url);
  const state = await submitted(client, 'hello');
  const { sessionId, payload } = state.snapshot;
  assert.ok(client.apply(await newestSnapshot(url, sessionId)), 'giving it back was counted');
  for (const input of ['hello', 'refund A-1001']) {
    const response = await replay(state, input);
    const { error } = await response.json();
    assert.deepEqual([response.status, error.code, error.retryable], [409, 'SESSION_BUSY', true]);
  }
  const newest = JSON.parse(await newestSnapshot(url, sessionId));
  assert.equal(client.apply(newest), false, 'nothing was counted since');
  assert.deepEqual(newest.payload, payload);
});

test('of two turns at once one has the session, and the other is told', async (t) => {
  const { url } = await runServer(t, { stepDelayMs: FOREVER_MS });
  const sessionId = newSession();
  const clients = [shopClient(t, url, { sessionId }), shopClient(t, url, { sessionId })];
  const turns = clients.map((client) => client.submit('hello'));
  const first = await Promise.race(turns).catch((error) => error);
  fault('http-status', { status: 409, retryable: false })(first);
  // The slower one may have read the session before the faster one took it.
  assert.ok(['SESSION_BUSY', 'SESSION_CONFLICT'].includes(first.http.code), first.http.code);
  const [winner] = clients.filter((client) => client.getSnapshot().error === null);
  await stateWhere(winner, ({ snapshot }) => snapshot !== null);
  const [loser] = clients.filter((client) => client !== winner);
  const busy = await loser.submit('hello').catch((error) => error);
  fault('http-status', { status: 409 })(busy);
  const { phase, snapshot, error } = loser.getSnapshot();
  assert.deepEqual([phase, snapshot, error.status], ['idle', null, 409]);
  assert.equal(busy.http.code, 'SESSION_BUSY');
  const { payload } = winner.getSnapshot().snapshot;
  assert.deepEqual([payload.status, payload.messages.length], ['streaming', 1]);
});

// Survives: the server is killed and started again → the turn goes on, with one refund
test('a cursor that was saved goes on over a restart of the server', async (t) => {
  const data = folderFor(t);
  const server = await runServer(t, { data });
  const client = shopClient(t, server.url);
  const waiting = await submitted(client, 'refund A-1001');
  const saved = client.getCursor().save();
  await server.kill();

  const { url } = await runServer(t, { data });
  const cursor = restoreTurnSnapshotCursor(saved);
  const next = shopClient(t, url, { sessionId: undefined, cursor });
  assert.deepEqual(next.getSnapshot().snapshot, waiting.snapshot);
  const { 'approval-request': frame } = componentsIn(next.getSnapshot());
  const state = await submitted(next, createSelectionEvent(frame, 'approve'));
  assert.ok(state.snapshot.sequence > waiting.snapshot.sequence);
  assert.deepEqual([answerIn(state), refundsIn(state)], [REFUNDED, ['complete']]);
});

// Survives: the page is reloaded → the conversation and its card are there again
test('a client that knows nothing takes the newest snapshot and decides what waits', async (t) => {
  const sessionId = newSession();
  const waiting = await submitted(shopClient(t, url, { sessionId }), 'refund A-1001');
  const reloaded = shopClient(t, url, { sessionId });
  assert.equal(reloaded.getSnapshot().snapshot, null);
  const { phase, snapshot } = await catchUp(reloaded, url, sessionId);
  assert.deepEqual([phase, snapshot.turnId], ['idle', waiting.snapshot.turnId]);
  const { 'approval-request': frame } = componentsIn({ snapshot });
  const state = await submitted(reloaded, createSelectionEvent(frame, 'approve'));
  assert.deepEqual([answerIn(state), refundsIn(state)], [REFUNDED, ['complete']]);
});
