// The README's examples, as they stand there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServer } from './real-server.mjs';
import { startStandIn } from './stand-in-server.mjs';
import { complete, streaming, turn } from './turn-route.mjs';

const ADDRESS = 'http://127.0.0.1:8787';
const REFUNDED = 'Refunded $42.00 to your original payment method.';
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
// From here the package is found by its name.
const cwd = fileURLToPath(new URL('.', import.meta.url));

/** What the example of this name prints with this server in the place of the README's. */
async function run(name, server) {
  const [, code] = new RegExp(`<!-- example:${name} -->\n\`\`\`js\n(.*?)\`\`\``, 's').exec(readme);
  assert.ok(code.includes(ADDRESS));
  const program = code.replace(ADDRESS, server);
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  return stdout;
}

test('the example with events prints the tools and the answer', async (t) => {
  assert.deepEqual((await run('js', await startServer(t))).trim().split('\n'), [
    "lookup_order: matched rule 'lookups-are-free'",
    "issue_refund: matched rule 'refunds-need-approval' — human approved",
    REFUNDED,
  ]);
});

test('the example with a chat prints the answer', async (t) => {
  assert.equal((await run('chat', await startServer(t))).trim(), REFUNDED);
});

test('the example with turns prints their phases and the answer', async (t) => {
  const { url, requests } = await startStandIn(t, turn([streaming(2, ''), complete(3, REFUNDED)]));
  const printed = (await run('turns', url)).trim().split('\n');
  assert.deepEqual([printed[0], printed.at(-2), printed.at(-1)], ['submitting', 'idle', REFUNDED]);
  assert.equal(requests[0].url, '/agents/customer-service/turns');
});
