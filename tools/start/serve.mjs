import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../report/failure.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const READY_MS = 30_000;

/**
 * Runs the server until it stops. `onReady` is called once it answers; the signals that stop this
 * process are handed on to the server, whose stop is then a success.
 */
export async function serve(program, args, { healthUrl, onReady }) {
  // In this process's group, so that whoever kills the group leaves no server behind. A terminal's
  // Ctrl-C then reaches the server twice, which it takes as once.
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const server = watch(child);
  const handOn = (signal) => {
    server.stopping = true;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, handOn);
  try {
    if (await isReady(healthUrl, server)) onReady();
    return exitCode(await server.stopped, server.stopping);
  } finally {
    for (const signal of SIGNALS) process.off(signal, handOn);
    if (server.running) child.kill('SIGKILL');
  }
}

function watch(child) {
  const server = { running: true, stopping: false };
  server.stopped = new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(new Failure(`The server could not be started: ${error.message}.`)),
    );
    child.on('exit', (code) => resolve(code));
  }).finally(() => {
    server.running = false;
  });
  return server;
}

/** Asks until the server answers; `false` if it stopped before. */
async function isReady(url, server) {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    if (!server.running) return false;
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (response?.ok) return true;
    await Promise.race([sleep(100), server.stopped]);
  }
  throw new Failure(`The server did not answer at ${url} within ${READY_MS / 1000} seconds.`);
}

// `code` is null where the signal itself ended the server.
function exitCode(code, stopping) {
  return code ?? (stopping ? 0 : 1);
}
