import { buildDemo } from './build/demo.mjs';
import { buildPackage } from './build/package.mjs';
import { runMain } from './report/failure.mjs';
import { prepare } from './setup/prepare.mjs';

await runMain(async () => {
  const machine = await prepare();
  await buildPackage(machine);
  await buildDemo(machine);
});
