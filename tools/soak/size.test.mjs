import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOpenFiles, filesNeeded, parseSize } from './size.mjs';

test('a soak has 1000 streams and 200 turns where nothing else is asked for', () => {
  assert.deepEqual(parseSize([]), { streams: 1000, turns: 200 });
  assert.deepEqual(parseSize(['--turns', '8']), { streams: 1000, turns: 8 });
  assert.deepEqual(parseSize(['--streams=40', '--turns=8']), { streams: 40, turns: 8 });
});

test('what is no size is a failure that says so', () => {
  for (const text of ['0', '-1', 'many', '1.5', '']) {
    const message = `--turns has to be a whole number from 1 on, not "${text}".`;
    assert.throws(() => parseSize([`--turns=${text}`]), { message });
  }
  assert.throws(() => parseSize(['--readers', '8']), /a soak takes --streams N and --turns N\.$/);
  assert.throws(() => parseSize(['--streams', '7', '--turns', '8']), /7 streams are too few for 8/);
});

test('more streams than a process may have files are refused in one sentence', async () => {
  await checkOpenFiles({ streams: 1, turns: 1 });
  const size = { streams: 9_999_999_999, turns: 1 };
  const told = new RegExp(`opens up to ${filesNeeded(size)} files a process, and the limit is`);
  await assert.rejects(checkOpenFiles(size), told);
});
