import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveCall, getSessionHistory, sendMessage, streamMessage } from 'turnwire';
import { fault } from './faults.mjs';
import { json, openStream, silence, startStandIn, stream } from './stand-in-server.mjs';
import { collect, DONE, finished, frame, SESSION, TEXT } from './turns.mjs';

const END = { done: true, value: undefined };

/** Resolves once the server has this many requests. */
async function arrived({ requests }, count = 1) {
  while (requests.length < count) await new Promise((resolve) => setImmediate(resolve));
}

test('leaving the loop early closes the connection', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame(SESSION), frame(TEXT)));
  for await (const event of streamMessage(url, 'a', 'hi')) {
    assert.deepEqual(event, SESSION);
    break;
  }
  assert.equal(await requests[0].closed, false);
});

test('an exception in the loop closes the connection', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame(SESSION)));
  const loop = async () => {
    for await (const _ of streamMessage(url, 'a', 'hi')) throw new RangeError('x');
  };
  await assert.rejects(loop, RangeError);
  assert.equal(await requests[0].closed, false);
});

test('return() ends a read that waits for the next event', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame(SESSION)));
  const events = streamMessage(url, 'a', 'hi');
  await events.next();
  const waiting = events.next();
  assert.deepEqual(await events.return('x'), { done: true, value: 'x' });
  assert.deepEqual(await waiting, END);
  assert.deepEqual(await events.next(), END);
  assert.equal(await requests[0].closed, false);
});

test('return() ends a read that waits for the response', async (t) => {
  const server = await startStandIn(t, silence);
  const events = streamMessage(server.url, 'a', 'hi');
  const waiting = events.next();
  await arrived(server);
  await events.return();
  assert.deepEqual(await waiting, END);
  assert.equal(await server.requests[0].closed, false);
});

test('throw() closes the connection and rejects with what was thrown', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame(SESSION)));
  const events = streamMessage(url, 'a', 'hi');
  await events.next();
  await assert.rejects(events.throw(new RangeError('x')), RangeError);
  assert.deepEqual(await events.next(), END);
  assert.equal(await requests[0].closed, false);
});

test('asynchronous disposal closes the connection', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame(SESSION)));
  const events = streamMessage(url, 'a', 'hi');
  await events.next();
  await events[Symbol.asyncDispose]();
  assert.equal(await requests[0].closed, false);
});

test('a signal that has aborted before keeps everything from being sent', async (t) => {
  const { url, requests } = await startStandIn(t, json(finished()));
  const reason = new RangeError('changed my mind');
  const options = { signal: AbortSignal.abort(reason) };
  for (const call of [
    () => sendMessage(url, 'a', 'hi', options),
    () => approveCall(url, 'x', options),
    () => getSessionHistory(url, 'a', 's', options),
    () => streamMessage(url, 'a', 'hi', options).next(),
  ]) {
    await assert.rejects(call, (error) => error === reason);
  }
  assert.deepEqual(requests, []);
});

test('an abort while the response is awaited rejects with the reason and closes', async (t) => {
  const server = await startStandIn(t, silence);
  const reason = new RangeError('too slow');
  for (const call of [sendMessage, (...given) => streamMessage(...given).next()]) {
    const controller = new AbortController();
    const asked = call(server.url, 'a', 'hi', { signal: controller.signal });
    await arrived(server);
    controller.abort(reason);
    await assert.rejects(asked, (error) => error === reason);
    const { closed } = server.requests.shift();
    assert.equal(await closed, false);
  }
});

test('an abort without a reason rejects as fetch does', async (t) => {
  const server = await startStandIn(t, silence);
  const controller = new AbortController();
  const sent = sendMessage(server.url, 'a', 'hi', { signal: controller.signal });
  await arrived(server);
  controller.abort();
  await assert.rejects(sent, (error) => {
    assert.ok(error instanceof DOMException);
    assert.equal(error.name, 'AbortError');
    return true;
  });
});

test('whatever the reason is, it is kept', async (t) => {
  const { url } = await startStandIn(t, openStream(frame(SESSION)));
  for (const reason of ['text', 0, null, false, { code: 'own' }]) {
    const controller = new AbortController();
    const events = streamMessage(url, 'a', 'hi', { signal: controller.signal });
    await events.next();
    const waiting = events.next();
    controller.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    assert.deepEqual(await events.next(), END);
  }
});

test('an abort between two reads is told once, and what had arrived is dropped', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame(SESSION) + frame(TEXT)));
  const controller = new AbortController();
  const events = streamMessage(url, 'a', 'hi', { signal: controller.signal });
  await events.next();
  controller.abort();
  assert.equal(await requests[0].closed, false);
  await assert.rejects(events.next(), { name: 'AbortError' });
  assert.deepEqual(await events.next(), END);
});

test('an abort after the end changes nothing', async (t) => {
  const { url } = await startStandIn(t, (response, request) =>
    (request.url.endsWith('stream') ? stream(frame(DONE)) : json(finished()))(response),
  );
  const controller = new AbortController();
  const { signal } = controller;
  const events = streamMessage(url, 'a', 'hi', { signal });
  assert.deepEqual(await collect(events), [DONE]);
  assert.deepEqual(await sendMessage(url, 'a', 'hi', { signal }), finished());
  controller.abort();
  assert.deepEqual(await events.next(), END);
});

test('a call leaves no listener on its signal', async (t) => {
  const { url } = await startStandIn(t, (response, request) =>
    (request.url.endsWith('stream') ? stream(frame(DONE)) : json(finished()))(response),
  );
  const { signal } = new AbortController();
  let listeners = 0;
  const counting = {
    aborted: false,
    addEventListener: (...given) => {
      listeners += 1;
      signal.addEventListener(...given);
    },
    removeEventListener: (...given) => {
      listeners -= 1;
      signal.removeEventListener(...given);
    },
  };
  await sendMessage(url, 'a', 'hi', { signal: counting });
  await collect(streamMessage(url, 'a', 'hi', { signal: counting }));
  assert.equal(listeners, 0);
});

test('the clocks ring with their own codes and close the connection', async (t) => {
  for (const [call, answer, timeouts, code] of [
    ['stream', silence, { connectMs: 20 }, 'connect-timeout'],
    ['send', silence, { responseMs: 20 }, 'connect-timeout'],
    ['stream', openStream(frame(SESSION)), { idleMs: 20 }, 'idle-timeout'],
    ['stream', openStream(frame(SESSION)), { totalMs: 20 }, 'total-timeout'],
    ['send', silence, { totalMs: 20 }, 'total-timeout'],
  ]) {
    const { url, requests } = await startStandIn(t, answer);
    const asked =
      call === 'send'
        ? sendMessage(url, 'a', 'hi', { timeouts })
        : collect(streamMessage(url, 'a', 'hi', { timeouts }));
    await assert.rejects(asked, fault(code, { retryable: true }));
    if (requests.length > 0) assert.equal(await requests[0].closed, false);
  }
});

test('null and Infinity wait for ever', async (t) => {
  const { url } = await startStandIn(t, stream(frame(DONE)));
  const timeouts = { connectMs: null, idleMs: Number.POSITIVE_INFINITY, totalMs: null };
  assert.deepEqual(await collect(streamMessage(url, 'a', 'hi', { timeouts })), [DONE]);
});

test('a clock that is stopped keeps no program alive', async (t) => {
  const { url } = await startStandIn(t, stream(frame(DONE)));
  await collect(streamMessage(url, 'a', 'hi', { timeouts: { idleMs: 3_600_000 } }));
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
  assert.deepEqual(timers, []);
});
