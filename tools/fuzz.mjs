import { readdirSync } from 'node:fs';
import { capture, mustRun, withPath } from './machine/command.mjs';
import { inProject, root } from './project/paths.mjs';
import { Failure, runMain } from './report/failure.mjs';
import { announce } from './report/step.mjs';
import { checkPrerequisites } from './setup/prerequisites.mjs';
import { ensureCargoTools } from './toolchain/cargo-tool.mjs';

const CARGO_FUZZ = { crate: 'cargo-fuzz', version: '0.13.2', programs: ['cargo-fuzz'] };
const SECONDS = 60;

/** The targets that were asked for; all if none was. */
function chooseTargets(names) {
  const files = readdirSync(inProject('tests', 'fuzz', 'fuzz_targets'));
  const known = files.map((file) => file.replace(/\.rs$/, '')).sort();
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Failure(`There is no fuzz target "${unknown}": choose among ${known.join(', ')}.`);
  return names.length === 0 ? known : names;
}

await runMain(async (args) => {
  const targets = chooseTargets(args);
  await checkPrerequisites();
  const { code } = await capture('cargo', ['+nightly', '--version']);
  if (code !== 0)
    throw new Failure('Fuzzing needs a nightly Rust: run `rustup toolchain install nightly`.');
  const env = withPath(process.env, ...(await ensureCargoTools([CARGO_FUZZ], process.env)));
  for (const target of targets) {
    announce(`fuzz ${target} for ${SECONDS} s`);
    const options = ['--fuzz-dir', 'tests/fuzz', target, '--', `-max_total_time=${SECONDS}`];
    await mustRun(
      'cargo',
      ['+nightly', 'fuzz', 'run', ...options],
      { cwd: root, env },
      `The target ${target} failed: the input stands in tests/fuzz/artifacts/${target}/.`,
    );
  }
  return 0;
});
