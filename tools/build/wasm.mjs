import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, mustRun, stream } from '../machine/command.mjs';
import { root, targetFolder } from '../project/paths.mjs';
import { Failure } from '../report/failure.mjs';
import { announce, settle } from '../report/step.mjs';
import { TARGET } from '../toolchain/sysroot.mjs';

// What rustc's output uses, and every browser of the last years has.
const FEATURES = [
  'bulk-memory',
  'multivalue',
  'mutable-globals',
  'nontrapping-float-to-int',
  'reference-types',
  'sign-ext',
].map((name) => `--enable-${name}`);

const OPTIMISE = ['-Oz', ...FEATURES, '--strip-producers', '--strip-debug'];

/**
 * Compiles a crate to an optimised module with its JS glue, for the web.
 *
 * `crate` is `{ package, kind, artifact, outName }`: `kind` are cargo's arguments that pick the
 * library or the program, `artifact` is the file that cargo writes. Resolves to the folder of the
 * results, which stays as it is while cargo's output does not change.
 */
export async function buildWasm(crate, machine) {
  await compile(crate, machine);
  const input = join(targetFolder(), TARGET, 'wasm', crate.artifact);
  const output = join(targetFolder(), 'turnwire', crate.package);
  const stamp = await fingerprint(input, machine);
  if (!isUpToDate(output, stamp)) await finishModule(crate, machine, { input, output, stamp });
  return output;
}

async function compile({ package: name, kind }, { env }) {
  announce(`compile ${name} to wasm`);
  await mustRun(
    'cargo',
    ['build', '--package', name, ...kind, '--profile', 'wasm', '--target', TARGET],
    { cwd: root, env },
    `cargo could not compile ${name}: see its message above.`,
  );
}

async function fingerprint(input, { env }) {
  const bindgen = await capture('wasm-bindgen', ['--version'], { env });
  const hash = createHash('sha256').update(readFileSync(input)).update(bindgen.stdout);
  return hash.update(OPTIMISE.join(' ')).digest('hex');
}

function isUpToDate(output, stamp) {
  const path = join(output, '.stamp');
  return existsSync(path) && readFileSync(path, 'utf8') === stamp;
}

async function finishModule(crate, machine, { input, output, stamp }) {
  const startedAt = Date.now();
  announce(`bind and optimise ${crate.package}`);
  const staging = `${output}.new`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  await bind(crate, machine, input, staging);
  await optimise(join(staging, `${crate.outName}_bg.wasm`), machine);
  writeFileSync(join(staging, '.stamp'), stamp);
  rmSync(output, { recursive: true, force: true });
  renameSync(staging, output);
  settle(`bind and optimise ${crate.package}`, undefined, Date.now() - startedAt);
}

async function bind({ package: name, outName }, { env }, input, folder) {
  await mustRun(
    'wasm-bindgen',
    ['--target', 'web', '--out-name', outName, '--out-dir', folder, input],
    { cwd: root, env },
    `wasm-bindgen could not process ${name}: see its message above.`,
  );
}

async function optimise(module, { wasmOpt, env }) {
  const output = `${module}.opt`;
  const code = await stream(process.execPath, [wasmOpt, ...OPTIMISE, module, '-o', output], {
    env,
  });
  if (code !== 0)
    throw new Failure(`wasm-opt could not optimise ${module}: see its message above.`);
  renameSync(output, module);
}
