import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseStages } from './run.mjs';

test('all stages run where none is named', () => {
  assert.deepEqual(chooseStages([]), ['tools', 'rust', 'wasm', 'js', 'e2e']);
});

test('the named stages run in their usual order', () => {
  assert.deepEqual(chooseStages(['e2e', 'rust']), ['rust', 'e2e']);
});

test('a stage that does not exist is a failure that says which do', () => {
  assert.throws(() => chooseStages(['node']), /"node": choose among tools, rust/);
});
