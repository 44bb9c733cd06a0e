// Turns over a bad network: what breaks off is repeated or told, and never runs twice.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createSelectionEvent } from 'turnwire/agentskit';
import * as faults from '../faults/kinds.mjs';
import { TURNS } from '../faults/proxy.mjs';
import { fault } from './faults.mjs';
import { runServer, startServer } from './real-server.mjs';
import { startProxy } from './refund-turn.mjs';
import {
  answerIn,
  catchUp,
  componentsIn,
  newSession,
  REFUNDED,
  refundsIn,
  shopClient,
} from './shop-turns.mjs';
import { stateWhere } from './turn-route.mjs';

const QUICK = { baseMs: 1, capMs: 1 };

let url;
/** How many bytes the last snapshot has of a refund that waits. */
let whole;
before(async (t) => {
  url = await startServer(t);
  const client = shopClient(t, url);
  await client.submit('refund A-1001');
  whole = Buffer.byteLength(JSON.stringify(client.getSnapshot().snapshot)) + 1;
});

/** Before the first byte, within the first snapshot, and where the last one may be. */
const cuts = () => [0, 1, 200, whole >> 1, whole, whole + 300, 2 * whole - 1];

/**
 * Submits an input that meets this; resolves to the state after it, which says that the turn ended or
 * that it broke off.
 */
async function meeting(client, proxy, answer, input) {
  const before = proxy.asked(TURNS).length;
  proxy.plan(TURNS, answer);
  const error = await client.submit(input).catch((error) => error);
  // The session is given back a moment after all can be read.
  if (error?.status === 409) return meeting(client, proxy, answer, input);
  const state = client.getSnapshot();
  const asked = proxy.asked(TURNS).slice(before);
  assert.equal(new Set(asked.map(({ body }) => String(body))).size, 1, 'under the same ids');
  if (error === undefined) {
    const { turnId, payload } = state.snapshot;
    assert.deepEqual([state.phase, turnId, payload.status], ['idle', state.turnId, 'complete']);
    return state;
  }
  assert.equal(asked.length, 2, 'the server refuses to run it again');
  assert.ok(['network', 'stream-interrupted', 'frame-truncated'].includes(error.code), error.code);
  assert.deepEqual([state.phase, state.error.code], ['interrupted', error.code]);
  return state;
}

/** Plays a refund whose two turns meet this; checks that there is one refund in the end. */
async function playRefund(t, answer) {
  const proxy = await startProxy(t, url);
  const sessionId = newSession();
  const client = shopClient(t, proxy.url, { sessionId, reconnect: QUICK });
  const phases = [];
  phases.push((await meeting(client, proxy, answer, 'refund A-1001')).phase);
  const waiting = await catchUp(client, url, sessionId);
  assert.deepEqual(refundsIn(waiting), ['requires_confirmation']);
  const verdict = createSelectionEvent(componentsIn(waiting)['approval-request'], 'approve');
  phases.push((await meeting(client, proxy, answer, verdict)).phase);
  const end = await catchUp(client, url, sessionId);
  assert.deepEqual([answerIn(end), refundsIn(end)], [REFUNDED, ['complete']]);
  return phases;
}

// Survives: a turn's stream is cut after any byte → the newest snapshot has its end, with one refund
test('a refund whose streams are cut is made once, and the newest snapshot tells it', async (t) => {
  const phases = [];
  for (const bytes of cuts()) {
    for (const cut of [faults.cutAfter, faults.endAfter]) {
      phases.push(...(await playRefund(t, cut(bytes))));
    }
  }
  assert.ok(phases.includes('interrupted'), String(phases));
});

// Survives: the response to a turn gets lost → the newest snapshot has its end, with one refund
test('a refund whose responses get lost is made once', async (t) => {
  assert.equal((await playRefund(t, faults.lose))[0], 'interrupted');
});

for (const [name, answer] of [
  ['does not reach the server', faults.refuse],
  ['is answered by a proxy’s error', faults.badGateway],
  ['comes when there are too many', faults.tooMany(0)],
]) {
  // Survives: a turn does not reach the server → it is sent again by itself, and runs once
  test(`a turn that ${name} is sent again`, async (t) => {
    assert.deepEqual(await playRefund(t, answer), ['idle', 'idle']);
  });
}

test('a turn that falls silent is interrupted, and stays so until the next', async (t) => {
  const proxy = await startProxy(t, url);
  const sessionId = newSession();
  const options = { sessionId, reconnect: QUICK, timeouts: { idleMs: 100 } };
  const client = shopClient(t, proxy.url, options);
  proxy.plan(TURNS, faults.halfOpenAfter(1));
  await assert.rejects(client.submit('hello'), fault('idle-timeout'));
  const { phase, snapshot } = await catchUp(client, url, sessionId);
  assert.deepEqual([phase, snapshot.turnId], ['interrupted', client.getSnapshot().turnId]);
  assert.equal((await meeting(client, proxy, faults.pass, 'hello')).phase, 'idle');
});

test('a client that stops leaves the turn to the server, which has the session until then', async (t) => {
  const { url } = await runServer(t, { stepDelayMs: 3_600_000 });
  const client = shopClient(t, url);
  const submitted = client.submit('hello');
  await stateWhere(client, ({ snapshot }) => snapshot !== null);
  client.stop();
  await assert.rejects(submitted, fault('aborted'));
  assert.equal(client.getSnapshot().phase, 'stopped');
  await assert.rejects(client.submit('hello'), fault('http-status', { status: 409 }));
  const { phase, snapshot } = client.getSnapshot();
  assert.deepEqual([phase, snapshot.payload.messages.length], ['idle', 1]);
});
