// The chat on a bad network: the turn goes on, and nothing is asked for twice.
import assert from 'node:assert/strict';
import { gate } from '../faults/gate.mjs';
import * as faults from '../faults/kinds.mjs';
import { DECISIONS, JOINS, MESSAGES } from '../faults/proxy.mjs';
import { chatTest } from './chat-test.mjs';
import { startServer } from './server-process.mjs';

const NETWORK = { proxied: true, expectedErrors: /Failed to load resource|ERR_/ };
const LASTING = { ...NETWORK, server: { lasting: true } };
const SLOW = { ...NETWORK, server: { stepDelayMs: 300 } };
const KEPT = { ...NETWORK, proxied: { keepsConnections: true } };
const REFUND = 'order A-1001 arrived broken, can you refund it?';
/** What the agent says before its first call. */
const FIRST = 'Let me look at order A-1001 first.';
const CARD = 'Approval needed: issue_refund';
/** Bytes of the stream that show the first call, and not yet the card. */
const SOME = 700;

/** Approves on the card, and sees the turn through to its end: one message, one turn. */
async function approve({ chat, proxy }) {
  await chat.approveButton.click();
  await assertRefunded({ chat, proxy });
}

async function assertRefunded({ chat, proxy }) {
  await chat.said('Refunded $42.00 to your original payment method.').waitFor();
  await chat.statusOf('Done').waitFor();
  assert.equal(await chat.messages.count(), 1);
  assert.equal(await chat.tool('issue_refund', 'done').count(), 1);
  assert.equal(proxy.asked(MESSAGES).length, 1);
}

// Survives: the connection is cut after any byte → the same conversation, one turn, one refund
chatTest('a stream that is cut says “Reconnecting” and goes on', NETWORK, async (world) => {
  const { chat, proxy } = world;
  const { opened, open } = gate();
  proxy.plan(MESSAGES, faults.cutAfter(SOME));
  proxy.plan(JOINS, faults.holdUntil(opened));
  await chat.send(REFUND);
  await chat.statusOf('Reconnecting').waitFor();
  await chat.tool('lookup_order', 'started').waitFor();

  open();

  await chat.statusOf(CARD).waitFor();
  await approve(world);
});

// Survives: a proxy answers with a page or an error → the stream is asked for again
chatTest('a card waits through cuts and a proxy’s errors', NETWORK, async (world) => {
  const { chat, proxy } = world;
  await chat.askForRefund();
  proxy.plan(JOINS, faults.badGateway);
  proxy.cutAll();
  await chat.statusOf('Reconnecting').waitFor();
  await proxy.arrived(JOINS, 2);
  await chat.statusOf(CARD).waitFor();
  await approve(world);
});

// Survives: the page is reloaded → the conversation and its card are there again
chatTest('a page that is reloaded while the turn runs comes to its card', SLOW, async (world) => {
  const { chat, page } = world;
  await chat.send(REFUND);
  await chat.said(FIRST).waitFor();

  await page.reload();

  const [card, again] = [chat.card(CARD), page.getByRole('button', { name: 'Look again' })];
  await card.or(again).first().waitFor();
  // The turn may come to its card between the look and the click.
  while ((await card.count()) === 0) await again.click({ timeout: 1000 }).catch(() => {});
  await approve(world);
});

// Survives: the response to a message gets lost → it is kept, and Retry joins its turn
chatTest('a message that the browser sends again by itself makes one turn', KEPT, async (world) => {
  const { chat, proxy } = world;
  proxy.plan(MESSAGES, faults.lose);
  await chat.send('hello');
  const answer = chat.said('Hello! How can I help you with your order?');
  await answer.or(chat.retryButton).first().waitFor();
  if ((await answer.count()) === 0) await chat.retryButton.click();
  await chat.statusOf('Done').waitFor();
  assert.equal(new Set(proxy.asked(MESSAGES).map(({ turn }) => turn)).size, 1);
});

for (const [name, fault] of [
  ['is cut', faults.refuse],
  ['is answered by a proxy', faults.badGateway],
]) {
  // Survives: a verdict does not reach the server → its card is back, to be decided again
  chatTest(`a decision whose request ${name} brings its card back`, NETWORK, async (world) => {
    const { chat, proxy } = world;
    await chat.askForRefund();
    proxy.plan(DECISIONS, fault);
    await chat.approveButton.click();
    await chat.alert('The approval was not confirmed.').waitFor();
    await chat.card(CARD).waitFor();

    await chat.retryButton.click();

    await assertRefunded(world);
    assert.equal(proxy.asked(DECISIONS).length, 2);
  });
}

// Survives: the answer to a verdict gets lost → it counts once, and is answered alike again
chatTest('a decision whose answer gets lost is shown by the stream', NETWORK, async (world) => {
  const { chat, proxy } = world;
  await chat.askForRefund();
  proxy.plan(DECISIONS, faults.lose);
  await approve(world);
  await chat.card('You approved issue_refund').waitFor();
  assert.equal(proxy.asked(DECISIONS).length, 1);
});

// Survives: the server is killed and started again → the turn goes on, with one refund
chatTest('a card outlives its server', LASTING, async (world) => {
  const { chat, proxy, server } = world;
  await chat.askForRefund();
  await server.stop();
  await chat.statusOf('Reconnecting').waitFor();
  await chat.card(CARD).waitFor();
  const next = await startServer({ port: server.port, data: server.data });
  try {
    await chat.statusOf(CARD).waitFor();
    await approve(world);
    assert.equal(proxy.asked(MESSAGES)[0].turn, proxy.asked(JOINS).at(-1).turn);
  } finally {
    await next.stop();
  }
});

// Survives: the browser is offline for a while → the card waits, and can be decided after
chatTest('a card waits while the browser is offline', NETWORK, async (world) => {
  const { chat, page, proxy } = world;
  await chat.askForRefund();
  const refused = page.waitForEvent('requestfailed', isJoin);
  await page.context().setOffline(true);
  // A browser leaves the connections that are open alone.
  proxy.cutAll();
  await chat.statusOf('Offline').waitFor();
  await refused;
  assert.equal(proxy.asked(JOINS).length, 0);
  await page.context().setOffline(false);
  await chat.statusOf(CARD).waitFor();
  await approve(world);
});

// Survives: the page is hidden or frozen → no second turn, and the one there is goes on
chatTest('a page that is hidden for two seconds sends nothing again', SLOW, async (world) => {
  const { chat, page, proxy } = world;
  await chat.send(REFUND);
  await chat.said(FIRST).waitFor();
  await setVisibility(page, 'hidden');
  await page.waitForTimeout(2000);
  await setVisibility(page, 'visible');
  await chat.card(CARD).waitFor();
  await approve(world);
  assert.equal(proxy.asked(JOINS).length, 0, 'the stream was left alone');
});

// Survives: the page is hidden or frozen → no second turn, and the one there is goes on
chatTest('a page that was frozen joins its turn again', NETWORK, async (world) => {
  const { chat, page, proxy } = world;
  await chat.askForRefund();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  proxy.cutAll();
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await proxy.arrived(JOINS);
  await chat.statusOf(CARD).waitFor();
  await approve(world);
});

function isJoin(request) {
  return JOINS.test(`${request.method()} ${new URL(request.url()).pathname}`);
}

/** Tells the page what it hears of a tab that is hidden or shown again. */
async function setVisibility(page, state) {
  await page.evaluate((state) => {
    const hidden = state === 'hidden';
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    window.dispatchEvent(new PageTransitionEvent(hidden ? 'pagehide' : 'pageshow'));
  }, state);
}
