import assert from 'node:assert/strict';
import { chatTest } from './chat-test.mjs';
import { changeStreamHeaders, knowOnlyProtocol } from './plain-server.mjs';

const NOTICE = 'Live updates are not available from this server; showing what it has stored.';
const CACHED = { 'cache-control': 'public, max-age=60' };

chatTest('a server without live updates is said to be one', async ({ chat, page }) => {
  await knowOnlyProtocol(page);
  await chat.askForRefund();
  assert.equal(await page.getByText(NOTICE).count(), 0);
  await page.reload();

  await page.getByText(NOTICE).waitFor();
  assert.equal((await page.getByRole('alert').allInnerTexts()).join(''), '');
  await chat.card('Approval needed: issue_refund').waitFor();
  await chat.approveButton.click();

  await chat.said('Refunded $42.00 to your original payment method.').waitFor();
  await chat.statusOf('Done').waitFor();
});

chatTest('what is wrong on the way stands in notes that unfold', async ({ chat, page }) => {
  await changeStreamHeaders(page, CACHED);
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  const note = page.getByText(/^The stream's cache-control .*\.$/);
  await page.getByText('Connection notes').waitFor();
  assert.ok(await note.isHidden());

  await page.getByText('Connection notes').press('Enter');

  await note.waitFor();
  assert.equal((await page.getByRole('alert').allInnerTexts()).join(''), '');
});

chatTest('a sound line has no notes', async ({ chat, page }) => {
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  assert.equal(await page.getByText('Connection notes').count(), 0);
});
