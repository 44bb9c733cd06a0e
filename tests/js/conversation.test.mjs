import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  answerQuestion,
  approveCall,
  denyCall,
  getPendingApprovals,
  getPendingQuestions,
  getSessionHistory,
  sendMessage,
  streamMessage,
  streamMessageWithCallbacks,
} from 'turnwire';
import { fault } from './faults.mjs';
import { startServer } from './real-server.mjs';
import { collect, typesOf } from './turns.mjs';

const AGENT = 'customer-service';
const REFUND = 'order A-1001 arrived broken, can you refund it?';
const REFUNDED = 'Refunded $42.00 to your original payment method.';

let url;
before(async (t) => {
  url = await startServer(t);
});

test('a plain answer is a turn that is over', async () => {
  const turn = await sendMessage(url, AGENT, 'hello');
  assert.equal(turn.pending, undefined);
  assert.equal(turn.text, 'Hello! How can I help you with your order?');
  assert.deepEqual(typesOf(turn.events), ['session', 'budget:check', 'loop:done', 'done']);
});

test('a refund is approved and its turn ends', async () => {
  const waiting = await sendMessage(url, AGENT, REFUND);
  assert.equal(waiting.pending && waiting.type, 'approval');
  assert.deepEqual([waiting.tool, waiting.args], ['issue_refund', { orderId: 'A-1001' }]);
  const turn = await approveCall(url, waiting.id);
  assert.equal(turn.text, REFUNDED);
  assert.equal(turn.sessionId, waiting.sessionId);
  assert.equal(turn.stopReason, undefined);
});

test('a refund is denied and its turn stops', async () => {
  const waiting = await sendMessage(url, AGENT, REFUND);
  const turn = await denyCall(url, waiting.id);
  assert.equal(turn.stopReason, 'denied');
  assert.ok(typesOf(turn.events).includes('loop:denied'));
});

test('a question is answered, and then the call that follows is approved', async () => {
  const asked = await sendMessage(url, AGENT, 'refund');
  assert.equal(asked.pending && asked.type, 'question');
  assert.deepEqual(asked.options, ['A-1001', 'A-1002']);
  const waiting = await answerQuestion(url, asked.id, 'A-1002');
  assert.deepEqual(waiting.args, { orderId: 'A-1002' });
  assert.equal((await approveCall(url, waiting.id)).pending, undefined);
});

test('one of two calls is denied and the other skipped', async () => {
  const first = await sendMessage(url, AGENT, 'refund A-1001 and email me');
  const second = await approveCall(url, first.id);
  assert.equal(second.pending, true);
  const turn = await denyCall(url, second.id);
  assert.equal(turn.stopReason, 'denied');
  assert.ok(typesOf(turn.events).includes('loop:skipped'));
});

test('a decided item gives its answer again, and another verdict is told what stands', async () => {
  const waiting = await sendMessage(url, AGENT, REFUND);
  const denied = await denyCall(url, waiting.id);
  assert.deepEqual(await denyCall(url, waiting.id), denied);
  const standing = (error) => {
    return error.status === 409 && !error.retryable && error.http.verdict === 'deny';
  };
  await assert.rejects(approveCall(url, waiting.id), standing);
  await assert.rejects(
    answerQuestion(url, waiting.id, 'x'),
    fault('http-status', { status: 404, retryable: false }),
  );
});

test('pending items are listed, of an agent and of one session', async () => {
  const waiting = await sendMessage(url, AGENT, REFUND);
  const { id, tool, args, scope, reason, sessionId } = waiting;
  const { approvals } = await getPendingApprovals(url, AGENT, { sessionId });
  const [{ requestedAt, ...item }] = approvals;
  assert.deepEqual([approvals.length, item], [1, { id, tool, args, scope, reason }]);
  assert.match(requestedAt, /^\d{4}-\d\d-\d\dT/);
  const all = await getPendingApprovals(url, AGENT);
  assert.ok(all.approvals.some((item) => item.id === id));
  assert.deepEqual(await getPendingApprovals(url, AGENT, { sessionId: 'other' }), {
    approvals: [],
  });
  await denyCall(url, id);
  assert.deepEqual(await getPendingApprovals(url, AGENT, { sessionId }), { approvals: [] });
});

test('pending questions are listed', async () => {
  const { id, sessionId, question } = await sendMessage(url, AGENT, 'refund');
  const { questions } = await getPendingQuestions(url, AGENT, { sessionId });
  assert.deepEqual([questions[0].id, questions[0].question], [id, question]);
  assert.equal(questions[0].sessionId, sessionId);
});

test('a session goes on where its id is given, and its history tells of both turns', async () => {
  const { sessionId } = await sendMessage(url, AGENT, 'hello');
  const turn = await sendMessage(url, AGENT, 'use the returns skill', { sessionId });
  assert.equal(turn.sessionId, sessionId);
  const stored = await getSessionHistory(url, AGENT, sessionId);
  assert.equal(stored.sessionId, sessionId);
  const said = stored.history.filter(
    ({ role, content }) => role === 'user' && typeof content === 'string',
  );
  assert.deepEqual(
    said.map(({ content }) => content),
    ['hello', 'use the returns skill'],
  );
});

test('a session that the server does not know has no history', async () => {
  const unknown = await getSessionHistory(url, AGENT, 'déjà vu/1');
  assert.deepEqual(unknown, { sessionId: 'déjà vu/1', history: [] });
});

test('an unknown agent is a 404, streamed or not', async () => {
  const refused = fault('http-status', { status: 404 });
  await assert.rejects(sendMessage(url, 'nobody', 'hi'), refused);
  await assert.rejects(collect(streamMessage(url, 'no/body', 'hi')), refused);
});

test('a failed turn is an error event on the stream and a rejection without one', async () => {
  const events = await collect(streamMessage(url, AGENT, 'break'));
  assert.equal(events.at(-1).type, 'error');
  await assert.rejects(sendMessage(url, AGENT, 'break'), fault('http-status', { status: 500 }));
});

test('a stream stays open while a decision is taken beside it', async () => {
  const events = [];
  for await (const event of streamMessage(url, AGENT, REFUND)) {
    events.push(event);
    if (event.type === 'approval:pending') {
      const turn = await approveCall(url, event.id);
      assert.equal(turn.text, REFUNDED);
    }
  }
  assert.equal(events[0].type, 'session');
  assert.deepEqual(events.at(-1), { type: 'done', text: REFUNDED });
});

test('a streamed turn and a plain one have the same events', async () => {
  const { events } = await sendMessage(url, AGENT, 'never stop');
  const streamed = await collect(streamMessage(url, AGENT, 'never stop'));
  assert.deepEqual(streamed.slice(1), events.slice(1));
  assert.equal(streamed.at(-1).stopReason, 'max_turns');
});

test('the scripted turns bring all 17 events across', async () => {
  const seen = new Set();
  const onEvent = async (event) => {
    seen.add(event.type);
    if (event.type === 'question:pending') await answerQuestion(url, event.id, 'A-1001');
    if (event.type === 'approval:pending') {
      const decide = event.tool === 'issue_refund' ? approveCall : denyCall;
      await decide(url, event.id);
    }
  };
  const messages = ['refund', 'refund A-1001 and email me', 'use the returns skill', 'compact'];
  for (const message of [...messages, 'nudge', 'never stop', 'break', 'delete everything']) {
    await streamMessageWithCallbacks(url, AGENT, message, {}, { onEvent });
  }
  assert.equal(seen.size, 17, [...seen].join());
});

test('the turn goes on at the server after its stream was left', async () => {
  let pending;
  for await (const event of streamMessage(url, AGENT, REFUND)) {
    if (event.type !== 'approval:pending') continue;
    pending = event;
    break;
  }
  assert.equal((await approveCall(url, pending.id)).text, REFUNDED);
});
