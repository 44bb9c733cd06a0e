import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { cached } from '../machine/cache.mjs';
import { capture, findProgram } from '../machine/command.mjs';
import { reportedVersion } from '../project/versions.mjs';
import { hasTarget, TARGET } from './sysroot.mjs';

const LIMIT_MS = 90_000;
const REMEMBER_MS = 7 * 24 * 3600 * 1000;

async function failureNote() {
  const version = reportedVersion((await capture('rustc', ['--version'])).stdout) ?? 'unknown';
  return cached(`rustup-could-not-add-${TARGET}-to-${version}`);
}

/** Whether rustup is here and did not fail at this within the last week. */
export async function mayAddTarget() {
  if (!findProgram('rustup')) return false;
  const note = await failureNote();
  return !existsSync(note) || Date.now() - statSync(note).mtimeMs > REMEMBER_MS;
}

/** Lets rustup add the target; a failure is remembered, so that an offline machine waits once. */
export async function addTarget() {
  const { code } = await capture('rustup', ['target', 'add', TARGET], {
    timeoutMs: LIMIT_MS,
    env: { ...process.env, RUSTUP_MAX_RETRIES: '1' },
  });
  if (code === 0 && (await hasTarget('rustc'))) return true;
  mkdirSync(cached(), { recursive: true });
  writeFileSync(await failureNote(), '');
  return false;
}
