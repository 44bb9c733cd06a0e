import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamMessage, streamMessageWithCallbacks } from 'turnwire';
import { fault } from './faults.mjs';
import { body, json, openStream, startStandIn, stream } from './stand-in-server.mjs';
import { APPROVAL, collect, DONE, frame, QUESTION, SESSION, TEXT, typesOf } from './turns.mjs';

/** The address of a server that streams these frames. */
async function streaming(t, ...frames) {
  return (await startStandIn(t, stream(...frames))).url;
}

test('nothing is sent before the first event is asked for', async (t) => {
  const { url, requests } = await startStandIn(t, stream(frame(DONE)));
  const events = streamMessage(url, 'a', 'hi');
  await events.return();
  assert.deepEqual(await events.next(), { done: true, value: undefined });
  assert.deepEqual(requests, []);
});

test('events come exactly as sent, unknown types and fields with them', async (t) => {
  const odd = [
    { n: 1.5, type: 'heartbeat:future', deep: { a: [null, true] } },
    { type: '', x: '' },
    { ...TEXT, lang: 'en', __proto__: null },
    APPROVAL,
    QUESTION,
  ];
  const url = await streaming(t, ...[SESSION, ...odd, DONE].map((event) => frame(event)));
  const events = await collect(streamMessage(url, 'a', 'hi'));
  assert.equal(JSON.stringify(events), JSON.stringify([SESSION, ...odd, DONE]));
});

test('a field named __proto__ stays a field', async (t) => {
  const sent = '{"type":"later","__proto__":{"polluted":true}}';
  const url = await streaming(t, frame(sent), frame(DONE));
  const [event] = await collect(streamMessage(url, 'a', 'hi'));
  assert.equal(event.polluted, undefined);
  assert.equal(JSON.stringify(event), sent);
});

test('a lone surrogate in an event does not fail it', async (t) => {
  const url = await streaming(t, frame('{"type":"assistant:text","text":"a\\ud83d"}'), frame(DONE));
  const [event] = await collect(streamMessage(url, 'a', 'hi'));
  assert.equal(event.text, 'a\ud83d');
});

for (const [name, text, code] of [
  ['no JSON', '{"type":"tool:result",', 'invalid-json'],
  ['no object', '42', 'invalid-event'],
  ['null', 'null', 'invalid-event'],
  ['an object without a type', '{"text":"x"}', 'invalid-event'],
  ['a known type without its field', '{"type":"done"}', 'invalid-event'],
  [
    'a field of a wrong type',
    '{"type":"tool:started","id":"c","tool":"t","args":[],"detailText":""}',
    'invalid-event',
  ],
  ['too deep', `{"type":"later","deep":${'['.repeat(200)}${']'.repeat(200)}}`, 'nesting-too-deep'],
]) {
  test(`an event that is ${name} ends the stream where it stands`, async (t) => {
    const url = await streaming(t, frame(SESSION), frame(text), frame(DONE));
    const events = streamMessage(url, 'a', 'hi');
    assert.deepEqual((await events.next()).value, SESSION);
    await assert.rejects(events.next(), fault(code, { offset: frame(SESSION).length }));
    assert.deepEqual(await events.next(), { done: true, value: undefined });
  });

  test(`an event that is ${name} is told to onDecodeError, and the stream goes on`, async (t) => {
    const url = await streaming(t, frame(SESSION), frame(text), frame(DONE));
    const told = [];
    const onDecodeError = (error, raw) => told.push([error.code, raw]);
    const events = await collect(streamMessage(url, 'a', 'hi', { onDecodeError }));
    assert.deepEqual(events, [SESSION, DONE]);
    assert.deepEqual(told, [[code, text]]);
  });
}

test('an end of the turn that came damaged is no end', async (t) => {
  const url = await streaming(t, frame(SESSION), frame('{"type":"done"'));
  const events = streamMessage(url, 'a', 'hi', { onDecodeError: () => {} });
  await assert.rejects(collect(events), fault('stream-interrupted'));
});

test('what onDecodeError throws ends the stream and closes the connection', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame('{'), frame(TEXT)));
  const onDecodeError = () => {
    throw new RangeError('enough');
  };
  await assert.rejects(collect(streamMessage(url, 'a', 'hi', { onDecodeError })), RangeError);
  assert.equal(await requests[0].closed, false);
});

test('integers that JavaScript rounds are noticed with their place', async (t) => {
  const notices = [];
  const odd = '{"type":"later","n":[9007199254740993,1,-9007199254740992]}';
  const url = await streaming(t, frame(SESSION), frame(odd), frame(DONE));
  const onNotice = (notice) => notices.push(notice);
  const events = await collect(streamMessage(url, 'a', 'hi', { onNotice }));
  assert.deepEqual(events[1].n, [9007199254740992, 1, -9007199254740992]);
  assert.deepEqual(
    notices.map(({ code, integers, offset }) => ({ code, integers, offset })),
    [
      {
        code: 'precision-loss',
        integers: ['9007199254740993', '-9007199254740992'],
        offset: frame(SESSION).length,
      },
    ],
  );
});

test('an upper-case media type with parameters is an event stream', async (t) => {
  const { url } = await startStandIn(t, body(frame(DONE), 'Text/Event-Stream; charset=UTF-8'));
  assert.deepEqual(await collect(streamMessage(url, 'a', 'hi')), [DONE]);
});

test('an error status counts although its body is an event stream', async (t) => {
  const { url } = await startStandIn(t, body(frame(DONE), 'text/event-stream', 500));
  await assert.rejects(
    collect(streamMessage(url, 'a', 'hi')),
    fault('http-status', { status: 500 }),
  );
});

for (const [name, answer, code, error] of [
  [
    'an error status with JSON',
    json({ error: 'unknown agent' }, 404),
    'http-status',
    'unknown agent',
  ],
  ['an error status with a page', body('<p>', 'text/html', 502), 'http-status', 'HTTP 502'],
  ['a login page', body('<p>Log in', 'text/html'), 'unexpected-content-type', 'HTTP 200'],
  ['a plain result', json({ text: 'x' }), 'unexpected-content-type', 'HTTP 200'],
  ['no content', body(undefined, null, 204), 'invalid-response', 'HTTP 204'],
]) {
  test(`${name} in place of a stream is thrown, or an event where that is asked for`, async (t) => {
    const { url } = await startStandIn(t, answer);
    await assert.rejects(collect(streamMessage(url, 'a', 'hi')), fault(code));
    const events = await collect(streamMessage(url, 'a', 'hi', { httpErrors: 'event' }));
    assert.deepEqual(events, [{ type: 'error', error }]);
  });
}

test('an error event ends the turn and is not thrown', async (t) => {
  const failed = { type: 'error', error: 'no model' };
  const url = await streaming(t, frame(SESSION), frame(failed));
  assert.deepEqual(await collect(streamMessage(url, 'a', 'hi')), [SESSION, failed]);
});

test('reads at the same time get their events in order', async (t) => {
  const url = await streaming(t, frame(SESSION), frame(TEXT), frame(DONE));
  const events = streamMessage(url, 'a', 'hi');
  const read = await Promise.all([1, 2, 3, 4].map(() => events.next()));
  assert.deepEqual(typesOf(read.slice(0, 3).map(({ value }) => value)), [
    'session',
    'assistant:text',
    'done',
  ]);
  assert.equal(read[3].done, true);
});

test('callbacks hear of every event, and of the end once more', async (t) => {
  const url = await streaming(t, frame(SESSION), frame(DONE));
  const heard = [];
  const hear = (name) => (event) => heard.push(`${name} ${event.type}`);
  const callbacks = { onEvent: hear('event'), onDone: hear('done'), onError: hear('error') };
  assert.equal(await streamMessageWithCallbacks(url, 'a', 'hi', {}, callbacks), undefined);
  assert.deepEqual(heard, ['event session', 'event done', 'done done']);
});

test('onError hears of an error event, and no callback is needed', async (t) => {
  const url = await streaming(t, frame({ type: 'error', error: 'x' }));
  const heard = [];
  const callbacks = { onError: (event) => heard.push(event.error) };
  await streamMessageWithCallbacks(url, 'a', 'hi', undefined, callbacks);
  await streamMessageWithCallbacks(url, 'a', 'hi');
  assert.deepEqual(heard, ['x']);
});

test('a callback that throws rejects the promise and closes the connection', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame(SESSION)));
  const onEvent = () => {
    throw new RangeError('enough');
  };
  await assert.rejects(streamMessageWithCallbacks(url, 'a', 'hi', {}, { onEvent }), RangeError);
  assert.equal(await requests[0].closed, false);
});
