import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from './summary.mjs';

const run = (more) => ({
  name: 'a',
  passed: 2,
  failed: 0,
  skipped: 0,
  ms: 1500,
  note: '',
  ...more,
});

test('the last line counts all runs', () => {
  const { total, text } = summarise([run(), run({ name: 'b', failed: 1 })]);
  assert.equal(total.failed, 1);
  assert.match(text, /\n4 passed, 1 failed\n$/);
});

test('skipped tests are named only where there are some', () => {
  assert.match(summarise([run({ skipped: 3 })]).text, /\n2 passed, 0 failed, 3 skipped\n$/);
});

test('the table has a row for each run', () => {
  assert.match(summarise([run()]).text, /^a +2 +0 +0 +1\.5 s$/m);
});
