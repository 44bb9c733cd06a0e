import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatFor, firstPending } from './chats.mjs';
import { fault } from './faults.mjs';
import { json, openStream, startStandIn } from './stand-in-server.mjs';
import { APPROVAL, finished, frame, QUESTION, SESSION } from './turns.mjs';

const EMPTY = { sessionId: 's1', history: [], approvals: [], questions: [] };

/** A chat with an item that waits, at a server that answers decisions with `decide`. */
async function waitingChat(t, decide, item = frame(APPROVAL)) {
  const { url, requests } = await startStandIn(t, (response, request) => {
    if (request.method === 'GET') return json(EMPTY)(response);
    if (request.url.endsWith('/stream')) return openStream(frame(SESSION) + item)(response);
    return decide(response, request);
  });
  const chat = chatFor(t, url);
  const sent = chat.send('refund A-1001');
  const decisions = () => requests.filter(({ url }) => /approve|deny|answer/.test(url));
  return { chat, sent, item: await firstPending(chat), decisions };
}

test('a verdict is one request, and a second click shares its outcome', async (t) => {
  const { chat, item, decisions } = await waitingChat(t, json(finished()));
  const [first, second, other] = await Promise.allSettled([
    chat.approve(item.id),
    chat.approve(item.id),
    chat.deny(item.id),
  ]);
  assert.deepEqual([first.status, second.status], ['fulfilled', 'fulfilled']);
  fault('already-deciding', { retryable: false })(other.reason);
  assert.equal(decisions().length, 1);
});

test('the verdict on its way is in the state', async (t) => {
  const { chat, item } = await waitingChat(t, json(finished()));
  const approved = chat.approve(item.id);
  const [sending] = chat.getState().pending;
  assert.deepEqual(sending.decision, { state: 'sending', verdict: { type: 'approve' } });
  assert.notEqual(sending, item, 'an item that changed is another object');
  await approved;
});

for (const [name, refuse, code] of [
  ['the server fails', json({ error: 'try later' }, 503), 'http-status'],
  ['the connection breaks', (response) => response.destroy(), 'network'],
]) {
  test(`an item stays decidable where ${name}`, async (t) => {
    let attempts = 0;
    const { chat, item, decisions } = await waitingChat(t, (response) => {
      attempts += 1;
      return attempts === 1 ? refuse(response) : json(finished())(response);
    });
    await assert.rejects(chat.approve(item.id), fault(code, { retryable: true }));
    const [failed] = chat.getState().pending;
    assert.equal(failed.id, item.id);
    assert.equal(failed.decision.state, 'failed');
    assert.deepEqual(failed.decision.verdict, { type: 'approve' });
    assert.equal(failed.decision.error.code, code);
    await chat.approve(item.id);
    assert.deepEqual(chat.getState().pending, []);
    assert.equal(decisions().length, 2);
  });
}

test('an item that the server no longer knows is stale, and further clicks ask nothing', async (t) => {
  const gone = json({ error: 'already decided' }, 404);
  const { chat, item, decisions } = await waitingChat(t, gone);
  await assert.rejects(chat.approve(item.id), fault('http-status', { status: 404 }));
  const parts = chat.getState().messages.flatMap(({ parts }) => parts);
  const shown = parts.find(({ type }) => type === 'item');
  assert.equal(shown.item.decision.state, 'stale');
  assert.match(shown.item.decision.reason, /already decided/);
  await assert.rejects(chat.approve(item.id), fault('decision-stale'));
  assert.equal(decisions().length, 1);
});

test('a verdict for another id, or of another kind, is refused unsent', async (t) => {
  const { chat, item, decisions } = await waitingChat(t, json(finished()));
  await assert.rejects(chat.approve('other'), fault('not-pending'));
  await assert.rejects(chat.answer(item.id, 'A-1001'), fault('invalid-argument'));
  await assert.rejects(chat.approve(undefined), fault('invalid-argument'));
  assert.deepEqual(decisions(), []);
});

test('an answer with a lone surrogate is refused and the question stays', async (t) => {
  const { chat, item, decisions } = await waitingChat(t, json(finished()), frame(QUESTION));
  assert.deepEqual(item.options, QUESTION.options);
  await assert.rejects(chat.answer(item.id, 'a\ud83d'), fault('invalid-argument'));
  assert.deepEqual(chat.getState().pending, [item]);
  await chat.answer(item.id, 'a typed one 🌍');
  assert.deepEqual(JSON.parse(decisions()[0].body), { answer: 'a typed one 🌍' });
});

test('an item that came damaged can be denied, never approved', async (t) => {
  const { tool, ...damaged } = APPROVAL;
  const { chat, item, decisions } = await waitingChat(t, json(finished()), frame(damaged));
  assert.equal(item.damaged, true);
  await assert.rejects(chat.approve(item.id), fault('item-damaged'));
  assert.deepEqual(decisions(), []);
  await chat.deny(item.id);
  assert.equal(decisions()[0].url, '/approvals/a1/deny');
});

test('an unknown event leaves the item where it is', async (t) => {
  const frames = frame(APPROVAL) + frame({ type: 'heartbeat:future' }) + frame({ type: 'later' });
  const { chat, item } = await waitingChat(t, json(finished()), frames);
  assert.deepEqual(chat.getState().pending, [item]);
});

test('a message is refused while an item waits, and says which', async (t) => {
  const { chat, item, sent } = await waitingChat(t, json(finished()));
  await assert.rejects(chat.send('hello?'), fault('pending-items', { itemIds: [item.id] }));
  await chat.approve(item.id);
  chat.stop();
  await Promise.allSettled([sent]);
});
