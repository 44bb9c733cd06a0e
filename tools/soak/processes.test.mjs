import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run, untilInterrupted, withServer } from './processes.mjs';

const folder = mkdtempSync(join(tmpdir(), 'turnwire-soak-test-'));
after(() => rmSync(folder, { recursive: true }));

/** A program that stands in for the server. */
function program(name, script) {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const LISTENING = "console.log('listening on http://127.0.0.1:9');setInterval(() => {}, 1000);";
const never = new AbortController().signal;

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a server is there for the work and gone after it', async () => {
  const server = await withServer(program('server', LISTENING), never, (server) => {
    assert.equal(server.address, 'http://127.0.0.1:9');
    assert.ok(isRunning(server.pid));
    return server;
  });
  assert.equal(isRunning(server.pid), false);
});

test('a server that does not come up is a failure that says so', async () => {
  const work = () => assert.fail('there is no server');
  const ends = withServer(program('ends', 'process.exit(3)'), never, work);
  await assert.rejects(ends, { message: 'The server ended before it listened: 3.' });
  const missing = withServer(join(folder, 'missing'), never, work);
  await assert.rejects(missing, /ENOENT/);
});

test('the exit code of the load is handed on', async () => {
  assert.equal(await run(process.execPath, ['-e', 'process.exit(7)'], never), 7);
  assert.equal(await untilInterrupted(() => 7), 7);
});

test('Ctrl-C ends the load and the server', async () => {
  let server;
  const code = await untilInterrupted((signal) =>
    withServer(program('stopped', LISTENING), signal, (started) => {
      server = started;
      const load = run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], signal);
      process.emit('SIGINT', 'SIGINT');
      return load;
    }),
  );
  assert.equal(code, 130);
  assert.equal(isRunning(server.pid), false);
});

test('what fails by itself is no interruption', async () => {
  const failing = untilInterrupted(() => Promise.reject(new Error('no')));
  await assert.rejects(failing, { message: 'no' });
});
