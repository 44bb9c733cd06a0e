import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamMessage } from 'turnwire';
import { fault } from './faults.mjs';
import { brokenStream, startStandIn, stream } from './stand-in-server.mjs';
import { collect, DONE, frame, SESSION, TEXT } from './turns.mjs';

const TURN = [SESSION, TEXT, DONE];

/** The events of a turn whose stream comes in these chunks. */
async function eventsOf(t, ...chunks) {
  const { url } = await startStandIn(t, stream(...chunks));
  return collect(streamMessage(url, 'a', 'hi'));
}

/** The events before a fault, and the fault. */
async function eventsAndFault(t, answer) {
  const { url } = await startStandIn(t, answer);
  const events = [];
  try {
    for await (const event of streamMessage(url, 'a', 'hi')) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events };
}

test('a turn is the same at every cut of its bytes', async (t) => {
  const bytes = Buffer.from(frame(SESSION, '\r\n') + frame(TEXT, '\r') + frame(DONE, '\r\n'));
  let cut = 0;
  const { url } = await startStandIn(t, (response) =>
    stream(bytes.subarray(0, cut), bytes.subarray(cut))(response),
  );
  for (; cut <= bytes.length; cut++) {
    assert.deepEqual(await collect(streamMessage(url, 'a', 'hi')), TURN, `cut at ${cut}`);
  }
});

test('a turn that comes byte by byte is whole', async (t) => {
  const bytes = Buffer.from(TURN.map((event) => frame(event)).join(''));
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  assert.deepEqual(await eventsOf(t, ...single), TURN);
});

for (const [name, end] of [
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
]) {
  test(`lines may end in ${name}`, async (t) => {
    assert.deepEqual(await eventsOf(t, TURN.map((event) => frame(event, end)).join('')), TURN);
  });
}

test('the three line ends may be mixed, also within a frame', async (t) => {
  const text = `data: ${JSON.stringify(SESSION)}\n\r\ndata:{"type":"assistant:text",\rdata: "text":"x"}\r\n\ndata: ${JSON.stringify(DONE)}\r\r`;
  const expected = [SESSION, { type: 'assistant:text', text: 'x' }, DONE];
  assert.deepEqual(await eventsOf(t, text), expected);
});

test('a byte order mark, comments and heartbeats are no events', async (t) => {
  const text = `\uFEFF: hello\n\n${frame(SESSION)}:\n\n: ping\r\n\r\n${frame(DONE)}`;
  assert.deepEqual(await eventsOf(t, text), [SESSION, DONE]);
});

test('a frame’s name stands in for a type that its JSON lacks', async (t) => {
  assert.deepEqual(await eventsOf(t, 'event: done\ndata: {"text":"x"}\n\n'), [
    { type: 'done', text: 'x' },
  ]);
});

for (const [name, end] of [
  ['one line feed', '\n'],
  ['no line end at all', ''],
  ['one CR', '\r'],
]) {
  test(`the last event counts although ${name} follows it`, async (t) => {
    const events = await eventsOf(t, `${frame(SESSION)}data: ${JSON.stringify(DONE)}${end}`);
    assert.deepEqual(events, [SESSION, DONE]);
  });
}

test('a stream cut inside its last frame is truncated, and what came before is handed out', async (t) => {
  const text = frame(SESSION) + frame(DONE).slice(0, -8);
  const { events, error } = await eventsAndFault(t, stream(text));
  assert.deepEqual(events, [SESSION]);
  fault('frame-truncated', { retryable: true, offset: frame(SESSION).length })(error);
});

test('a stream that ends without an end of its turn is interrupted', async (t) => {
  const { events, error } = await eventsAndFault(t, stream(frame(SESSION), frame(TEXT)));
  assert.deepEqual(events, [SESSION, TEXT]);
  fault('stream-interrupted', { retryable: true })(error);
});

test('an empty stream is interrupted', async (t) => {
  const { events, error } = await eventsAndFault(t, stream());
  assert.deepEqual(events, []);
  fault('stream-interrupted')(error);
});

test('a connection that breaks is a network fault after the events that came', async (t) => {
  const { events, error } = await eventsAndFault(t, brokenStream(frame(SESSION)));
  assert.deepEqual(events, [SESSION]);
  fault('network', { retryable: true })(error);
});

test('a connection that breaks after the end of the turn is no fault', async (t) => {
  const { events, error } = await eventsAndFault(t, brokenStream(frame(SESSION), frame(DONE)));
  assert.deepEqual(events, [SESSION, DONE]);
  assert.equal(error, undefined);
});

test('what follows the end of the turn is not handed out', async (t) => {
  const events = await eventsOf(t, frame(SESSION) + frame(DONE) + frame(TEXT) + frame('{"x'));
  assert.deepEqual(events, [SESSION, DONE]);
});

test('a frame over the limit ends the stream after what came before it', async (t) => {
  const { url } = await startStandIn(
    t,
    stream(frame(SESSION), frame({ ...TEXT, text: 'x'.repeat(2000) }), frame(DONE)),
  );
  const events = streamMessage(url, 'a', 'hi', { limits: { maxFrameBytes: 1000 } });
  assert.deepEqual(await events.next(), { done: false, value: SESSION });
  await assert.rejects(events.next(), fault('frame-too-large', { retryable: false }));
  assert.deepEqual(await events.next(), { done: true, value: undefined });
});

test('bytes that are no UTF-8 become U+FFFD, a cut character never does', async (t) => {
  const [head, tail] = frame({ ...TEXT, text: '|' }).split('|');
  const events = await eventsOf(
    t,
    head,
    Uint8Array.of(0xe9, 0x82),
    Uint8Array.of(0xa3),
    tail,
    head,
    Uint8Array.of(0xff),
    tail,
    frame(DONE),
  );
  assert.deepEqual(
    events.map(({ text }) => text),
    ['那', '\uFFFD', DONE.text],
  );
});
