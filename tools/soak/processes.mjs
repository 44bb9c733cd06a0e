import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Failure } from '../report/failure.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The exit code of what a person stopped, as shells have it. */
const INTERRUPTED = 130;

/** Calls `work` with a signal that Ctrl-C aborts; resolves to an exit code. */
export async function untilInterrupted(work) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const signal of SIGNALS) process.on(signal, abort);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) return INTERRUPTED;
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, abort);
  }
}

/**
 * Runs `work` against a server that has a data folder of its own, and ends the server whatever
 * comes of it. `work` is given the server's `address` and its process id, `pid`.
 */
export async function withServer(program, signal, work) {
  const data = mkdtempSync(join(tmpdir(), 'turnwire-soak-'));
  // A line a turn in the log would say nothing here.
  const env = { RUST_LOG: 'warn', ...process.env };
  const child = spawn(program, ['serve', '--port', '0', '--data', data], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => {
    child.on('exit', resolve).on('error', resolve);
  });
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end);
  try {
    return await work({ address: await listening(child, exited), pid: child.pid });
  } finally {
    signal.removeEventListener('abort', end);
    end();
    await exited;
    rmSync(data, { recursive: true, force: true });
  }
}

function listening(child, exited) {
  const address = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const match = /^listening on (http:\S+)$/.exec(line);
      if (match) resolve(match[1]);
    });
  });
  const ended = exited.then((cause) => {
    throw new Failure(`The server ended before it listened: ${cause?.message ?? cause}.`);
  });
  return Promise.race([address, ended]);
}

/** Runs a program whose output goes to the terminal; resolves to its exit code. */
export async function run(program, args, signal) {
  const child = spawn(program, args, {
    signal,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
