import assert from 'node:assert/strict';
import { ChatPage } from './chat-page.mjs';
import { chatTest, watchRequests } from './chat-test.mjs';

const DECISION = /^\/approvals\/[^/]+\/(approve|deny)$/;
const STREAM = /^\/turns\/[^/]+\/stream$|\/messages\/stream$/;
const NOTE = 'Decided in another window.';
const SLOW = { server: { stepDelayMs: 300 } };
const CONFLICT = { expectedErrors: /status of 409/ };

chatTest('a verdict given in one window shows in the other at once', async ({ chat }) => {
  await chat.askForRefund();
  const other = await openBeside(chat);
  await other.card('Approval needed: issue_refund').waitFor();

  await other.approveButton.click();

  await other.card('You approved issue_refund').waitFor();
  await chat.card('Approved: issue_refund').waitFor();
  await chat.note(NOTE).waitFor();
  for (const window of [chat, other]) {
    await window.said('Refunded $42.00 to your original payment method.').waitFor();
    await window.statusOf('Done').waitFor();
  }
  assert.equal(await other.note(NOTE).count(), 0);
  assert.equal(withoutDeciders(await other.shown()), withoutDeciders(await chat.shown()));
});

chatTest('a message sent in one window plays in the other too', async ({ chat }) => {
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  const other = await openBeside(chat);
  await other.said('Hello! How can I help you with your order?').waitFor();

  await other.askForRefund();
  await chat.card('Approval needed: issue_refund').waitFor();
  await chat.denyButton.click();

  await other.card('Denied: issue_refund').waitFor();
  for (const window of [chat, other]) await window.statusOf('Stopped').waitFor();
  assert.equal(withoutDeciders(await other.shown()), withoutDeciders(await chat.shown()));
  assert.equal(await chat.messages.count(), 2);
});

chatTest('two windows of a session read one stream', async ({ chat, page }) => {
  const streams = openStreams(page);
  await chat.askForRefund();
  const other = await openBeside(chat);
  const others = openStreams(other.page);
  await other.page.reload();
  await other.card('Approval needed: issue_refund').waitFor();
  await others.settled(0);
  assert.equal(streams.open.size, 1);

  await chat.approveButton.click();
  await other.statusOf('Done').waitFor();
  assert.equal(others.open.size, 0);
});

chatTest(
  'the window that is left goes on, misses nothing and doubles nothing',
  SLOW,
  async (world) => {
    const { chat, page } = world;
    await chat.send('never stop');
    await page.waitForURL(/session=/);
    const other = await openBeside(chat);
    await other.tool('lookup_order', 'done').first().waitFor();
    assert.equal(await other.statusOf('Responding').count(), 1);

    await page.close();

    await other.statusOf('Stopped').waitFor();
    assert.ok((await other.tool('lookup_order', 'done').count()) > 3);
    const third = await openBeside(other);
    await third.page.locator('.notice[data-kind="stopped"]').waitFor();
    assert.equal(await other.shown(), await third.shown());
  },
);

chatTest('eight windows of a session leave room for other requests', async ({ chat, page }) => {
  await chat.askForRefund();
  const others = [];
  while (others.length < 7) others.push(await openBeside(chat));
  for (const other of others) await other.card('Approval needed: issue_refund').waitFor();

  const status = await page.evaluate(async () => (await fetch('/healthz')).status);
  assert.equal(status, 200);
  await others[6].approveButton.click();

  for (const window of [chat, ...others]) await window.statusOf('Done').waitFor();
  assert.equal(await others[0].note(NOTE).count(), 1);
});

chatTest('of Approve and Deny in two windows the first one stands', CONFLICT, async (world) => {
  const { chat, page } = world;
  await chat.askForRefund();
  const other = await openBeside(chat);
  await other.card('Approval needed: issue_refund').waitFor();
  const held = await holdBoth(page.context());

  await chat.approveButton.click();
  await other.note('Being decided in another window.').waitFor();
  await other.denyButton.click();
  const won = await held.winner;

  const [winner, loser] = won === 'approve' ? [chat, other] : [other, chat];
  const verdict = won === 'approve' ? 'approved' : 'denied';
  await winner.card(`You ${verdict} issue_refund`).waitFor();
  await loser.card(new RegExp(`^${verdict}: issue_refund`, 'i')).waitFor();
  await loser.note(NOTE).waitFor();
  for (const window of [chat, other]) {
    await window.statusOf(won === 'approve' ? 'Done' : 'Stopped').waitFor();
    assert.equal((await window.page.getByRole('alert').allInnerTexts()).join(''), '');
  }
  assert.equal(await winner.note(NOTE).count(), 0);
});

chatTest('a verdict given in another browser shows as somebody else’s', async (world) => {
  const { chat, page } = world;
  const decisions = watchRequests(page, DECISION);
  await chat.askForRefund();
  const elsewhere = await page.context().browser().newContext();
  const other = new ChatPage(await elsewhere.newPage());
  await other.open(page.url());
  await other.approveButton.click();

  await chat.card('Approved: issue_refund').waitFor();
  await chat.note(NOTE).waitFor();
  await chat.statusOf('Done').waitFor();
  assert.equal(decisions.length, 0);
  await elsewhere.close();
});

/** Another window of the same browser on the same session. */
async function openBeside(chat) {
  const other = new ChatPage(await chat.page.context().newPage());
  await other.open(chat.page.url());
  return other;
}

/** The streams that a page reads, from now on; `settled` waits until there are no more than so many. */
function openStreams(page) {
  const open = new Set();
  page.on('request', (request) => {
    if (STREAM.test(new URL(request.url()).pathname)) open.add(request);
  });
  const ends = ['requestfinished', 'requestfailed'];
  for (const end of ends) page.on(end, (request) => open.delete(request));
  const settled = async (count) => {
    while (open.size > count) await Promise.any(ends.map((end) => page.waitForEvent(end)));
  };
  return { open, settled };
}

/** Holds back verdicts until there are two; `winner` is the one that the server takes. */
async function holdBoth(context) {
  const routes = [];
  const held = {};
  held.winner = new Promise((resolve) => {
    context.on('response', (response) => {
      const [, verdict] = DECISION.exec(new URL(response.url()).pathname) ?? [];
      if (verdict && response.ok()) resolve(verdict);
    });
  });
  await context.route(
    (url) => DECISION.test(url.pathname),
    async (route) => {
      routes.push(route);
      if (routes.length === 2) await Promise.all(routes.map((each) => each.continue()));
    },
  );
  return held;
}

/** What is shown, but for who decided. */
function withoutDeciders(text) {
  return text
    .replace(NOTE, '')
    .replace(
      /You (approved|denied) /,
      (_, verdict) => `${verdict[0].toUpperCase()}${verdict.slice(1)}: `,
    )
    .replace(/\s+/g, ' ');
}
