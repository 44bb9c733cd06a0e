import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeLoopEvent, LoopEventDecoder } from 'turnwire';
import { fault } from './faults.mjs';
import { VECTORS } from './sse-vectors.mjs';
import { DONE, frame, SESSION, TEXT } from './turns.mjs';

/** What a decoder makes of these chunks, and what it ends with. */
function decoded(...chunks) {
  const decoder = new LoopEventDecoder();
  const items = chunks.flatMap((chunk) => decoder.push(chunk));
  try {
    return { items: [...items, ...decoder.finish()].map(plain) };
  } catch (error) {
    return { items: items.map(plain), end: error.code };
  } finally {
    decoder.close();
  }
}

/** An item with its error's code in place of the error. */
function plain({ error, ...item }) {
  return error === undefined ? item : { ...item, error: error.code };
}

test('an event comes with its JSON, its place and the frame’s own id', () => {
  const text = '{ "type" : "later", "n": 1.50 }';
  const items = decoded(`${frame(SESSION)}id: 7\n${frame(text)}`).items;
  assert.deepEqual(items, [
    { event: SESSION, json: JSON.stringify(SESSION), offset: 0 },
    { event: { type: 'later', n: 1.5 }, json: text, offset: frame(SESSION).length, id: '7' },
  ]);
});

test('a turn is the same at every cut, damaged events in their place', () => {
  const damaged = ['{"type":"done"}', '{', '[1]'];
  const text = [SESSION, damaged[0], TEXT, damaged[1], damaged[2], DONE].map((event) =>
    frame(event),
  );
  const bytes = Buffer.from(text.join(''));
  const whole = decoded(bytes);
  assert.deepEqual(
    whole.items.map(({ error, event }) => error ?? event.type),
    ['session', 'invalid-event', 'assistant:text', 'invalid-json', 'invalid-event', 'done'],
  );
  assert.equal(whole.items[3].json, '{');
  for (let cut = 1; cut < bytes.length; cut++) {
    const halves = [bytes.subarray(0, cut), bytes.subarray(cut)];
    assert.deepEqual(decoded(...halves), whole, `cut at ${cut}`);
  }
  assert.deepEqual(decoded(...Array.from(bytes, (byte) => Uint8Array.of(byte))), whole);
});

test('the frames of every vector are events or damaged ones, in order', () => {
  for (const { id, bytes, frames } of VECTORS) {
    const { items } = decoded(bytes);
    assert.deepEqual(
      items.slice(0, frames.length).map(({ json }) => json),
      frames.map(({ data }) => data),
      id,
    );
    for (const { event, error } of items)
      assert.ok((event === undefined) !== (error === undefined), id);
  }
});

test('a stream that ends inside an event is truncated', () => {
  assert.deepEqual(decoded(frame(SESSION), 'data: {"type":"do').end, 'frame-truncated');
  const { items, end } = decoded(frame(SESSION), `data: ${JSON.stringify(DONE)}`);
  assert.deepEqual([items.at(-1).event, end], [DONE, undefined]);
});

test('a frame over the limit is thrown once what came before it was handed out', () => {
  const decoder = new LoopEventDecoder({ maxFrameBytes: 100 });
  const large = frame({ ...TEXT, text: 'x'.repeat(200) });
  assert.deepEqual(
    decoder.push(frame(SESSION) + large + frame(DONE)).map(plain),
    decoded(frame(SESSION)).items,
  );
  assert.throws(() => decoder.push(''), fault('frame-too-large'));
  decoder.reset();
  assert.deepEqual(decoder.push(frame(DONE))[0].event, DONE);
  decoder.close();
});

test('integers that JavaScript rounds come as they were written', () => {
  const [item] = decoded(frame('{"type":"later","n":12345678901234567890}')).items;
  assert.deepEqual(item.integers, ['12345678901234567890']);
  assert.equal('integers' in decoded(frame(DONE)).items[0], false);
});

test('after close everything else throws', () => {
  const decoder = new LoopEventDecoder();
  decoder.close();
  decoder.close();
  for (const use of [() => decoder.push('x'), () => decoder.finish(), () => decoder.reset()]) {
    assert.throws(use, fault('closed'));
  }
});

test('decodeLoopEvent gives what the text holds', () => {
  const text = '{"type":"assistant:text","text":"a\\ud83d","lang":"en"}';
  assert.deepEqual(decodeLoopEvent(text), { type: 'assistant:text', text: 'a\ud83d', lang: 'en' });
  assert.deepEqual(decodeLoopEvent('{"type":"later","x":null}'), { type: 'later', x: null });
});

for (const [text, code] of [
  ['{', 'invalid-json'],
  ['', 'invalid-json'],
  ['42', 'invalid-event'],
  ['{}', 'invalid-event'],
  ['{"type":7}', 'invalid-event'],
  ['{"type":"done"}', 'invalid-event'],
  [`{"type":"x","d":${'['.repeat(200)}${']'.repeat(200)}}`, 'nesting-too-deep'],
  [undefined, 'invalid-argument'],
  [{ type: 'done' }, 'invalid-argument'],
  ['{"type":"x\ud83d"}', 'invalid-argument'],
]) {
  test(`decodeLoopEvent refuses ${String(JSON.stringify(text)).slice(0, 30)} as ${code}`, () => {
    assert.throws(() => decodeLoopEvent(text), fault(code));
  });
}
