// JSON as the wasm side reads and prints it, against the engine's own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeComponentFrame, decodeTurnEvent } from 'turnwire/agentskit';

const SEED = 20260811;

/** Numbers from 0 to 2^32 − 1, the same in every run. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

const random = randomOf(SEED);
const below = (limit) => random() % limit;
const oneOf = (choices) => choices[below(choices.length)];
const many = (limit, make) => Array.from({ length: below(limit) }, make);

function frameText(props) {
  return `{"protocol":"agentskit.chat.component","version":1,"type":"render","componentKey":"k",
    "instanceId":"i","props":${props},"fallback":{"kind":"k","summary":"s"}}`;
}

function propsOf(json) {
  const result = decodeComponentFrame(frameText(json));
  assert.ok(result.ok, `seed ${SEED}: ${json}`);
  return JSON.stringify(result.frame.props);
}

const bits = new DataView(new ArrayBuffer(8));

/** Any finite double. */
function double() {
  bits.setUint32(0, random());
  bits.setUint32(4, random());
  const number = bits.getFloat64(0);
  return Number.isFinite(number) ? number : double();
}

const digits = (limit) => many(limit, () => below(10)).join('');

const literal = () =>
  oneOf([
    () => String(double()),
    () => double().toExponential(below(21)),
    () => `${1 + below(9)}${digits(30)}`,
    () => `-${below(10)}.${below(10)}${digits(30)}`,
    () => `${1 + below(9)}.${below(10)}${digits(20)}e${oneOf(['', '+', '-'])}${below(290)}`,
    () => `0.${'0'.repeat(below(12))}${1 + below(9)}${digits(20)}`,
  ])();

const character = () =>
  oneOf([
    () => String.fromCharCode(below(0x80)),
    () => String.fromCharCode(below(0x10000)),
    () => String.fromCodePoint(0x10000 + below(0x10000)),
    () => oneOf(['"', '\\', '/', '\n', '\u2028', '\ud800', '\udc00']),
  ])();

const string = () => many(6, character).join('');

function value(depth) {
  if (depth === 0 || below(3) === 0) {
    return oneOf([() => null, () => true, double, () => below(1000), string])();
  }
  if (below(2) === 0) return many(5, () => value(depth - 1));
  const key = () => oneOf([string, () => String(below(50)), () => `0${below(9)}`])();
  return Object.fromEntries(many(6, () => [key(), value(depth - 1)]));
}

test('numbers are read and printed as the engine does', () => {
  for (let run = 0; run < 400; run += 1) {
    const json = `[${Array.from({ length: 100 }, literal).join(',')}]`;
    assert.equal(propsOf(json), JSON.stringify(JSON.parse(json)), `seed ${SEED}`);
  }
});

test('values of any shape are printed as the engine does', () => {
  for (let run = 0; run < 4000; run += 1) {
    const json = JSON.stringify(value(5));
    // Props hold at most 1000 values.
    if (json.length > 2000) continue;
    assert.equal(propsOf(json), JSON.stringify(JSON.parse(json)), `seed ${SEED}`);
  }
});

test('what the engine takes for JSON is JSON, and nothing else', () => {
  const pieces = [
    ...'[]{}:,"\\ \t\n\r\f019-+.eEtfn',
    'true',
    'null',
    '\\u00',
    '\\ud83d',
    '1e5',
    '"a":',
  ];
  const outcomes = { true: 0, false: 0 };
  for (let run = 0; run < 20000; run += 1) {
    const sound = JSON.stringify(value(2));
    const at = below(sound.length + 1);
    const text = sound.slice(0, at) + oneOf(pieces) + sound.slice(at + below(2));
    const isJson = decodeTurnEvent(text).diagnostic?.message !== 'Turn event is not valid JSON.';
    assert.equal(isJson, isJsonToEngine(text), `seed ${SEED}: ${JSON.stringify(text)}`);
    outcomes[isJson] += 1;
  }
  assert.ok(Math.min(outcomes.true, outcomes.false) > 2000, JSON.stringify(outcomes));
});

function isJsonToEngine(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
