// The README's table of what survives what, against the tests that it is made of.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { collectSurvivals, survivalTable, withTable } from '../../tools/report/survival.mjs';

const README = new URL('../../README.md', import.meta.url);

test('the README’s table is made of the notes above the tests', () => {
  const text = readFileSync(README, 'utf8');
  const expected = withTable(text, survivalTable(collectSurvivals()));
  if (process.env.UPDATE_README) writeFileSync(README, expected);
  else assert.equal(text, expected, 'UPDATE_README=1 npm test -- js writes the table anew');
});
