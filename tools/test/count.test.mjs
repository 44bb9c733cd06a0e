import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTests, judgeRun } from './count.mjs';

const CARGO = `running 3 tests
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
   Doc-tests turnwire
test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s
`;

test('the results of all of cargo’s binaries are added up', () => {
  assert.deepEqual(countTests(CARGO), { passed: 5, failed: 1, skipped: 1 });
});

test('wasm-bindgen’s result line counts as cargo’s does', () => {
  const line =
    'test result: ok. 7 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.02s\n';
  assert.deepEqual(countTests(line), { passed: 7, failed: 0, skipped: 0 });
});

test('Node’s summary counts in both of its forms, cancelled tests as failed', () => {
  for (const sign of ['#', 'ℹ']) {
    const lines = ['tests 9', 'suites 2', 'pass 4', 'fail 1', 'cancelled 1', 'skipped 2', 'todo 1'];
    const text = lines.map((line) => `${sign} ${line}\n`).join('');
    assert.deepEqual(countTests(text), { passed: 4, failed: 2, skipped: 3 });
  }
});

test('colours do not hide a result', () => {
  const line = 'test result: \u001b[32mok\u001b[0m. 1 passed; 0 failed; 0 ignored\n';
  assert.equal(countTests(line).passed, 1);
  assert.equal(countTests('\u001b[34mℹ pass 2\u001b[39m\n').passed, 2);
});

test('what tests print themselves does not count', () => {
  assert.equal(countTests('  said: test result: ok. 9 passed; 0 failed; 0 ignored\n').passed, 0);
});

test('a run that broke off is a failure although no test failed', () => {
  const run = judgeRun(101, 'error[E0425]: cannot find value\n');
  assert.equal(run.failed, 1);
  assert.equal(run.note, 'ended with code 101');
});

test('a run without tests is a failure', () => {
  const line = 'test result: ok. 0 passed; 0 failed; 0 ignored\n';
  assert.deepEqual(judgeRun(0, line), { passed: 0, failed: 1, skipped: 0, note: 'ran no test' });
});

test('failed tests are counted once, whatever the exit code', () => {
  assert.equal(judgeRun(101, CARGO).failed, 1);
});
