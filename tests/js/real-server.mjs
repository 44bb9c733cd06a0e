// The real server, without pauses unless they are asked for.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts a server that lives as long as the test `t`; resolves to its address. */
export async function startServer(t, ...options) {
  const { url } = await runServer(t, { options });
  return url;
}

/**
 * Starts a server that lives as long as the test `t`, unless `kill` ends it before; resolves to its
 * `url`, its `port` and `kill`. What it stores is in memory, or in the folder `data`; before each step
 * of a turn it pauses so long.
 */
export async function runServer(
  t,
  { port = 0, data = ':memory:', stepDelayMs = 0, options = [] } = {},
) {
  const program = process.env.TURNWIRE_SERVER;
  if (!program) throw new Error('TURNWIRE_SERVER is not set: run `npm test -- js`');
  const place = ['--port', String(port), '--data', data];
  const args = ['serve', ...place, '--step-delay-ms', String(stepDelayMs), ...options];
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  const end = () => server.kill('SIGKILL');
  const kill = async () => {
    process.off('exit', end);
    end();
    await ended;
  };
  // A test program that breaks off does not come to its hooks.
  process.once('exit', end);
  t.after(kill);
  const url = await addressIn(server);
  return { url, port: Number(new URL(url).port), kill };
}

/** An empty folder that is there as long as the test `t`. */
export function folderFor(t) {
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
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
