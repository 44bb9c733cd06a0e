import { tee } from '../machine/command.mjs';
import { root } from '../project/paths.mjs';
import { Failure } from '../report/failure.mjs';
import { announce } from '../report/step.mjs';
import { judgeRun } from './count.mjs';
import { STAGES } from './stages.mjs';

/** The stages that were asked for; all if none was. */
export function chooseStages(names) {
  const known = Object.keys(STAGES);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Failure(`There are no tests called "${unknown}": choose among ${known.join(', ')}.`);
  return names.length === 0 ? known : known.filter((name) => names.includes(name));
}

// Its tests' output is read here, not by a terminal, so colours have to be asked for.
function colours() {
  return process.stdout.isTTY ? { CARGO_TERM_COLOR: 'always', FORCE_COLOR: '1' } : {};
}

async function runTests({ name, program, args, env, empty }) {
  const startedAt = Date.now();
  if (empty) return { name, ...judgeRun(0, ''), ms: 0 };
  announce(name);
  const { code, text } = await tee(program, args, { cwd: root, env: { ...env, ...colours() } });
  return { name, ...judgeRun(code, text), ms: Date.now() - startedAt };
}

/** Runs one stage; what keeps it from running is a failure of the stage, not of the whole. */
export async function runStage(name, machine) {
  const startedAt = Date.now();
  const runs = [];
  try {
    for (const tests of await STAGES[name](machine)) runs.push(await runTests(tests));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`${error.message}\n`);
    const note = 'could not be built';
    runs.push({ name, passed: 0, failed: 1, skipped: 0, note, ms: Date.now() - startedAt });
  }
  return runs;
}
