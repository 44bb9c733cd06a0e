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

/** Checks that no clock runs that could bring another attempt about. */
function assertQuiet() {
  const clocks = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
  assert.deepEqual(clocks, []);
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
  // Survives: a proxy answers with a page or an error → the stream is asked for again
  test(`${name} in the turn’s place is asked past`, async (t) => {
    await assertSame(t, answer);
  });
}

test('one fault after the other is asked past', async (t) => {
  await assertSame(t, faults.badGateway, faults.loginPage);
});

// Survives: the server has too many requests → the chat waits for as long as it says
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
  // Survives: the token expires, or access is withdrawn → the chat says so, and Retry goes on
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

// Survives: the server is killed and started again → the turn goes on, with one refund
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

test('a turn that the answer to its verdict has ended is joined no more', async (t) => {
  const proxy = await cutProxy(t, untilItWaits);
  proxy.always(JOINS, faults.unavailable);
  const { chat, sent, item } = await waitingRefund(t, proxy);
  await proxy.arrived(JOINS);
  await chat.approve(item.id);
  assert.deepEqual(likeness(chat.getState()), whole);
  await sent;
  assertQuiet();
});

// Survives: the chat is stopped while it joins again → nothing more is asked for, and the turn ends
test('stopped while it joins again, a chat asks for no stream any more', async (t) => {
  const proxy = await cutProxy(t, untilItWaits);
  proxy.always(JOINS, faults.unavailable);
  const { chat, sent } = await waitingRefund(t, proxy);
  await proxy.arrived(JOINS, 2);
  chat.stop();
  await assert.rejects(sent, fault('aborted'));
  assertQuiet();
  const { sessionId, pending } = chat.getState();
  assert.deepEqual(pending, []);
  const left = await getPendingApprovals(url, 'customer-service', { sessionId });
  assert.deepEqual(left, { approvals: [] });
});

test('disposed of while it joins again, a chat asks for nothing more', async (t) => {
  const proxy = await cutProxy(t, untilItWaits);
  proxy.always(JOINS, faults.unavailable);
  const { chat, sent } = await waitingRefund(t, proxy);
  await proxy.arrived(JOINS);
  chat.dispose();
  await assert.rejects(sent, { name: 'TurnwireError' });
  assertQuiet();
});

test('stopped before the head of the response, a chat asks for nothing more', async (t) => {
  const proxy = await startProxy(t, url);
  proxy.plan(MESSAGES, faults.holdUntil(new Promise(() => {})));
  const { chat, sent } = beginRefund(t, proxy);
  await proxy.arrived(MESSAGES);
  chat.stop();
  await assert.rejects(sent, fault('aborted'));
  assertQuiet();
  assert.deepEqual([proxy.asked(MESSAGES).length, proxy.asked(JOINS).length], [1, 0]);
  assert.equal(chat.getState().phase, 'idle');
});
