import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChat, decodeLoopEvent, SseDecoder, sendMessage, TurnwireError } from 'turnwire';
import { json, startStandIn } from './stand-in-server.mjs';

/** What a function throws. */
function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

test('whatever throws, it is one class that extends Error', async (t) => {
  const { url } = await startStandIn(t, json({}, 500));
  for (const error of [
    thrownBy(() => decodeLoopEvent('{')),
    thrownBy(() => new SseDecoder({ maxFrameBytes: 0 })),
    thrownBy(() => createChat({ baseUrl: 'nowhere', agent: 'a' })),
    await sendMessage(url, 'a', 'hi').catch((error) => error),
  ]) {
    assert.ok(error instanceof TurnwireError);
    assert.ok(error instanceof Error);
    assert.equal(error.constructor, TurnwireError);
    assert.equal(error.name, 'TurnwireError');
    assert.match(error.stack, /^TurnwireError: .+\n\s+at /);
    assert.equal(String(error), `TurnwireError: ${error.message}`);
    assert.equal(typeof error.retryable, 'boolean');
    assert.match(error.code, /^[a-z]+(-[a-z]+)+$/);
  }
});

test('an error has no fields that do not apply', () => {
  const error = thrownBy(() => decodeLoopEvent('{'));
  assert.deepEqual(Object.keys(error).sort(), ['code', 'retryable']);
  assert.equal(Object.hasOwn(error, 'cause'), false);
  assert.equal(error.status, undefined);
});

test('what the environment threw is the cause', async () => {
  const cycle = {};
  cycle.self = cycle;
  const error = await sendMessage('http://127.0.0.1:1', 'a', 'hi', { body: cycle }).catch(
    (error) => error,
  );
  assert.equal(error.code, 'invalid-argument');
  assert.ok(error.cause instanceof TypeError);
});

test('callers can make one, for their own tests', () => {
  const cause = new RangeError('x');
  const http = { status: 503, redirected: false };
  const init = { code: 'http-status', message: 'later', retryable: true, status: 503, http, cause };
  const error = new TurnwireError(init);
  const { code, message, retryable, status } = error;
  assert.deepEqual(
    { code, message, retryable, status, http: error.http, cause: error.cause },
    init,
  );
  assert.equal(new TurnwireError({ code: 'closed', message: 'x' }).retryable, false);
});

test('messages are one line and hold no header and no text of a message', async (t) => {
  const { url } = await startStandIn(t, json({ secret: 'of the server' }));
  const options = { headers: { authorization: 'Bearer secret' }, sessionId: 'secret' };
  for (const error of [
    await sendMessage(url, 'a', 'secret', options).catch((error) => error),
    await sendMessage(url, 'a', 'hi', { headers: { 'secret name': 'x' } }).catch((error) => error),
    await sendMessage(url, 'a', 'secret', { limits: { maxMessageBytes: 1 } }).catch(
      (error) => error,
    ),
  ]) {
    assert.ok(error instanceof TurnwireError);
    assert.doesNotMatch(error.message, /\n|secret\b(?! name)/);
  }
});
