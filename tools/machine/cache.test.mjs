import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cacheFolder, withLock } from './cache.mjs';

const folder = mkdtempSync(join(tmpdir(), 'turnwire-cache-'));
before(() => {
  process.env.TURNWIRE_CACHE = folder;
});
after(() => rmSync(folder, { recursive: true }));

test('the cache is where the environment says, the nearest name first', () => {
  assert.equal(cacheFolder({ TURNWIRE_CACHE: '/a', XDG_CACHE_HOME: '/b' }), '/a');
  assert.equal(cacheFolder({ XDG_CACHE_HOME: '/b' }), '/b/turnwire');
  assert.match(cacheFolder({}), /\.cache\/turnwire$/);
});

test('two pieces of work under one lock never overlap', async () => {
  const seen = [];
  const work = (name) => async () => {
    seen.push(`${name} starts`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    seen.push(`${name} ends`);
  };
  await Promise.all([withLock('one', work('a')), withLock('one', work('b'))]);
  assert.deepEqual(seen, ['a starts', 'a ends', 'b starts', 'b ends']);
});

test('a lock is given back when the work fails', async () => {
  await assert.rejects(withLock('two', () => Promise.reject(new Error('no'))));
  assert.equal(existsSync(join(folder, 'locks', 'two')), false);
});

test('the lock of a process that is gone is taken over', async () => {
  mkdirSync(join(folder, 'locks', 'three'), { recursive: true });
  writeFileSync(join(folder, 'locks', 'three', 'pid'), '999999999');
  assert.equal(await withLock('three', () => 'done'), 'done');
});
