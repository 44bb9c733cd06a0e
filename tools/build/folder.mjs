import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';

/**
 * Fills a folder anew: `fill` writes into a fresh one, which then takes the old one's place, so that
 * nothing stale stays and a failed build leaves the old one whole.
 */
export async function replaceFolder(folder, fill) {
  const staging = `${folder}.new`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  await fill(staging);
  rmSync(folder, { recursive: true, force: true });
  renameSync(staging, folder);
}

/** Copies what is in one folder into another; a missing source is no error. */
export function copyInto(from, to, accept = () => true) {
  if (!existsSync(from)) return;
  cpSync(from, to, { recursive: true, filter: accept });
}
