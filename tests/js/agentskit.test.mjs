import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as agentskit from 'turnwire/agentskit';
import { isRight, runVector, VECTORS } from './agentskit-vectors.mjs';
import { openPage, startBrowser } from './browser.mjs';
import { serveDist } from './dist-server.mjs';

let browser;
before(async (t) => {
  browser = await startBrowser(t);
});

/** The ids of the vectors whose results are not the right ones. */
function wrongOnes(results) {
  return VECTORS.filter((vector, index) => !isRight(vector, results[index])).map(({ id }) => id);
}

test('the set of vectors is whole', () => {
  assert.equal(VECTORS.length, 464);
  assert.ok(VECTORS.filter(({ text }) => text !== undefined).length <= 5);
});

for (const form of ['value', 'text']) {
  test(`every vector gives the bytes of the original, given as ${form}`, () => {
    const results = VECTORS.map((vector) => runVector(agentskit, vector, form));
    assert.deepEqual(wrongOnes(results), []);
  });
}

test('every vector gives the same in a page', async (t) => {
  const page = await openPage(browser, t, await serveDist(t));
  const run = async ({ vectors, source }) => {
    const agentskit = await import('/agentskit-browser.js');
    const runVector = new Function(`return ${source}`)();
    return vectors.map((vector) => runVector(agentskit, vector, 'value'));
  };
  // What a page is handed must be text without lone surrogates.
  const vectors = VECTORS.map(({ fn, input }) => ({ fn, input }));
  const text = JSON.stringify(vectors);
  const results = await page.evaluate(
    async ({ text, source, run }) =>
      new Function(`return ${run}`)()({ vectors: JSON.parse(text), source }),
    { text, source: runVector.toString(), run: run.toString() },
  );
  assert.deepEqual(wrongOnes(results), []);
});

const CONTENTS = VECTORS.filter(
  ({ fn, input }) => fn === 'decodeAssistantContent' && typeof input === 'string' && input !== '',
);

test('content taken in chunks stands where the whole decoder stands, at every cut', () => {
  for (const { id, input } of CONTENTS.filter(({ input }) => input.length < 1000)) {
    const whole = agentskit.decodeAssistantContent(input);
    for (let cut = 0; cut <= input.length; cut += 1) {
      const decoder = new agentskit.AssistantContentDecoder();
      const parts = [input.slice(0, cut), input.slice(cut)].flatMap((chunk) => decoder.push(chunk));
      const { failure, complete } = decoder;
      if (whole.ok) assert.deepEqual({ ok: true, parts, complete }, whole, `${id} at ${cut}`);
      else assert.deepEqual(failure?.diagnostic, whole.diagnostic, `${id} at ${cut}`);
      decoder.close();
    }
  }
});

test('a decoder can keep what is sound, starts over, and says so once it is closed', () => {
  const { ASSISTANT_CONTENT_PREFIX: prefix, AssistantContentDecoder } = agentskit;
  const decoder = new AssistantContentDecoder({ keepSoundRecords: true });
  const part = { kind: 'text', text: '😀' };
  const bytes = new TextEncoder().encode(`${prefix}${JSON.stringify(part)}\n\n`);
  assert.deepEqual(decoder.push(bytes), [part]);
  assert.deepEqual(decoder.parts, [part]);
  assert.equal(decoder.failure.record, 1);
  assert.equal(decoder.failure.diagnostic.code, 'ASSISTANT_CONTENT_INVALID_RECORD');
  decoder.reset();
  assert.equal(decoder.failure, undefined);
  assert.deepEqual(decoder.parts, []);
  assert.throws(() => decoder.push(1), { code: 'invalid-argument' });
  decoder.close();
  decoder.close();
  for (const use of [() => decoder.push(''), () => decoder.parts, () => decoder.complete]) {
    assert.throws(use, { code: 'closed' });
  }
});

test('a renderer is told which decoder a content is for', () => {
  const { whichContent } = agentskit;
  assert.equal(whichContent('\u001e'), 'content');
  assert.equal(whichContent('{"protocol":"agentskit.chat.component","version":9}'), 'component');
  assert.equal(whichContent('{"protocol":"agentskit.chat.turn"}'), 'text');
  assert.throws(() => whichContent(undefined), { code: 'invalid-argument' });
});
