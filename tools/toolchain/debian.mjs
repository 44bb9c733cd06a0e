import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { canInstallPackages, installPackages, rootPrefix, streamAsRoot } from '../machine/apt.mjs';
import { cached } from '../machine/cache.mjs';
import { capture, isExecutable, mustRun, withPath } from '../machine/command.mjs';
import { readProject } from '../project/paths.mjs';
import { isAtLeast, reportedVersion, requiredRust } from '../project/versions.mjs';
import { Failure } from '../report/failure.mjs';
import { isComplete, listLibraries, TARGET, targetLibraries } from './sysroot.mjs';

const PROGRAMS = ['cargo', 'rustc', 'rustdoc'];
const RUSTC = '/usr/bin/rustc';
const PACKAGES = ['rustc-web', 'cargo-web', 'rust-web-src', 'rust-web-llvm'];
const STAMP = 'turnwire-std';
const LINKER = '/usr/bin/rust-lld';

/** What to say where there is no way to a Rust that compiles to wasm32. */
export const SENTENCE =
  `Turnwire needs Rust's ${TARGET} target: run \`rustup target add ${TARGET}\`, or, on Debian, ` +
  `as root: apt-get install ${PACKAGES.join(' ')}`;

async function rustcVersion() {
  return (await capture(RUSTC, ['-vV'])).stdout;
}

/** The package that the compiler's linker is in: Debian only links to it, by the package's name. */
function linkerPackages() {
  if (isExecutable(LINKER)) return [];
  try {
    return [basename(readlinkSync(LINKER))];
  } catch {
    return ['lld'];
  }
}

async function isRecentEnough() {
  const version = reportedVersion(await rustcVersion());
  return version !== undefined && isAtLeast(version, requiredRust(readProject('Cargo.toml')));
}

/** Whether Debian's Rust is here, complete and with the target. */
export async function debianHasTarget() {
  const programs = [RUSTC, '/usr/bin/cargo', LINKER];
  if (!programs.every(isExecutable) || !(await isRecentEnough())) return false;
  return hasCurrentLibraries();
}

/**
 * Whether the libraries fit the compiler. Those that this set-up built carry a stamp: after an
 * upgrade of the compiler they no longer fit and are built anew.
 */
async function hasCurrentLibraries() {
  const folder = await targetLibraries(RUSTC);
  if (!folder || !isComplete(listLibraries(folder))) return false;
  const stamp = join(folder, STAMP);
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') === (await rustcVersion());
}

/** Whether Debian's Rust can be brought here. */
export function debianMayInstall() {
  return canInstallPackages();
}

/** An environment in which `cargo` and `rustc` are Debian's, also for the programs it starts. */
export function debianEnvironment(env = process.env) {
  const folder = cached('debian-rust', 'bin');
  mkdirSync(folder, { recursive: true });
  for (const name of PROGRAMS) {
    const link = join(folder, name);
    if (!existsSync(link)) symlinkSync(join('/usr/bin', name), link);
  }
  return withPath(env, folder);
}

function writeEmptyCrate(folder) {
  const manifest = '[package]\nname = "turnwire-empty"\nedition = "2021"\n\n[workspace]\n';
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'Cargo.toml'), manifest);
  writeFileSync(join(folder, 'src', 'lib.rs'), '#![no_std]\n');
}

/** Compiles the standard library for the target; returns the folder of its libraries. */
async function buildStandardLibrary(folder) {
  writeEmptyCrate(folder);
  const target = join(folder, 'target');
  // Without bitcode a later link-time optimisation cannot read these libraries.
  const flags = {
    RUSTFLAGS: '-Cembed-bitcode=yes',
    RUSTC_BOOTSTRAP: '1',
    CARGO_TARGET_DIR: target,
  };
  await mustRun(
    'cargo',
    ['build', '-Zbuild-std=std,panic_abort,test', '--release', '--target', TARGET],
    { cwd: folder, env: { ...debianEnvironment(), ...flags } },
    `Rust's standard library could not be compiled for ${TARGET}: see cargo's message above.`,
  );
  return join(target, TARGET, 'release', 'deps');
}

/** Puts the libraries where the compiler looks for them, in place of those of an older compiler. */
async function installLibraries(from, stamp) {
  const to = await targetLibraries(RUSTC);
  const chosen = listLibraries(from).filter((name) => !name.startsWith('libturnwire_empty'));
  writeFileSync(stamp, await rustcVersion());
  const files = [...chosen.map((name) => join(from, name)), stamp];
  if ((await rootPrefix()) === undefined) {
    throw new Failure(
      `Root's rights are needed to write to ${to}: run \`sudo npm run setup\` once.`,
    );
  }
  await streamAsRoot('rm', ['-rf', to]);
  await streamAsRoot('mkdir', ['-p', to]);
  const code = await streamAsRoot('cp', [...files, to]);
  if (code !== 0) throw new Failure(`The wasm libraries could not be copied to ${to}.`);
}

/** Installs Debian's Rust and gives it the target. */
export async function installDebian() {
  if (!(await hasDebianParts())) await installPackages(PACKAGES, SENTENCE);
  const linker = linkerPackages();
  if (linker.length > 0) {
    const sentence = `Debian's Rust needs its linker; as root: apt-get install ${linker[0]}`;
    await installPackages(linker, sentence);
  }
  if (!(await hasCurrentLibraries())) await makeLibraries();
}

async function makeLibraries() {
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-std-'));
  try {
    const libraries = await buildStandardLibrary(folder);
    await installLibraries(libraries, join(folder, STAMP));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hasDebianParts() {
  const { code } = await capture('dpkg-query', ['-W', ...PACKAGES]);
  return code === 0 && (await isRecentEnough());
}
