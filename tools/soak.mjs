import { join } from 'node:path';
import { mustRun } from './machine/command.mjs';
import { root, targetFolder } from './project/paths.mjs';
import { Failure, runMain } from './report/failure.mjs';
import { announce } from './report/step.mjs';
import { checkPrerequisites } from './setup/prerequisites.mjs';
import { run, untilInterrupted, withServer } from './soak/processes.mjs';
import { checkOpenFiles, parseSize } from './soak/size.mjs';

const SERVER = ['--package', 'turnwire-server', '--bin', 'turnwire-server'];
const LOAD = ['--package', 'turnwire-tests', '--example', 'soak'];

async function build() {
  announce('compile the server and its load, optimised');
  await mustRun(
    'cargo',
    ['build', '--release', ...SERVER, ...LOAD],
    { cwd: root },
    'cargo could not compile them: see its message above.',
  );
  const folder = join(targetFolder(), 'release');
  return { server: join(folder, 'turnwire-server'), load: join(folder, 'examples', 'soak') };
}

await runMain(async (args) => {
  const size = parseSize(args);
  await checkOpenFiles(size);
  await checkPrerequisites();
  const { server, load } = await build();
  return untilInterrupted((signal) =>
    withServer(server, signal, async ({ address, pid }) => {
      announce(`${size.streams} streams of ${size.turns} turns at ${address}`);
      const code = await run(load, [address, pid, size.streams, size.turns].map(String), signal);
      if (code !== 0) throw new Failure('The soak failed: see its figures above.');
      return 0;
    }),
  );
});
