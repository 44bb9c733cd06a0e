import assert from 'node:assert/strict';
import { sayOnline } from './chat-page.mjs';
import { chatTest, watchRequests } from './chat-test.mjs';

const MESSAGE = /\/messages\/stream$/;
const DECISION = /^\/(approvals|questions)\/[^/]+\/(approve|deny|answer)$/;
const PAGE = /^\/$|\.(js|wasm|css|svg)$/;
const LOST = { expectedErrors: /ERR_INTERNET_DISCONNECTED|Failed to load resource/ };
const HELLO = 'Hello! How can I help you with your order?';
const LATER = 'The approval is sent when the connection is back.';

chatTest('a message sent while a card waits is sent behind its turn', async ({ chat, page }) => {
  const sent = watchRequests(page, MESSAGE);
  await chat.askForRefund();
  await chat.send('hello');

  await chat.waiting.getByText('hello').waitFor();
  assert.equal(await chat.composer.inputValue(), '');
  assert.equal(sent.length, 1);
  await chat.card('Approval needed: issue_refund').waitFor();
  await chat.approveButton.click();

  await chat.said(HELLO).waitFor();
  await chat.said('Refunded $42.00 to your original payment method.').waitFor();
  assert.equal(await chat.waiting.count(), 0);
  assert.equal(await chat.messages.count(), 2);
  assert.equal(sent.length, 2);
});

chatTest('a message that waits can be withdrawn and comes back', async ({ chat, page }) => {
  const sent = watchRequests(page, MESSAGE);
  await chat.askForRefund();
  await chat.send('hello');
  await chat.withdrawButton.click();

  await chat.focused('textarea').waitFor();
  assert.equal(await chat.composer.inputValue(), 'hello');
  assert.equal(await chat.waiting.count(), 0);
  await chat.approveButton.click();

  await chat.statusOf('Done').waitFor();
  assert.equal(sent.length, 1);
  assert.equal(await chat.composer.inputValue(), 'hello');
});

chatTest('a withdrawn message leaves a draft in place', async ({ chat }) => {
  await chat.askForRefund();
  await chat.send('first');
  await chat.waiting.waitFor();
  await chat.composer.fill('second');
  await chat.withdrawButton.click();
  assert.equal(await chat.composer.inputValue(), 'first\n\nsecond');
});

chatTest('a message that waits behind a card is there after a reload', async ({ chat, page }) => {
  await chat.askForRefund();
  await chat.send('hello');
  await chat.waiting.waitFor();
  await page.reload();
  await chat.waiting.getByText('hello').waitFor();
  await chat.approveButton.click();
  await chat.said(HELLO).waitFor();
  assert.equal(await chat.messages.count(), 2);
});

chatTest('messages sent while the agent works follow in their order', async ({ chat, page }) => {
  await chat.send('order A-1001');
  await chat.send('hello');
  await chat.send('use the returns skill');
  await page.getByText('Loaded the skill').waitFor();
  await chat.statusOf('Done').waitFor();
  assert.deepEqual(await chat.messages.locator('.text').allInnerTexts(), [
    'order A-1001',
    'hello',
    'use the returns skill',
  ]);
});

chatTest('offline a verdict waits over a reload and goes out once', async ({ chat, page }) => {
  const decisions = watchRequests(page, DECISION);
  await chat.askForRefund();
  await page.evaluate(sayOnline, false);
  await page.addInitScript(sayOnline, false);
  await chat.statusOf('Offline').waitFor();
  await chat.approveButton.click();
  await chat.note(LATER).waitFor();
  await chat.focused('.card h4').waitFor();

  await page.reload();

  await chat.note(LATER).waitFor();
  await chat.withdrawButton.waitFor();
  assert.equal(await chat.approveButton.count(), 0);
  assert.equal(decisions.length, 0);
  await page.evaluate(sayOnline, true);

  await chat.card('You approved issue_refund').waitFor();
  await chat.said('Refunded $42.00 to your original payment method.').waitFor();
  await chat.statusOf('(Done|Back online)').waitFor();
  assert.equal(decisions.length, 1);
});

chatTest('offline a verdict can be withdrawn', LOST, async ({ chat, page }) => {
  const decisions = watchRequests(page, DECISION);
  await chat.askForRefund();
  await page.context().setOffline(true);
  await chat.approveButton.click();
  await chat.note(LATER).waitFor();
  await chat.withdrawButton.click();

  await chat.approveButton.waitFor();
  assert.equal(await chat.note(LATER).count(), 0);
  await page.context().setOffline(false);
  await chat.statusOf('Approval needed: issue_refund').waitFor();
  await chat.denyButton.click();

  await chat.card('You denied issue_refund').waitFor();
  await chat.statusOf('Stopped').waitFor();
  assert.deepEqual(
    decisions.map((request) => new URL(request.url()).pathname.split('/').pop()),
    ['deny'],
  );
});

chatTest('offline an answer waits and can be read', LOST, async ({ chat, page }) => {
  await chat.send('refund');
  await chat.ownAnswer.waitFor();
  await page.context().setOffline(true);
  await chat.ownAnswer.fill('A-1002');
  await chat.ownAnswer.press('Enter');
  await chat.note('The answer is sent when the connection is back.').waitFor();
  await chat.card('Question: Which order is it about?').getByText('A-1002').first().waitFor();
  await chat.withdrawButton.click();
  assert.equal(await chat.ownAnswer.inputValue(), 'A-1002');
  await chat.ownAnswer.press('Enter');
  await page.context().setOffline(false);
  await chat.said('Let me look at order A-1002 first.').waitFor();
});

chatTest('offline a first message waits over a reload and goes out once', LOST, async (world) => {
  const { chat, page } = world;
  const sent = watchRequests(page, MESSAGE);
  const goOnline = await goOffline(page);
  await chat.send('hello');
  await chat.waiting.getByText('hello').waitFor();
  await page.getByText('Offline: messages wait for the connection.').waitFor();

  await page.reload();

  await chat.waiting.getByText('hello').waitFor();
  assert.equal(sent.length, 0);
  await goOnline();
  await chat.said(HELLO).waitFor();
  await chat.statusOf('Done').waitFor();
  assert.equal(sent.length, 1);
  assert.equal(await chat.messages.count(), 1);

  await page.reload();
  await chat.said(HELLO).waitFor();
  assert.equal(await chat.messages.count(), 1);
});

chatTest('offline a message can be withdrawn', LOST, async ({ chat, page }) => {
  const sent = watchRequests(page, MESSAGE);
  await page.context().setOffline(true);
  await chat.send('hello');
  await chat.withdrawButton.click();
  assert.equal(await chat.composer.inputValue(), 'hello');
  await page.context().setOffline(false);
  await chat.statusOf('Back online').waitFor();
  assert.equal(sent.length + (await chat.messages.count()), 0);
});

chatTest('a message of a conversation that was left is never sent', LOST, async (world) => {
  const { chat, page } = world;
  const sent = watchRequests(page, MESSAGE);
  const goOnline = await goOffline(page);
  await chat.send('hello');
  await chat.waiting.waitFor();
  await chat.newConversation.click();
  await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor();
  await goOnline();
  await chat.statusOf('Back online').waitFor();
  assert.equal(sent.length, 0);
});

chatTest('a conversation that could not be opened is opened once online', LOST, async (world) => {
  const { chat, page } = world;
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  const goOnline = await goOffline(page, { answers: false });
  await page.reload();
  await chat.alert('The server could not be reached.').waitFor();
  await goOnline();
  await chat.said(HELLO).waitFor();
  assert.equal((await page.getByRole('alert').allInnerTexts()).join(''), '');
});

chatTest(
  'a message that did not get through can be sent again after a reload',
  LOST,
  async (world) => {
    const { chat, page } = world;
    await page.route('**/messages/stream', (route) => route.abort(), { times: 1 });
    await chat.send('hello');
    await chat.messages.getByText('Not sent').waitFor();
    await page.reload();
    await chat.messages.getByText('Not sent').waitFor();

    await page.getByRole('button', { name: 'Send again' }).click();

    await chat.said(HELLO).waitFor();
    assert.equal(await chat.messages.count(), 1);
  },
);

/**
 * Takes the network away from a page that can be loaded all the same, as from a cache: what it
 * gets is fetched outside of the browser. Streams and verdicts never get through. Resolves to what
 * brings the network back.
 */
async function goOffline(page, { answers = true } = {}) {
  const line = { isOnline: false };
  await page.route('**/*', async (route) => {
    const { url, method } = describe(route.request());
    const isAnswer = answers && method === 'GET' && !url.pathname.endsWith('/stream');
    if (line.isOnline) return route.continue();
    if (!PAGE.test(url.pathname) && !isAnswer) return route.abort('internetdisconnected');
    const response = await fetch(url);
    const body = Buffer.from(await response.arrayBuffer());
    const headers = Object.fromEntries(response.headers);
    return route.fulfill({ status: response.status, headers, body });
  });
  await page.evaluate(startOffline);
  await page.addInitScript(startOffline);
  await page.context().setOffline(true);
  return async () => {
    line.isOnline = true;
    await page.evaluate(endOffline);
    await page.context().setOffline(false);
  };
}

/** Chromium tells pages that are loaded or left without a network that there is one. Runs in the page. */
function startOffline() {
  if (sessionStorage.getItem('is-back')) return;
  Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true });
}

/** Leaves it to Chromium again. Runs in the page. */
function endOffline() {
  sessionStorage.setItem('is-back', 'yes');
  delete navigator.onLine;
}

function describe(request) {
  return { url: new URL(request.url()), method: request.method() };
}
