import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startProxy } from '../faults/proxy.mjs';
import { ChatPage } from './chat-page.mjs';
import { startServer } from './server-process.mjs';

const RESULTS = fileURLToPath(new URL('../../test-results/', import.meta.url));
const ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

let browser;

after(() => browser?.close());

/**
 * A test with a server, a browser context and an open chatbox of its own.
 *
 * `options.context` is Playwright's, `options.server` that of `startServer`; with `options.proxied`,
 * which may be the options of `startProxy`, the page is behind the `proxy` that the test then gets.
 * `options.query` is the query that the page is opened with.
 * The page has to stay without errors, in its console too, but for those that match
 * `options.expectedErrors`.
 */
export function chatTest(name, options, run) {
  if (typeof options === 'function') return chatTest(name, {}, options);
  return test(name, async () => {
    browser ??= await chromium.launch({ executablePath: process.env.CHROME, args: ARGS });
    const server = await startServer(options.server);
    const proxy = options.proxied ? await startProxy(server.url, options.proxied) : undefined;
    const context = await browser.newContext(options.context);
    const page = await context.newPage();
    const errors = watchErrors(context, options.expectedErrors);
    const chat = new ChatPage(page);
    try {
      await chat.open(`${(proxy ?? server).url}/${options.query ?? ''}`);
      await run({ chat, page, server, proxy });
      assert.deepEqual(errors, [], 'errors in the console');
    } catch (error) {
      await keepScreenshot(page, name);
      throw error;
    } finally {
      await context.close();
      await proxy?.close();
      await server.stop();
    }
  });
}

/** The requests of the page whose path matches, as they come. */
export function watchRequests(page, path) {
  const requests = [];
  page.on('request', (request) => {
    if (path.test(new URL(request.url()).pathname)) requests.push(request);
  });
  return requests;
}

function watchErrors(context, expected) {
  const errors = [];
  const note = (text) => {
    if (!expected?.test(text)) errors.push(text);
  };
  context.on('weberror', (error) => note(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error') note(message.text());
  });
  return errors;
}

async function keepScreenshot(page, name) {
  mkdirSync(RESULTS, { recursive: true });
  const path = `${RESULTS}${name.replace(/\W+/g, '-')}.png`;
  // The test's own failure matters more than that of its picture.
  await page.screenshot({ path, fullPage: true }).catch(() => {});
}
