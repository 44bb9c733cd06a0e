// The README's examples, as they stand there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServer } from './real-server.mjs';

const ADDRESS = 'http://127.0.0.1:8787';
const REFUNDED = 'Refunded $42.00 to your original payment method.';
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
// From here the package is found by its name.
const cwd = fileURLToPath(new URL('.', import.meta.url));

/** What the example of this name prints with the server of the test in its place. */
async function run(t, name) {
  const [, code] = new RegExp(`<!-- example:${name} -->\n\`\`\`js\n(.*?)\`\`\``, 's').exec(readme);
  assert.ok(code.includes(ADDRESS));
  const program = code.replace(ADDRESS, await startServer(t));
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  return stdout;
}

test('the example with events prints the tools and the answer', async (t) => {
  assert.deepEqual((await run(t, 'js')).trim().split('\n'), [
    "lookup_order: matched rule 'lookups-are-free'",
    "issue_refund: matched rule 'refunds-need-approval' — human approved",
    REFUNDED,
  ]);
});

test('the example with a chat prints the answer', async (t) => {
  assert.equal((await run(t, 'chat')).trim(), REFUNDED);
});
