import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage, startBrowser } from './browser.mjs';
import { serveDist } from './dist-server.mjs';
import { startServer } from './real-server.mjs';
import { startStandIn } from './stand-in-server.mjs';
import { frame, SESSION } from './turns.mjs';

const REFUNDED = 'Refunded $42.00 to your original payment method.';

let browser;
let origin;
let url;
before(async (t) => {
  origin = await serveDist(t);
  url = await startServer(t, '--cors-origin', origin);
  browser = await startBrowser(t);
});

// Runs in the browser, where nothing of this file is at hand.
async function refund(base) {
  const { approveCall, streamMessage } = await import('/browser.js');
  const events = [];
  for await (const event of streamMessage(base, 'customer-service', 'refund A-1001')) {
    events.push(event);
    if (event.type === 'approval:pending') await approveCall(base, event.id);
  }
  return events;
}

test('a page streams a turn and decides in it, without a bundler', async (t) => {
  const page = await openPage(browser, t, origin);
  const events = await page.evaluate(refund, url);
  assert.equal(events[0].type, 'session');
  assert.deepEqual(events.at(-1), { type: 'done', text: REFUNDED });
});

test('a module worker does so too', async (t) => {
  const page = await openPage(browser, t, origin);
  const script = `postMessage(await (${refund})(${JSON.stringify(url)}))`;
  const events = await page.evaluate((script) => {
    // A blob has no place to import from, so the worker is told where the page is.
    const source = script.replaceAll("'/browser.js'", `'${location.origin}/browser.js'`);
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(address, { type: 'module' });
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
  }, script);
  assert.deepEqual(events.at(-1), { type: 'done', text: REFUNDED });
});

test('a chat follows a turn in a page', async (t) => {
  const page = await openPage(browser, t, origin);
  const state = await page.evaluate(async (baseUrl) => {
    const { createChat } = await import('/browser.js');
    const chat = createChat({ baseUrl, agent: 'customer-service' });
    chat.subscribe(() => {
      const [item] = chat.getState().pending;
      if (item?.decision.state === 'idle') chat.deny(item.id);
    });
    await chat.send('refund A-1001');
    const state = chat.getState();
    chat.dispose();
    return state;
  }, url);
  assert.deepEqual([state.phase, state.pending], ['idle', []]);
  assert.equal(state.messages.at(-1).stopReason, 'denied');
});

test('an entry that is imported twice starts once', async (t) => {
  const page = await openPage(browser, t, origin);
  const modules = [];
  page.on('request', (request) => {
    if (request.url().endsWith('.wasm')) modules.push(request.url());
  });
  const same = await page.evaluate(async () => {
    const [first, second] = await Promise.all([import('/browser.js'), import('/browser.js?again')]);
    return first !== second && first.TurnwireError === second.TurnwireError;
  });
  assert.equal(same, true);
  assert.equal(modules.length, 1);
});

test('a server that does not allow the page is a network fault', async (t) => {
  const page = await openPage(browser, t, origin);
  const { url } = await startStandIn(t, (response) => response.end('{}'));
  const code = await page.evaluate(async (base) => {
    const { sendMessage } = await import('/browser.js');
    return sendMessage(base, 'a', 'hi').catch(({ code }) => code);
  }, url);
  assert.equal(code, 'network');
});

test('leaving the loop early closes the connection of a page', async (t) => {
  const page = await openPage(browser, t, origin);
  const allowed = { 'access-control-allow-origin': origin, 'access-control-allow-headers': '*' };
  const { url, requests } = await startStandIn(t, (response, { method }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...allowed });
    if (method === 'OPTIONS') response.end();
    else response.write(frame(SESSION));
  });
  await page.evaluate(async (base) => {
    const { streamMessage } = await import('/browser.js');
    for await (const _ of streamMessage(base, 'a', 'hi')) break;
  }, url);
  assert.equal(await requests.find(({ method }) => method === 'POST').closed, false);
});
