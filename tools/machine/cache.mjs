import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The folder that keeps installed tools, so that the next clone finds them. */
export function cacheFolder(env = process.env) {
  if (env.TURNWIRE_CACHE) return env.TURNWIRE_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'turnwire');
}

/** A path inside the cache. */
export function cached(...parts) {
  return join(cacheFolder(), ...parts);
}

/** Runs `work` while no other set-up of this user does the same work. */
export async function withLock(name, work) {
  const folder = cached('locks', name);
  mkdirSync(cached('locks'), { recursive: true });
  await acquire(folder, name);
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function acquire(folder, name) {
  let announced = false;
  while (!tryAcquire(folder)) {
    if (!announced) process.stdout.write(`… waiting for another set-up (${name})\n`);
    announced = true;
    await sleep(500);
  }
}

function tryAcquire(folder) {
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isStale(folder)) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

// A lock whose owner was killed would otherwise block every later set-up.
function isStale(folder) {
  try {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
