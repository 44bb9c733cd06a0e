import { join } from 'node:path';
import { findBrowser, installBrowser } from '../machine/browser.mjs';
import { withLock } from '../machine/cache.mjs';
import { withPath } from '../machine/command.mjs';
import { ensurePackages } from '../project/npm.mjs';
import { inProject, readProject } from '../project/paths.mjs';
import { lockedVersion } from '../project/versions.mjs';
import { ensureStep } from '../report/step.mjs';
import { ensureCargoTools } from '../toolchain/cargo-tool.mjs';
import { ensureToolchain } from '../toolchain/resolve.mjs';
import { checkPrerequisites } from './prerequisites.mjs';

const WASM_PACK = { crate: 'wasm-pack', version: '0.15.1', programs: ['wasm-pack'] };

function wasmBindgen() {
  return {
    crate: 'wasm-bindgen-cli',
    // The tool reads what the library wrote into the module: only equal versions understand each other.
    version: lockedVersion(readProject('Cargo.lock'), 'wasm-bindgen'),
    programs: ['wasm-bindgen', 'wasm-bindgen-test-runner'],
  };
}

function ensureBrowser() {
  const describe = (pair) => pair && { value: pair, detail: `already there, ${pair.chrome}` };
  const make = () =>
    withLock('browser', async () => ({ value: (await findBrowser()) ?? (await installBrowser()) }));
  return ensureStep('Chrome and ChromeDriver', async () => describe(await findBrowser()), make);
}

/**
 * Brings everything that the commands need and says where it is: `toolchain` (`{ name, env }`),
 * `env` (the environment for cargo, wasm-pack and wasm-bindgen), `wasmOpt` and `browser`.
 * `tests` asks for what only tests need: wasm-pack and a browser.
 */
export async function prepare({ tests = false } = {}) {
  await checkPrerequisites();
  await ensurePackages();
  const toolchain = await ensureToolchain();
  const tools = tests ? [wasmBindgen(), WASM_PACK] : [wasmBindgen()];
  const folders = await ensureCargoTools(tools, toolchain.env);
  return {
    toolchain,
    env: withPath(toolchain.env, ...folders),
    wasmOpt: inProject(join('node_modules', 'binaryen', 'bin', 'wasm-opt')),
    browser: tests ? await ensureBrowser() : undefined,
  };
}
