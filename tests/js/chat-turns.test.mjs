import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { approveCall, getPendingApprovals, sendMessage } from 'turnwire';
import { answerIn, chatFor, firstPending, stateWhere } from './chats.mjs';
import { startServer } from './real-server.mjs';

const AGENT = 'customer-service';
const REFUND = 'order A-1001 arrived broken, can you refund it?';

let url;
before(async (t) => {
  url = await startServer(t);
});

test('a message is sent and its turn shown', async (t) => {
  const chat = chatFor(t, url);
  assert.deepEqual(chat.getState(), {
    sessionId: null,
    phase: 'idle',
    online: true,
    connection: { state: 'steady' },
    diagnostics: [],
    lastError: null,
    messages: [],
    pending: [],
  });
  const phases = new Set();
  chat.subscribe(() => phases.add(chat.getState().phase));
  await chat.send('hello');
  const state = chat.getState();
  assert.equal(answerIn(state), 'Hello! How can I help you with your order?');
  assert.deepEqual(
    state.messages.map(({ author, status }) => `${author} ${status}`),
    ['user complete', 'assistant complete'],
  );
  assert.equal(typeof state.sessionId, 'string');
  assert.ok(
    phases.has('sending') && phases.has('running') && phases.has('idle'),
    [...phases].join(),
  );
});

test('a call is approved and the turn goes on to its end', async (t) => {
  const chat = chatFor(t, url);
  const sent = chat.send(REFUND);
  const item = await firstPending(chat);
  assert.equal(chat.getState().phase, 'waiting');
  assert.deepEqual(
    [item.type, item.tool, item.args],
    ['approval', 'issue_refund', { orderId: 'A-1001' }],
  );
  assert.deepEqual(item.decision, { state: 'idle' });
  await chat.approve(item.id);
  await sent;
  const state = chat.getState();
  assert.deepEqual([state.phase, state.pending], ['idle', []]);
  assert.equal(answerIn(state), 'Refunded $42.00 to your original payment method.');
  const shown = state.messages.at(-1).parts.find(({ type }) => type === 'item');
  const verdict = { type: 'approve' };
  assert.deepEqual(shown.item.decision, { state: 'settled', verdict, by: 'here' });
});

test('a call is denied and the turn stops', async (t) => {
  const chat = chatFor(t, url);
  const sent = chat.send(REFUND);
  const item = await firstPending(chat);
  await chat.deny(item.id);
  await sent;
  const last = chat.getState().messages.at(-1);
  assert.equal(last.stopReason, 'denied');
  const refund = last.parts.find(({ type, tool }) => type === 'tool' && tool === 'issue_refund');
  assert.equal(refund.status, 'denied');
});

test('a question is answered, and the next item is another one', async (t) => {
  const chat = chatFor(t, url);
  const sent = chat.send('refund');
  const item = await firstPending(chat);
  assert.equal(item.type, 'question');
  await chat.answer(item.id, 'A-1002');
  const next = await stateWhere(chat, ({ pending }) => pending[0]?.type === 'approval');
  await chat.approve(next.pending[0].id);
  await sent;
  assert.equal(chat.getState().phase, 'idle');
});

test('messages that did not change are the same objects in the next state', async (t) => {
  const chat = chatFor(t, url);
  await chat.send('hello');
  const before = chat.getState();
  assert.equal(chat.getState(), before);
  await chat.send('hello');
  const after = chat.getState();
  assert.notEqual(after, before);
  assert.equal(after.messages.length, 4);
  assert.equal(after.messages[0], before.messages[0]);
  assert.equal(after.messages[1], before.messages[1]);
  assert.equal(after.pending, before.pending);
  assert.equal(before.messages.length, 2, 'a state that was handed out changes no more');
});

test('a turn that is stopped ends at the server, and its item with it', async (t) => {
  const chat = chatFor(t, url);
  const sent = chat.send(REFUND);
  const { id } = await firstPending(chat);
  chat.stop();
  await assert.rejects(sent, { code: 'aborted' });
  const { pending, phase, sessionId, messages } = chat.getState();
  assert.deepEqual([pending, phase], [[], 'idle']);
  assert.equal(messages.at(-1).status, 'stopped');
  assert.deepEqual(await getPendingApprovals(url, AGENT, { sessionId }), { approvals: [] });
  await assert.rejects(approveCall(url, id), { code: 'http-status', status: 410 });
});

// Survives: two windows decide → the first verdict stands, and the other window shows it
test('a verdict that came too late shows the one that stands', async (t) => {
  const [first, second] = [chatFor(t, url), chatFor(t, url)];
  const sent = first.send(REFUND);
  const { id } = await firstPending(first);
  await second.open(first.getState().sessionId);
  await first.approve(id);
  await assert.rejects(second.deny(id), ({ status, http }) => {
    return status === 409 && http.verdict === 'approve';
  });
  await sent;
  await stateWhere(second, ({ phase }) => phase === 'idle');
  assert.equal(answerIn(second.getState()), 'Refunded $42.00 to your original payment method.');
});

test('a stored session opens with its pending item, which can be decided', async (t) => {
  const { sessionId, id } = await sendMessage(url, AGENT, REFUND);
  const chat = chatFor(t, url, { sessionId });
  const item = await firstPending(chat);
  assert.equal(item.id, id);
  await chat.deny(id);
  assert.deepEqual(chat.getState().pending, []);
});

test('open shows a stored session in place of what was there', async (t) => {
  const first = await sendMessage(url, AGENT, 'hello');
  const chat = chatFor(t, url);
  await chat.send('nudge');
  await chat.open(first.sessionId);
  const { sessionId, messages } = chat.getState();
  assert.equal(sessionId, first.sessionId);
  assert.deepEqual(messages[0].parts, [{ type: 'text', text: 'hello' }]);
  assert.equal(messages.length, 2);
});

test('a turn that the agent fails is in the state and no rejection', async (t) => {
  const chat = chatFor(t, url);
  await chat.send('break');
  const { lastError, messages } = chat.getState();
  assert.equal(lastError.code, 'agent-failed');
  assert.equal(messages.at(-1).status, 'failed');
});

test('states can be cloned and written as JSON', async (t) => {
  const chat = chatFor(t, url);
  await chat.send('compact');
  const state = chat.getState();
  assert.deepEqual(structuredClone(state), state);
  assert.deepEqual(JSON.parse(JSON.stringify(state)), state);
});
