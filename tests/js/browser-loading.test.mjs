import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { openPage, startBrowser } from './browser.mjs';
import { DIST, serveDist } from './dist-server.mjs';
import { body } from './stand-in-server.mjs';

const MODULE = '/turnwire_js_bg.wasm';

let browser;
before(async (t) => {
  browser = await startBrowser(t);
});

/** What the import of the package rejects with in a page; `undefined` if it succeeds. */
function importFault(page) {
  return page.evaluate(() =>
    import('/browser.js').then(
      () => undefined,
      (error) => ({
        name: error.name,
        code: error.code,
        retryable: error.retryable,
        message: error.message,
        hasCause: error.cause !== undefined,
      }),
    ),
  );
}

for (const [code, about, options, message] of [
  [
    'wasm-not-found',
    'a module that is missing',
    { answers: { [MODULE]: body('', 'text/plain', 404) } },
    /status 404: serve the file beside/,
  ],
  [
    'wasm-wrong-file',
    'a page in place of the module',
    { answers: { [MODULE]: body('<!doctype html>', 'text/html') } },
    /no WebAssembly but text\/html/,
  ],
  [
    'wasm-wrong-file',
    'an empty file in place of the module',
    { answers: { [MODULE]: body('', null) } },
    /but no content type/,
  ],
  [
    'wasm-failed',
    'a module that was cut',
    { answers: { [MODULE]: body(Uint8Array.of(0, 97, 115, 109, 1, 0, 0), 'application/wasm') } },
    /could not be started/,
  ],
  [
    'wasm-unreachable',
    'a connection that breaks',
    { answers: { [MODULE]: (response) => response.destroy() } },
    /could not be fetched/,
  ],
  [
    'wasm-blocked',
    'a policy without WebAssembly',
    { pageHeaders: { 'content-security-policy': "script-src 'self'" } },
    /'wasm-unsafe-eval'/,
  ],
]) {
  test(`${about} is told as ${code}`, async (t) => {
    const page = await openPage(browser, t, await serveDist(t, options));
    const fault = await importFault(page);
    assert.equal(fault?.code, code, JSON.stringify(fault));
    assert.equal(fault.name, 'TurnwireError');
    assert.match(fault.message, message);
    assert.equal(fault.retryable, code === 'wasm-unreachable');
    assert.equal(
      fault.hasCause,
      ['wasm-failed', 'wasm-unreachable', 'wasm-blocked'].includes(code),
    );
  });
}

test('an environment without WebAssembly is told as wasm-unsupported', async (t) => {
  const page = await openPage(browser, t, await serveDist(t));
  await page.evaluate(() => {
    delete globalThis.WebAssembly;
  });
  assert.equal((await importFault(page))?.code, 'wasm-unsupported');
});

test('the policy needs no more than wasm-unsafe-eval', async (t) => {
  const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
  const url = await serveDist(t, { pageHeaders: { 'content-security-policy': policy } });
  assert.equal(await importFault(await openPage(browser, t, url)), undefined);
});

test('a module that is served with another type is loaded all the same', async (t) => {
  const file = readFileSync(new URL(`.${MODULE}`, DIST));
  const answers = { [MODULE]: body(file, 'application/octet-stream') };
  const page = await openPage(browser, t, await serveDist(t, { answers }));
  assert.equal(await importFault(page), undefined);
});
