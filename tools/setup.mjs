import { runMain } from './report/failure.mjs';
import { prepare } from './setup/prepare.mjs';

await runMain(async () => {
  await prepare({ tests: true });
});
