import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SseDecoder } from 'turnwire';
import { fault } from './faults.mjs';
import { VECTORS } from './sse-vectors.mjs';

// Longer streams pin size, not cuts; cutting them everywhere would take minutes.
const EVERY_CUT_UP_TO_BYTES = 1024;

/** What a strict decoder makes of these chunks. */
function decoded(chunks) {
  const decoder = new SseDecoder({ strict: true });
  const frames = chunks.flatMap((chunk) => decoder.push(chunk));
  frames.push(...decoder.finish());
  const { lastEventId, retryMs } = decoder;
  decoder.close();
  return { frames, end: { lastEventId, retryMs } };
}

const shown = (frames) => frames.map(({ event, data }) => ({ event, data }));

test('the set of vectors is whole', () => {
  assert.equal(VECTORS.length, 153);
});

test('every vector gives its frames, id and reconnection time', () => {
  for (const { id, bytes, frames, end } of VECTORS) {
    const found = decoded([bytes]);
    assert.deepEqual(shown(found.frames), frames, id);
    assert.deepEqual(found.end, end, id);
  }
});

test('every vector one byte at a time gives the same, and each frame its state', () => {
  for (const { id, bytes, frames, states, end } of VECTORS) {
    const decoder = new SseDecoder({ strict: true });
    const found = { frames: [], states: [] };
    for (const byte of bytes) {
      const [frame, ...more] = decoder.push(Uint8Array.of(byte));
      assert.deepEqual(more, [], id);
      if (frame === undefined) continue;
      found.frames.push(frame);
      found.states.push({ lastEventId: decoder.lastEventId, retryMs: decoder.retryMs });
    }
    assert.deepEqual(decoder.finish(), [], id);
    assert.deepEqual([shown(found.frames), found.states], [frames, states], id);
    const { lastEventId, retryMs } = decoder;
    assert.deepEqual({ lastEventId, retryMs }, end, id);
    decoder.close();
  }
});

test('every short vector at every cut gives the same, ids and offsets with it', () => {
  const short = VECTORS.filter(({ bytes }) => bytes.length <= EVERY_CUT_UP_TO_BYTES);
  assert.ok(short.length > 140, 'the limit leaves nearly all of them');
  for (const { id, bytes } of short) {
    const whole = decoded([bytes]);
    for (let cut = 1; cut < bytes.length; cut++) {
      const halves = [bytes.subarray(0, cut), bytes.subarray(cut)];
      assert.deepEqual(decoded(halves), whole, `${id} cut at ${cut}`);
    }
  }
});

test('a last frame without its blank line counts, unless the decoder is strict', () => {
  const text = 'data: one\n\nid: 7\ndata: two\n';
  const two = { event: 'message', data: 'two', id: '7', offset: 11 };
  for (const [strict, rest] of [
    [false, [two]],
    [undefined, [two]],
    [true, []],
  ]) {
    const decoder = new SseDecoder({ strict });
    assert.deepEqual(decoder.push(text), [{ event: 'message', data: 'one', offset: 0 }]);
    assert.deepEqual(decoder.finish(), rest);
    assert.deepEqual(decoder.finish(), []);
    decoder.close();
  }
});

test('offsets count bytes, not characters', () => {
  const decoder = new SseDecoder();
  const [, second] = decoder.push('data: 那🌍\n\ndata: x\n\n');
  assert.equal(second.offset, Buffer.byteLength('data: 那🌍\n\n'));
  decoder.close();
});

test('a string stands for its UTF-8 bytes, also half a pair', () => {
  const decoder = new SseDecoder();
  assert.deepEqual(decoder.push('data: \ud83d\n\n')[0].data, '\ufffd');
  decoder.close();
});

test('any Uint8Array is bytes, and a decoder keeps none of them', () => {
  const decoder = new SseDecoder();
  const chunk = new TextEncoder().encode('xxdata: abcxx');
  assert.deepEqual(decoder.push(chunk.subarray(2, -2)), []);
  chunk.fill(0);
  const shared = new Uint8Array(new SharedArrayBuffer(2)).fill(10);
  assert.equal(decoder.push(shared)[0].data, 'abc');
  decoder.close();
});

test('what is no chunk is refused', () => {
  const decoder = new SseDecoder();
  for (const chunk of [
    undefined,
    null,
    7,
    [1],
    {},
    new ArrayBuffer(1),
    new DataView(new ArrayBuffer(1)),
  ]) {
    assert.throws(() => decoder.push(chunk), fault('invalid-argument'));
  }
  decoder.close();
});

test('a frame over the limit is thrown once what came before it was handed out', () => {
  const decoder = new SseDecoder({ maxFrameBytes: 20 });
  const text = `data: one\n\ndata: ${'x'.repeat(30)}\n\ndata: two\n\n`;
  assert.deepEqual(shown(decoder.push(text)), [{ event: 'message', data: 'one' }]);
  const tooLarge = fault('frame-too-large', { retryable: false });
  assert.throws(() => decoder.push('data: three\n\n'), tooLarge);
  assert.throws(() => decoder.finish(), tooLarge);
  decoder.reset();
  assert.deepEqual(decoder.push('data: four\n\n')[0], {
    event: 'message',
    data: 'four',
    offset: 0,
  });
  decoder.close();
});

test('a stream without blank lines is given up at the limit', () => {
  const [limit, chunk] = [1 << 20, 'data: x\n'.repeat(8192)];
  const decoder = new SseDecoder({ maxFrameBytes: limit });
  let fed = 0;
  const feed = () => {
    while (fed <= limit + chunk.length) {
      fed += chunk.length;
      decoder.push(chunk);
    }
  };
  assert.throws(feed, fault('frame-too-large'));
  assert.ok(fed <= limit + chunk.length, `${fed} bytes went in`);
  decoder.close();
});

test('sizes that are none are refused, the rest is fitted', () => {
  for (const maxFrameBytes of [0, -1, Number.NaN, '9', null]) {
    assert.throws(() => new SseDecoder({ maxFrameBytes }), fault('invalid-argument'));
  }
  for (const maxFrameBytes of [Number.POSITIVE_INFINITY, 2 ** 40, 19.5, undefined]) {
    const decoder = new SseDecoder({ maxFrameBytes });
    assert.equal(decoder.push('data: one\n\n').length, 1);
    decoder.close();
  }
  assert.throws(() => new SseDecoder(7), fault('invalid-argument'));
});

test('reset starts over, as for a new stream', () => {
  const decoder = new SseDecoder();
  decoder.push('retry: 5\nid: 7\ndata: x\n\ndata: half');
  assert.deepEqual([decoder.lastEventId, decoder.retryMs], ['7', 5]);
  decoder.reset();
  assert.deepEqual(decoder.push('\uFEFFdata: y\n\n'), [{ event: 'message', data: 'y', offset: 3 }]);
  decoder.close();
});

for (const disposal of ['close', Symbol.dispose]) {
  test(`after ${String(disposal)} everything else throws`, () => {
    const decoder = new SseDecoder();
    decoder[disposal]();
    decoder[disposal]();
    for (const use of [
      () => decoder.push('x'),
      () => decoder.finish(),
      () => decoder.reset(),
      () => decoder.lastEventId,
      () => decoder.retryMs,
    ]) {
      assert.throws(use, fault('closed'));
    }
  });
}
