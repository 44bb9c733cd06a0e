import { existsSync } from 'node:fs';
import { inProject } from '../project/paths.mjs';
import { TARGET } from '../toolchain/sysroot.mjs';

const DENY = '-Dwarnings';
const WASM_CRATES = ['turnwire', 'turnwire-js', 'turnwire-demo', 'turnwire-tests'];
// No examples: they are native programs.
const WASM_TARGETS = ['--lib', '--bins', '--tests'];

// Debian's Rust comes without clippy and formatter, so these are always those on PATH.
function native() {
  return [
    { name: 'format', program: 'cargo', args: ['fmt', '--all', '--check'] },
    {
      name: 'clippy',
      program: 'cargo',
      args: ['clippy', '--workspace', '--all-targets', '--all-features', '--', DENY],
    },
    {
      name: 'docs',
      program: 'cargo',
      args: ['doc', '--workspace', '--all-features', '--no-deps'],
      env: { RUSTDOCFLAGS: DENY },
    },
  ];
}

/** What only exists on wasm32: under clippy where it has the target, else under the compiler alone. */
function wasm({ toolchain }) {
  const packages = WASM_CRATES.flatMap((name) => ['--package', name]);
  const target = [...packages, ...WASM_TARGETS, '--target', TARGET];
  if (toolchain.name === 'path') {
    return { name: 'clippy for wasm', program: 'cargo', args: ['clippy', ...target, '--', DENY] };
  }
  const env = { ...toolchain.env, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: DENY };
  return { name: 'warnings for wasm', program: 'cargo', args: ['check', ...target], env };
}

// Biome colours its output even where nobody sees it.
function colours() {
  return process.stdout.isTTY ? [] : ['--colors=off'];
}

function script() {
  const bin = (name) => inProject('node_modules', '.bin', name);
  const projects = [
    'tools/check/tsconfig.json',
    'bindings/tsconfig.json',
    'tests/js/tsconfig.json',
  ];
  return [
    {
      name: 'JS, TS and CSS',
      program: bin('biome'),
      args: ['ci', '--error-on-warnings', ...colours(), '.'],
    },
    ...projects
      .filter((path) => existsSync(inProject(path)))
      .map((path) => ({
        name: `types (${path})`,
        program: bin('tsc'),
        args: ['--noEmit', '-p', path],
      })),
  ];
}

/** Every check, in the order in which they run. */
export function listChecks(machine) {
  return [...script(), ...native(), wasm(machine)];
}
