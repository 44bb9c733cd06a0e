import assert from 'node:assert/strict';
import { chatTest, watchRequests } from './chat-test.mjs';

const SECONDS = { server: { settings: 'decision_seconds = 5' } };
const MINUTES = { server: { settings: 'decision_seconds = 600' } };

chatTest('a card counts down, and says that it expired', SECONDS, async ({ chat, page }) => {
  const decisions = watchRequests(page, /^\/approvals\/[^/]+\//);
  await chat.askForRefund();
  const texts = await countdown(chat);

  await chat.card('Expired: issue_refund').waitFor();

  await chat.note('Nobody decided in time, so the agent went on without it.').waitFor();
  await chat.tool('issue_refund', 'denied').waitFor();
  assert.equal(await chat.approveButton.count(), 0);
  assert.equal((await page.getByRole('alert').allInnerTexts()).join(''), '');
  const seen = await texts();
  assert.ok(seen.length >= 3 && seen.length <= 7, `${seen}`);
  for (const text of seen) assert.match(text, /^([1-5] s left|Time is up)$/);
  assert.equal(decisions.length, 0);
});

chatTest('a card tells until when it waits', MINUTES, async ({ chat, page }) => {
  await chat.askForRefund();
  await page.getByText(/^(9|10) min left, until \d+:\d+/).waitFor();
  await page.reload();
  await page.getByText(/^9 min left, until \d+:\d+/).waitFor();

  await chat.approveButton.click();

  await chat.card('You approved issue_refund').waitFor();
  assert.equal(await page.getByText('min left').count(), 0);
});

chatTest('once the time is up the card cannot be decided', MINUTES, async ({ chat, page }) => {
  await page.clock.install();
  await page.reload();
  await chat.askForRefund();
  await page.clock.fastForward('11:00');
  await page.getByText('Time is up').waitFor();
  assert.ok(await chat.approveButton.isDisabled());
  assert.ok(await chat.denyButton.isDisabled());
});

chatTest('a question expires too', SECONDS, async ({ chat, page }) => {
  await chat.send('refund');
  await chat.card('Question: Which order is it about?').waitFor();
  await page.getByText(/^[1-5] s left$/).waitFor();
  await chat.card('Expired: Which order is it about?').waitFor();
  assert.equal(await chat.ownAnswer.count(), 0);
});

chatTest('a card without a limit has no countdown', async ({ chat, page }) => {
  await chat.askForRefund();
  assert.equal(await page.locator('.card-deadline').count(), 0);
});

/** Records the different texts of the countdown, from now on. */
async function countdown(chat) {
  const line = chat.page.locator('.card-deadline');
  await line.evaluate((element) => {
    window.counted = [element.textContent];
    new MutationObserver(() => {
      const text = element.textContent;
      if (text && text !== window.counted.at(-1)) window.counted.push(text);
    }).observe(element, { childList: true, characterData: true, subtree: true });
  });
  return () => chat.page.evaluate(() => window.counted);
}
