import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const EMBEDDED = fileURLToPath(new URL('../../server/agents/customer-service/', import.meta.url));

/**
 * Starts a server that serves the chatbox, and resolves once it listens: to its `url`, its `port`,
 * its `data` and `stop`. What it stores is in memory, in a new folder if it is to be `lasting`, or
 * where another server's `data` is. `settings` are lines for the `agent.toml` of its agent.
 */
export async function startServer(wanted = {}) {
  const { port = 0, stepDelayMs = 20, lasting = false, data, settings } = wanted;
  const { TURNWIRE_SERVER: program, TURNWIRE_UI: ui } = process.env;
  if (!program || !ui) throw new Error('run these tests with `npm test -- e2e`');
  const place = data ?? (lasting ? mkdtempSync(join(tmpdir(), 'turnwire-')) : ':memory:');
  const options = { '--port': port, '--step-delay-ms': stepDelayMs, '--data': place };
  const agents = settings && copyAgent(settings);
  if (agents) options['--agents'] = agents;
  const args = ['serve', '--ui', ui, ...Object.entries(options).flat().map(String)];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const url = await listening(child, exited);
  const stop = async () => {
    await end(child, exited);
    // Whoever goes on with another server's data is the last to need it.
    for (const folder of [data, agents]) if (folder) rmSync(folder, { recursive: true });
  };
  return { url, port: Number(new URL(url).port), data: place, stop };
}

/** A folder with the embedded agent, to which these settings are added. */
function copyAgent(settings) {
  const agents = mkdtempSync(join(tmpdir(), 'turnwire-agents-'));
  const agent = join(agents, 'customer-service');
  cpSync(EMBEDDED, agent, { recursive: true });
  const file = join(agent, 'agent.toml');
  writeFileSync(file, `${settings}\n${readFileSync(file, 'utf8')}`);
  return agents;
}

async function listening(child, exited) {
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  const address = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const match = /^listening on (http:\S+)$/.exec(line);
      if (match) resolve(match[1]);
    });
  });
  const ended = exited.then(([code]) => {
    throw new Error(`the server ended with code ${code}: ${log}`);
  });
  return Promise.race([address, ended]);
}

// Nothing of a test's server is worth an orderly end, and a turn under way would delay one.
async function end(child, exited) {
  child.kill('SIGKILL');
  await exited;
}
