import { runMain } from './report/failure.mjs';
import { prepare } from './setup/prepare.mjs';
import { chooseStages, runStage } from './test/run.mjs';
import { summarise } from './test/summary.mjs';

await runMain(async (args) => {
  const stages = chooseStages(args);
  const machine = await prepare({ tests: true });
  const runs = [];
  for (const stage of stages) runs.push(...(await runStage(stage, machine)));
  const { total, text } = summarise(runs);
  process.stdout.write(text);
  return total.failed === 0 ? 0 : 1;
});
