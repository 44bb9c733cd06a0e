import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cached, withLock } from '../machine/cache.mjs';
import { capture, findProgram, isExecutable, mustRun } from '../machine/command.mjs';
import { reportedVersion } from '../project/versions.mjs';
import { ensureStep } from '../report/step.mjs';

// A tool runs for seconds and compiles for minutes, so it is compiled fast rather than to be fast.
const REMOVE = { recursive: true, force: true };
const LOCK = 'cargo-tool';

const PROFILE = { CARGO_PROFILE_RELEASE_OPT_LEVEL: '1', CARGO_PROFILE_RELEASE_LTO: 'off' };

/** The folder of a tool that is on PATH in exactly the wanted version. */
async function findOnPath({ programs, version }) {
  const path = findProgram(programs[0]);
  if (!path) return undefined;
  const folder = dirname(path);
  if (!programs.every((name) => isExecutable(join(folder, name)))) return undefined;
  return reportedVersion((await capture(path, ['--version'])).stdout) === version
    ? folder
    : undefined;
}

async function find(tool) {
  const own = cached(`${tool.crate}-${tool.version}`, 'bin');
  if (tool.programs.every((name) => isExecutable(join(own, name)))) return { value: own };
  const value = await findOnPath(tool);
  return value && { value };
}

async function install({ crate, version }, env) {
  const final = cached(`${crate}-${version}`);
  const staging = `${final}.${process.pid}`;
  mkdirSync(cached(), { recursive: true });
  // Not `--locked`: the tool's own lock file may name versions that a registry mirror lacks.
  await mustRun(
    'cargo',
    [
      'install',
      crate,
      '--version',
      `=${version}`,
      '--root',
      staging,
      '--target-dir',
      cached('compile'),
    ],
    { cwd: cached(), env: { ...env, ...PROFILE } },
    `cargo could not install ${crate} ${version}: see its message above.`,
  );
  rmSync(final, REMOVE);
  renameSync(staging, final);
  return { value: join(final, 'bin') };
}

/**
 * Installs programs from crates, each in exactly one version; resolves to the folders they are in.
 * What they have in common is compiled once and not kept.
 */
export async function ensureCargoTools(tools, env) {
  const folders = [];
  let installed = false;
  for (const tool of tools) {
    const make = async () => {
      installed = true;
      return withLock(LOCK, async () => (await find(tool)) ?? install(tool, env));
    };
    folders.push(await ensureStep(`${tool.crate} ${tool.version}`, () => find(tool), make));
  }
  if (installed) await withLock(LOCK, () => rmSync(cached('compile'), REMOVE));
  return folders;
}
