import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { parsePort, reservePort } from './port.mjs';

test('the port is 8787 where none is named', () => {
  assert.equal(parsePort(undefined), 8787);
  assert.equal(parsePort(''), 8787);
  assert.equal(parsePort('3000'), 3000);
});

test('what is no port is a failure that says so', () => {
  for (const text of ['web', '-1', '65536', '80.5']) {
    assert.throws(() => parsePort(text), {
      message: `PORT has to be a number from 0 to 65535, not "${text}".`,
    });
  }
});

test('port 0 becomes a free port', async () => {
  assert.ok((await reservePort(0, '127.0.0.1')) > 0);
});

test('a port in use is a failure that says what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address();
  await assert.rejects(reservePort(port, '127.0.0.1'), new RegExp(`Port ${port} is in use`));
  other.close();
});
