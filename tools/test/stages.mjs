import { buildDemo } from '../build/demo.mjs';
import { buildPackage } from '../build/package.mjs';
import { buildServer } from '../build/server.mjs';
import { inProject, listFiles } from '../project/paths.mjs';

/** The tests of all crates that run in a browser too. */
const BROWSER_TESTS = ['conformance_agentskit', 'conformance_sse', 'front_ends'];

const TEST_FILE = /\.test\.m?js$/;

function cargoTests({ toolchain }) {
  const args = ['test', '--workspace', '--all-features', '--no-fail-fast'];
  return [{ name: 'cargo test', program: 'cargo', args, env: toolchain.env }];
}

function wasmTests({ env, browser }) {
  const chrome = ['--headless', '--chrome', '--chromedriver', browser.chromedriver];
  const runs = [
    [chrome, 'sdk'],
    [['--node'], 'sdk', '--test', 'client_fetch_node'],
    [chrome, 'bindings'],
    [chrome, 'tests', ...BROWSER_TESTS.flatMap((name) => ['--test', name])],
  ];
  return runs.map(([host, crate, ...options]) => ({
    name: `wasm-pack test ${crate} (${host === chrome ? 'Chrome' : 'Node'})`,
    program: 'wasm-pack',
    args: ['test', ...host, '--mode', 'no-install', crate, ...options],
    env,
  }));
}

// Folders are searched here: whether `node --test` takes one depends on Node's version.
function nodeTests(folder, env, ...options) {
  const files = listFiles(inProject(folder), TEST_FILE);
  const args = ['--test', '--test-reporter=spec', ...options, ...files];
  return {
    name: `node --test ${folder}`,
    program: process.execPath,
    args,
    env,
    empty: files.length === 0,
  };
}

/** What the browser tests are told of this machine. */
function browserEnvironment({ env, browser }, server) {
  return {
    ...env,
    CHROME: browser.chrome,
    CHROMEDRIVER: browser.chromedriver,
    TURNWIRE_SERVER: server,
    TURNWIRE_UI: inProject('demo-leptos', 'dist'),
  };
}

/** The stages in the order in which they run; each resolves to the test runs that it consists of. */
export const STAGES = {
  tools: async ({ env }) => [nodeTests('tools', env)],
  rust: async (machine) => cargoTests(machine),
  wasm: async (machine) => wasmTests(machine),
  js: async (machine) => {
    await buildPackage(machine);
    const server = await buildServer(machine, { tests: true });
    return [nodeTests('tests/js', browserEnvironment(machine, server))];
  },
  e2e: async (machine) => {
    await buildDemo(machine);
    const server = await buildServer(machine, { tests: true });
    // One browser at a time: several on a small machine only wait for each other.
    return [nodeTests('tests/e2e', browserEnvironment(machine, server), '--test-concurrency=1')];
  },
};
