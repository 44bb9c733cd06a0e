import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reservePort } from './port.mjs';
import { serve } from './serve.mjs';

const SERVER = `
  const http = require('node:http');
  const server = http.createServer((_, response) => response.end('ok'));
  server.listen(Number(process.argv[1]), '127.0.0.1');
  process.on('SIGTERM', () => server.close(() => process.exit(0)));
`;

async function start(script, onReady) {
  const port = await reservePort(0, '127.0.0.1');
  const healthUrl = `http://127.0.0.1:${port}/healthz`;
  return serve(process.execPath, ['-e', script, String(port)], { healthUrl, onReady });
}

test('a server is ready once it answers and stops with the signal it is handed', async () => {
  assert.equal(await start(SERVER, () => process.emit('SIGTERM', 'SIGTERM')), 0);
});

test('a server that ends by the signal itself has stopped cleanly', async () => {
  const script = SERVER.replace(/process\.on.*\n/, '\n');
  assert.equal(await start(script, () => process.emit('SIGTERM', 'SIGTERM')), 0);
});

test('a server that gives up before it answers is never ready', async () => {
  const fail = () => assert.fail('it was never ready');
  assert.equal(await start('process.exit(3)', fail), 3);
});

test('a program that does not exist is a failure that says so', async () => {
  const server = serve('/nonexistent/server', [], {
    healthUrl: 'http://127.0.0.1:9/',
    onReady() {},
  });
  await assert.rejects(server, /could not be started/);
});
