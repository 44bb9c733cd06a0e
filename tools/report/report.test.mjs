import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration } from './step.mjs';
import { formatTable } from './table.mjs';

test('durations read as seconds and, from a minute on, as minutes', () => {
  assert.equal(formatDuration(1234), '1.2 s');
  assert.equal(formatDuration(83_000), '1 min 23 s');
});

test('a table has its first column left and the others right', () => {
  const table = formatTable(
    ['file', 'raw'],
    [
      ['a.wasm', 12],
      ['b', 3456],
    ],
  );
  assert.equal(table, 'file     raw\na.wasm    12\nb       3456');
});
