import assert from 'node:assert/strict';
import { chatTest } from './chat-test.mjs';

// Survives: the page is reloaded → the conversation and its card are there again
chatTest('a reload shows the conversation and the pending approval again', async (world) => {
  const { chat, page } = world;
  await chat.askForRefund();
  assert.match(chat.session(), /./);

  await page.reload();

  await chat.card('Approval needed: issue_refund').waitFor();
  // The card is there before the server has told the conversation.
  await chat.messages.first().waitFor();
  assert.deepEqual(await chat.messages.allInnerTexts(), [
    'You\norder A-1001 arrived broken, can you refund it?',
  ]);
  await chat.tool('lookup_order', 'done').waitFor();
  await chat.approveButton.click();
  await chat.said('Refunded $42.00 to your original payment method.').waitFor();
  await chat.statusOf('Done').waitFor();
  assert.equal(await chat.tool('lookup_order', 'done').count(), 1);
});

// Survives: the page is reloaded → the conversation and its card are there again
chatTest('a reload shows a pending question again', async ({ chat, page }) => {
  await chat.send('refund');
  await chat.card('Question: Which order is it about?').waitFor();
  await page.reload();
  await chat.card('Question: Which order is it about?').waitFor();
  await page.getByRole('button', { name: 'A-1001' }).click();
  await chat.card('Approval needed: issue_refund').waitFor();
});

// Survives: two windows decide → the first verdict stands, and the other window shows it
chatTest('a second page of the session shows the same card', async ({ chat, page }) => {
  await chat.askForRefund();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Deny' }).click();
  await chat.card('Denied: issue_refund').waitFor();
  await chat.statusOf('Stopped').waitFor();
});

chatTest('a finished conversation goes on after a reload', async ({ chat, page }) => {
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  const session = chat.session();
  await page.reload();
  await chat.said('Hello! How can I help you with your order?').waitFor();
  await chat.send('use the returns skill');
  await chat.statusOf('Done').waitFor();
  assert.equal(chat.session(), session);
  assert.equal(await chat.messages.count(), 2);
});

chatTest('a new conversation starts empty, with a session of its own', async ({ chat, page }) => {
  assert.ok(await chat.newConversation.isDisabled());
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  const first = chat.session();

  await chat.newConversation.click();

  await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor();
  await chat.focused('textarea').waitFor();
  assert.equal(chat.session(), null);
  assert.equal(await chat.messages.count(), 0);
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  assert.notEqual(chat.session(), first);
  assert.equal(await chat.messages.count(), 1);
});

const SLOW = { server: { stepDelayMs: 300 } };

chatTest('a page that is reloaded during a turn follows it to its end', SLOW, async (world) => {
  const { chat, page } = world;
  await chat.send('never stop');
  await chat.tool('lookup_order', 'done').first().waitFor();

  await page.reload();

  await chat.statusOf('Responding').waitFor();
  await chat.stopButton.waitFor();
  await chat.tool('lookup_order', 'done').first().waitFor();
  await chat.statusOf('Stopped').waitFor();
  const followed = await chat.shown();
  assert.ok((await chat.tool('lookup_order', 'done').count()) > 3);
  await page.reload();
  await chat.statusOf('Conversation opened').waitFor();
  assert.equal(await chat.shown(), followed);
});

chatTest('where turns cannot be joined a reload offers to look for the answer', async (world) => {
  const { chat, page } = world;
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  await page.route('**/sessions/*', withoutAnswer, { times: 1 });
  await page.reload();
  await page.getByText('There is no answer to this yet.').waitFor();

  await page.getByRole('button', { name: 'Look again' }).click();

  await chat.said('Hello! How can I help you with your order?').waitFor();
  await page.getByText('There is no answer to this yet.').waitFor({ state: 'detached' });
});

chatTest('an unknown session opens as an empty conversation', async ({ chat, page, server }) => {
  await chat.open(`${server.url}/?session=no-such-session`);
  await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor();
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
});

/** The history as it is while the turn still runs, from a server that does not say so. */
async function withoutAnswer(route) {
  const response = await route.fetch();
  const session = await response.json();
  const history = session.history.filter(({ role }) => role === 'user');
  const headers = Object.entries(response.headers());
  const plain = headers.filter(([name]) => !name.startsWith('x-turnwire-'));
  const json = { ...session, history };
  await route.fulfill({ response, headers: Object.fromEntries(plain), json });
}
