// The real server, on a free port and without pauses or files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const OPTIONS = ['serve', '--port', '0', '--data', ':memory:', '--step-delay-ms', '0'];

/** Starts a server that lives as long as the test `t`; resolves to its address. */
export async function startServer(t, ...options) {
  const program = process.env.TURNWIRE_SERVER;
  if (!program) throw new Error('TURNWIRE_SERVER is not set: run `npm test -- js`');
  const server = spawn(program, [...OPTIONS, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  const end = () => server.kill('SIGKILL');
  // A test program that breaks off does not come to its hooks.
  process.once('exit', end);
  t.after(async () => {
    process.off('exit', end);
    end();
    await ended;
  });
  return addressIn(server);
}

async function addressIn(server) {
  let log = '';
  server.stderr.on('data', (text) => {
    log += text;
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /listening on (http:\/\/\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      server.stdout.resume();
      return url;
    }
  }
  throw new Error(`the server ended before it listened: ${log}`);
}
