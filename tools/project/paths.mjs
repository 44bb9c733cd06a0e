import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path inside the repository. */
export function inProject(...parts) {
  return join(root, ...parts);
}

/** The text of a file in the repository. */
export function readProject(...parts) {
  return readFileSync(inProject(...parts), 'utf8');
}

/** Cargo's output folder; the environment may move it. */
export function targetFolder(env = process.env) {
  return resolve(root, env.CARGO_TARGET_DIR || 'target');
}

/** Every file below `folder` whose name matches, sorted; nothing if there is no such folder. */
export function listFiles(folder, pattern) {
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => !path.includes('node_modules'))
    .sort();
}
