import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isComplete, listLibraries } from './sysroot.mjs';

test('a target needs the library for programs and the one for tests', () => {
  assert.equal(isComplete(['libcore-1.rlib', 'libstd-2.rlib', 'libtest-3.rlib']), true);
  assert.equal(isComplete(['libcore-1.rlib', 'libstd-2.rlib', 'libstd_detect-3.rlib']), false);
  assert.equal(isComplete(['libstd_detect-3.rlib', 'libtest-3.rlib']), false);
});

test('a folder that is not there has no libraries', () => {
  assert.deepEqual(listLibraries('/nonexistent/lib'), []);
});
