import { buildDemo } from './build/demo.mjs';
import { buildServer } from './build/server.mjs';
import { inProject } from './project/paths.mjs';
import { runMain } from './report/failure.mjs';
import { prepare } from './setup/prepare.mjs';
import { parsePort, reservePort } from './start/port.mjs';
import { serve } from './start/serve.mjs';

const HOST = '127.0.0.1';

await runMain(async (args) => {
  const port = await reservePort(parsePort(process.env.PORT), HOST);
  const machine = await prepare();
  await buildDemo(machine);
  const server = await buildServer(machine);
  const url = `http://${HOST}:${port}`;
  const own = ['serve', '--port', String(port), '--ui', inProject('demo-leptos', 'dist')];
  return serve(server, [...own, ...args], {
    healthUrl: `${url}/healthz`,
    onReady: () => process.stdout.write(`\nTurnwire is ready (Ctrl-C stops it):\n${url}\n`),
  });
});
