import { listChecks } from './check/checks.mjs';
import { stream } from './machine/command.mjs';
import { root } from './project/paths.mjs';
import { runMain } from './report/failure.mjs';
import { announce, formatDuration } from './report/step.mjs';
import { formatTable } from './report/table.mjs';
import { prepare } from './setup/prepare.mjs';

async function runCheck({ name, program, args, env }) {
  announce(name);
  const startedAt = Date.now();
  const code = await stream(program, args, { cwd: root, env: { ...process.env, ...env } });
  return { name, passed: code === 0, ms: Date.now() - startedAt };
}

await runMain(async () => {
  const machine = await prepare();
  const results = [];
  for (const check of listChecks(machine)) results.push(await runCheck(check));
  const rows = results.map(({ name, passed, ms }) => [
    name,
    passed ? 'ok' : 'FAILED',
    formatDuration(ms),
  ]);
  const failed = results.filter(({ passed }) => !passed).length;
  process.stdout.write(`\n${formatTable(['check', 'result', 'time'], rows)}\n`);
  process.stdout.write(`\n${results.length - failed} checks passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
});
