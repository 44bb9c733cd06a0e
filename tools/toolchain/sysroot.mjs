import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../machine/command.mjs';

/** The one target that everything in a browser is compiled for. */
export const TARGET = 'wasm32-unknown-unknown';

/** Where a compiler keeps the target's libraries, or `undefined` if there is no such compiler. */
export async function targetLibraries(rustc) {
  const { code, stdout } = await capture(rustc, ['--print', 'sysroot']);
  return code === 0 ? join(stdout.trim(), 'lib', 'rustlib', TARGET, 'lib') : undefined;
}

/** The libraries that are in a folder; none if there is no such folder. */
export function listLibraries(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.rlib'));
  } catch {
    return [];
  }
}

/** Whether a folder has what programs and their tests link to. */
export function isComplete(libraries) {
  return ['libstd-', 'libtest-'].every((prefix) =>
    libraries.some((name) => name.startsWith(prefix)),
  );
}

/** Whether a compiler has the target's standard library. */
export async function hasTarget(rustc) {
  const folder = await targetLibraries(rustc);
  return folder !== undefined && isComplete(listLibraries(folder));
}
