// A verdict whose request or answer gets lost: it can be given again, and counts once.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as faults from '../faults/kinds.mjs';
import { DECISIONS, MESSAGES } from '../faults/proxy.mjs';
import { fault } from './faults.mjs';
import { startServer } from './real-server.mjs';
import {
  assertOneRefund,
  bytesUntilItWaits,
  likeness,
  playRefund,
  startProxy,
  waitingRefund,
} from './refund-turn.mjs';

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

for (const [name, answer, code, status] of [
  ['is cut before the server has it', faults.refuse, 'network'],
  ['is answered by a proxy’s page', faults.badGateway, 'http-status', 502],
  ['is answered by a server that is not ready', faults.unavailable, 'http-status', 503],
  ['is answered by a login page', faults.loginPage, 'unexpected-content-type', 200],
  ['comes from somebody who is not signed in any more', faults.unauthorised, 'http-status', 401],
]) {
  // Survives: a verdict does not reach the server → its card is back, to be decided again
  test(`a verdict whose request ${name} can be given again`, async (t) => {
    const proxy = await startProxy(t, url);
    const { chat, sent, item } = await waitingRefund(t, proxy);
    proxy.plan(DECISIONS, answer);
    await assert.rejects(chat.approve(item.id), fault(code, { status }));
    const [{ id, decision }] = chat.getState().pending;
    assert.deepEqual([id, decision.state, decision.error.code], [item.id, 'failed', code]);
    assert.deepEqual(decision.verdict, { type: 'approve' });

    await chat.approve(item.id);
    await sent;
    assert.deepEqual(likeness(chat.getState()), whole);
    await assertOneRefund(proxy);
    assert.equal(proxy.asked(DECISIONS).length, 2);
  });
}

for (const [name, loss] of [
  ['gets lost', faults.lose],
  ['is cut in the middle', faults.cutAfter(700)],
]) {
  // Survives: the answer to a verdict gets lost → it counts once, and is answered alike again
  test(`a verdict whose answer ${name} can be given again and counts once`, async (t) => {
    const proxy = await startProxy(t, url);
    // Here the stream does not tell that the verdict stands.
    proxy.plan(MESSAGES, faults.halfOpenAfter(untilItWaits));
    const { chat, item } = await waitingRefund(t, proxy);
    proxy.plan(DECISIONS, loss);
    await assert.rejects(chat.approve(item.id), { name: 'TurnwireError', retryable: true });
    assert.equal(chat.getState().pending[0].decision.state, 'failed');

    await chat.approve(item.id);
    assert.deepEqual(likeness(chat.getState()), whole);
    await assertOneRefund(proxy);
  });

  test(`a verdict whose answer ${name} is shown by the stream`, async (t) => {
    const proxy = await startProxy(t, url);
    const { chat, sent, item } = await waitingRefund(t, proxy);
    proxy.plan(DECISIONS, loss);
    await Promise.allSettled([chat.approve(item.id)]);
    await sent;
    assert.deepEqual(likeness(chat.getState()), whole);
    await assertOneRefund(proxy);
    assert.equal(proxy.asked(DECISIONS).length, 1);
  });
}

test('a turn that the answer has ended leaves the chat free, though its stream is dead', async (t) => {
  const proxy = await startProxy(t, url);
  proxy.plan(MESSAGES, faults.halfOpenAfter(untilItWaits));
  const { chat, item } = await waitingRefund(t, proxy);
  await chat.approve(item.id);
  assert.deepEqual(likeness(chat.getState()), whole);
  await chat.send('hello');
  assert.equal(chat.getState().messages.length, 4);
  assert.equal(chat.getState().phase, 'idle');
});

test('another verdict after one whose answer got lost is told what stands', async (t) => {
  const proxy = await startProxy(t, url);
  proxy.plan(MESSAGES, faults.halfOpenAfter(untilItWaits));
  const { chat, item } = await waitingRefund(t, proxy);
  proxy.plan(DECISIONS, faults.lose);
  await assert.rejects(chat.approve(item.id));
  await assert.rejects(chat.deny(item.id), fault('http-status', { status: 409 }));
  const parts = chat.getState().messages.flatMap(({ parts }) => parts);
  const { decision } = parts.find(({ type }) => type === 'item').item;
  assert.deepEqual([decision.state, decision.verdict], ['settled', { type: 'approve' }]);
  await assertOneRefund(proxy);
});
