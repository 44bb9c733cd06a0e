// What a chat makes of the answers to its attempts to join a turn again.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { getPendingApprovals } from 'turnwire';
import * as faults from '../faults/kinds.mjs';
import { JOINS, MESSAGES } from '../faults/proxy.mjs';
import { answerIn, firstPending } from './chats.mjs';
import { fault } from './faults.mjs';
import { folderFor, runServer, startServer } from './real-server.mjs';
import {
  assertOneRefund,
  beginRefund,
  bytesUntilItWaits,
  likeness,
  playRefund,
  REFUNDED,
  startProxy,
  waitingRefund,
} from './refund-turn.mjs';

/** Bytes of the stream in which nothing has to be decided yet. */
const SOME = 500;

let url;
/** The conversation of an unbroken turn. */
let whole;
let untilItWaits;
before(async (t) => {
  url = await startServer(t);
  const proxy = await startProxy(t, url);
  whole = likeness(await playRefund(t, proxy));
  untilItWaits = await bytesUntilItWaits(proxy);
});

/** A proxy that cuts the turn's first stream, and does this to the attempts to join it again. */
async function cutProxy(t, bytes, ...answers) {
  const proxy = await startProxy(t, url);
  proxy.plan(MESSAGES, faults.cutAfter(bytes));
  proxy.plan(JOINS, ...answers);
  return proxy;
}

async function assertSame(t, ...answers) {
  const proxy = await cutProxy(t, SOME, ...answers);
  assert.deepEqual(likeness(await playRefund(t, proxy)), whole);
  await assertOneRefund(proxy);
  assert.equal(proxy.asked(JOINS).length, answers.length + 1);
  return proxy;
}

for (const [name, answer] of [
  ['an HTML page of a proxy', faults.badGateway],
  ['a server that is not ready', faults.unavailable],
  ['a login page', faults.loginPage],
  ['a broken connection', faults.refuse],
  ['a response that gets lost', faults.lose],
]) {
  // Survives: a proxy answers with a page or an error → the chat asks again and goes on
  test(`${name} in the turn’s place is asked past`, async (t) => {
    await assertSame(t, answer);
  });
}

test('one fault after the other is asked past', async (t) => {
  await assertSame(t, faults.badGateway, faults.loginPage);
});

// Survives: a server has too many requests → the chat waits as long as it says and goes on
test('the next attempt waits for what Retry-After asks for', async (t) => {
  const proxy = await assertSame(t, faults.tooMany(1));
  const [refused, again] = proxy.asked(JOINS);
  // Without the header it would wait for half a second at most; timers may be a millisecond early.
  assert.ok(again.at - refused.at > 990);
});

for (const [name, answer, status] of [
  ['not allowed', faults.forbidden, 403],
  ['not signed in', faults.unauthorised, 401],
]) {
  // Survives: the server refuses who comes back (401, 403) → the chat says so; Retry goes on
  test(`who is ${name} any more hears it, and Retry goes on with the turn`, async (t) => {
    const proxy = await cutProxy(t, untilItWaits, answer);
    const { chat, sent } = await waitingRefund(t, proxy);
    await assert.rejects(sent, fault('http-status', { status }));
    assert.equal(proxy.asked(JOINS).length, 1);
    assert.equal(chat.getState().lastError.status, status);

    await chat.retry();
    assert.equal(chat.getState().lastError, null);
    await chat.approve((await firstPending(chat)).id);
    assert.equal(answerIn(chat.getState()), REFUNDED);
    await assertOneRefund(proxy);
  });
}

// Survives: the server is killed and started again → what waited still waits, and can be approved
test('a server that was killed and is back is joined again, and the card decided', async (t) => {
  const data = folderFor(t);
  const first = await runServer(t, { data });
  const proxy = await startProxy(t, first.url);
  const { chat, sent, item } = await waitingRefund(t, proxy);

  await first.kill();
  await proxy.arrived(JOINS);
  assert.deepEqual(chat.getState().pending, [item]);
  proxy.target = (await runServer(t, { data, port: first.port })).url;

  await chat.approve(item.id);
  await sent;
  assert.deepEqual(likeness(chat.getState()), whole);
  await assertOneRefund(proxy);
});

test('stopped while it joins again, a chat asks for no stream any more', async (t) => {
  const proxy = await cutProxy(t, untilItWaits);
  proxy.always(JOINS, faults.unavailable);
  const { chat, sent } = await waitingRefund(t, proxy);
  await proxy.arrived(JOINS, 2);
  chat.stop();
  await assert.rejects(sent, fault('aborted'));

  const attempts = proxy.asked(JOINS).length;
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
  assert.deepEqual(timers, [], 'nothing is left that could ask again');
  assert.equal(proxy.asked(JOINS).length, attempts);
  const { sessionId, pending } = chat.getState();
  assert.deepEqual(pending, []);
  const left = await getPendingApprovals(url, 'customer-service', { sessionId });
  assert.deepEqual(left, { approvals: [] });
});

test('stopped before the head of the response, a chat asks for nothing more', async (t) => {
  const proxy = await startProxy(t, url);
  proxy.plan(MESSAGES, faults.holdUntil(new Promise(() => {})));
  const { chat, sent } = beginRefund(t, proxy);
  await proxy.arrived(MESSAGES);
  chat.stop();
  await assert.rejects(sent, fault('aborted'));
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
  assert.deepEqual(timers, [], 'nothing is left that could ask again');
  assert.deepEqual([proxy.asked(MESSAGES).length, proxy.asked(JOINS).length], [1, 0]);
  assert.equal(chat.getState().phase, 'idle');
});
