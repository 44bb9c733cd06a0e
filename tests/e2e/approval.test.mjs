import assert from 'node:assert/strict';
import { chatTest, watchRequests } from './chat-test.mjs';

const DECISION = /^\/approvals\/[^/]+\/(approve|deny)$/;
const REFUSED = /Failed to load resource/;

chatTest('a refund is approved on its card and ends with the answer', async ({ chat }) => {
  await chat.askForRefund();
  await chat.tool('lookup_order', 'done').waitFor();
  const card = chat.card('Approval needed: issue_refund');
  const text = await card.textContent();
  for (const part of ['"orderId": "A-1001"', 'refunds-need-approval', 'customer-service']) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }

  await chat.approveButton.click();

  await chat.said('Refunded $42.00 to your original payment method.').waitFor();
  await chat.card('You approved issue_refund').waitFor();
  await chat.tool('issue_refund', 'done').waitFor();
  await chat.statusOf('Done').waitFor();
  assert.equal(await chat.approveButton.count(), 0);
});

chatTest('a denied refund does not run and the turn stops', async ({ chat }) => {
  await chat.askForRefund();

  await chat.denyButton.click();

  await chat.card('You denied issue_refund').waitFor();
  await chat.tool('issue_refund', 'denied').waitFor();
  await chat.statusOf('Stopped').waitFor();
  assert.equal(await chat.conversation.getByText('Refunded').count(), 0);
});

chatTest('in a batch a denial skips the call approved before it', async ({ chat }) => {
  await chat.send('refund A-1001 and email me');
  await chat.card('Approval needed: issue_refund').waitFor();
  await chat.approveButton.click();
  await chat.card('Approval needed: send_email').waitFor();
  await chat.card('You approved issue_refund').waitFor();

  await chat.denyButton.click();

  await chat.card('You denied send_email').waitFor();
  await chat.tool('issue_refund', 'skipped').waitFor();
  await chat.tool('send_email', 'denied').waitFor();
  await chat.statusOf('Stopped').waitFor();
});

chatTest('both calls of an approved batch run', async ({ chat }) => {
  await chat.send('refund A-1001 and email me');
  await chat.card('Approval needed: issue_refund').waitFor();
  await chat.approveButton.click();
  await chat.card('Approval needed: send_email').waitFor();
  await chat.approveButton.click();
  await chat.tool('issue_refund', 'done').waitFor();
  await chat.tool('send_email', 'done').waitFor();
  await chat.statusOf('Done').waitFor();
});

chatTest('a call that a rule forbids is shown as denied, without a card', async ({ chat }) => {
  await chat.send('delete everything');
  await chat.tool('delete_orders', 'denied').waitFor();
  await chat.statusOf('Stopped').waitFor();
  assert.equal(await chat.approveButton.count(), 0);
});

chatTest('a double click approves once', async ({ chat, page }) => {
  const decisions = watchRequests(page, DECISION);
  await chat.askForRefund();
  await chat.approveButton.dblclick();
  await chat.statusOf('Done').waitFor();
  assert.equal(decisions.length, 1);
});

chatTest('clicks on Approve, Approve and Deny in one task are one approval', async (world) => {
  const { chat, page } = world;
  const decisions = watchRequests(page, DECISION);
  await chat.askForRefund();
  await page.evaluate(() => {
    for (const name of ['.approve', '.approve', '.deny']) document.querySelector(name).click();
  });
  await chat.card('You approved issue_refund').waitFor();
  await chat.statusOf('Done').waitFor();
  assert.deepEqual(
    decisions.map((request) => new URL(request.url()).pathname.split('/').pop()),
    ['approve'],
  );
});

chatTest('a card says that it is sending and stays until the server has it', async (world) => {
  const { chat, page } = world;
  const held = await hold(page, '**/approvals/*/approve');
  await chat.askForRefund();
  await chat.approveButton.click();

  const busy = page.getByRole('button', { name: 'Approving…' });
  await busy.waitFor();
  assert.equal(await busy.getAttribute('aria-busy'), 'true');
  assert.ok(await chat.denyButton.isDisabled());
  await chat.card('Approval needed: issue_refund').waitFor();

  held.release();
  await chat.card('You approved issue_refund').waitFor();
});

chatTest(
  'an approval that gets lost keeps its card, and Retry sends it',
  {
    expectedErrors: REFUSED,
  },
  async ({ chat, page }) => {
    await page.route('**/approvals/*/approve', (route) => route.abort(), { times: 1 });
    await chat.askForRefund();
    await chat.approveButton.click();

    await chat.alert('The approval was not confirmed.').waitFor();
    assert.ok(await chat.approveButton.isEnabled());
    await chat.retryButton.click();

    await chat.statusOf('Done').waitFor();
  },
);

chatTest(
  'a decision that the server no longer waits for is final',
  {
    expectedErrors: REFUSED,
  },
  async ({ chat, page }) => {
    const decisions = watchRequests(page, DECISION);
    const gone = { status: 404, json: { error: 'not found or expired' } };
    await page.route('**/approvals/*/approve', (route) => route.fulfill(gone));
    await chat.askForRefund();
    await chat.approveButton.click();

    await chat.card('No longer open: issue_refund').waitFor();
    await chat.alert('The server said: not found or expired').waitFor();
    assert.equal((await chat.approveButton.count()) + (await chat.retryButton.count()), 0);
    assert.equal(decisions.length, 1);
  },
);

/** Holds requests back until they are released. */
async function hold(page, pattern) {
  const held = {};
  const released = new Promise((resolve) => {
    held.release = resolve;
  });
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return held;
}
