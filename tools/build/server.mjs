import { join } from 'node:path';
import { mustRun } from '../machine/command.mjs';
import { root, targetFolder } from '../project/paths.mjs';
import { announce } from '../report/step.mjs';

const ALONE = ['--package', 'turnwire-server', '--bin', 'turnwire-server'];
// Selects what `cargo test` selects, so that its compiled dependencies are used again: a smaller
// selection turns on fewer of their features and compiles most of them a second time.
const WITH_TESTS = ['--workspace', '--all-features', '--bins', '--tests'];

/** Builds the server with the development profile, which compiles fastest; resolves to its path. */
export async function buildServer({ toolchain }, { tests = false } = {}) {
  announce('compile turnwire-server');
  await mustRun(
    'cargo',
    ['build', ...(tests ? WITH_TESTS : ALONE)],
    { cwd: root, env: toolchain.env },
    'cargo could not compile turnwire-server: see its message above.',
  );
  return join(targetFolder(), 'debug', 'turnwire-server');
}
