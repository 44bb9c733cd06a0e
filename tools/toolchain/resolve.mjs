import { withLock } from '../machine/cache.mjs';
import { Failure } from '../report/failure.mjs';
import { ensureStep } from '../report/step.mjs';
import { chooseToolchain } from './choose.mjs';
import {
  debianEnvironment,
  debianHasTarget,
  debianMayInstall,
  installDebian,
  SENTENCE,
} from './debian.mjs';
import { addTarget, mayAddTarget } from './rustup.mjs';
import { hasTarget, TARGET } from './sysroot.mjs';

async function probe() {
  return {
    wanted: process.env.TURNWIRE_RUST,
    pathHasTarget: await hasTarget('rustc'),
    rustupMayAdd: await mayAddTarget(),
    debianHasTarget: await debianHasTarget(),
    debianMayInstall: await debianMayInstall(),
  };
}

const READY = {
  path: () => ({ name: 'path', env: { ...process.env } }),
  debian: () => ({ name: 'debian', env: debianEnvironment() }),
};

async function findToolchain() {
  const choice = chooseToolchain(await probe());
  if (!(choice in READY)) return undefined;
  const value = READY[choice]();
  return { value, detail: choice === 'debian' ? "already there, in Debian's Rust" : undefined };
}

/** Climbs the ladder: each pass makes one step possible or rules it out. */
async function makeToolchain() {
  for (let pass = 0; pass < 3; pass += 1) {
    const choice = chooseToolchain(await probe());
    if (choice in READY) return { value: READY[choice]() };
    if (choice === 'rustup') await addTarget();
    if (choice === 'debian-install') await installDebian();
    if (choice === 'none') break;
  }
  throw new Failure(SENTENCE);
}

/**
 * Finds or makes a Rust that compiles to wasm32, as `{ name, env }`; `env` makes `cargo` be that
 * Rust's. `TURNWIRE_RUST=path` or `=debian` chooses one instead of taking what fits best.
 */
export function ensureToolchain() {
  return ensureStep(`Rust target ${TARGET}`, findToolchain, () =>
    withLock('rust-target', makeToolchain),
  );
}
