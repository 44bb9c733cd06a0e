import assert from 'node:assert/strict';
import { chatTest } from './chat-test.mjs';

chatTest('from load to answer with the keyboard alone', async ({ chat, page }) => {
  const { keyboard } = page;
  await chat.focused('textarea').waitFor();
  await keyboard.type('order A-1001 arrived broken, can you refund it?');
  await keyboard.press('Enter');
  await chat.approveButton.waitFor();

  await keyboard.press('Shift+Tab');
  await chat.focused('.deny').waitFor();
  await keyboard.press('Shift+Tab');
  await chat.focused('.approve').waitFor();
  await keyboard.press('Enter');

  await chat.said('Refunded $42.00 to your original payment method.').waitFor();
  await chat.statusOf('Done').waitFor();
});

chatTest('a question is answered with the keyboard alone', async ({ chat, page }) => {
  const { keyboard } = page;
  await keyboard.type('refund');
  await keyboard.press('Enter');
  await chat.ownAnswer.waitFor();
  await keyboard.press('Shift+Tab');
  await chat.focused('.own-answer input').waitFor();
  await keyboard.type('A-1002');
  await keyboard.press('Enter');
  await chat.card('Approval needed: issue_refund').waitFor();
});

chatTest('a verdict leaves the focus on its card', async ({ chat }) => {
  await chat.askForRefund();
  await chat.approveButton.press('Enter');
  await chat.focused('.card h4').waitFor();
  await chat.statusOf('Done').waitFor();
  await chat.focused('.card[data-state="approved"] h4').waitFor();
});

chatTest('Tab goes on from a decided card to the next one', async ({ chat, page }) => {
  await chat.send('refund A-1001 and email me');
  await chat.approveButton.press('Enter');
  await chat.card('Approval needed: send_email').waitFor();
  const stops = [];
  for (let presses = 0; presses < 4; presses += 1) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate(() => document.activeElement.textContent));
  }
  assert.ok(stops.includes('Approve'), `${stops}`);
});

chatTest('every control has a visible focus', async ({ chat, page }) => {
  await chat.askForRefund();
  const unseen = [];
  await page.locator('body').press('Tab');
  for (let presses = 0; presses < 12; presses += 1) {
    unseen.push(...(await page.evaluate(focusWithoutRing)));
    await page.keyboard.press('Tab');
  }
  assert.deepEqual(unseen, []);
});

chatTest('a suggestion taken by keyboard moves the focus to the conversation', async (world) => {
  const { chat, page } = world;
  await page.getByRole('button', { name: /^hello/ }).press('Enter');
  await chat.focused('main').waitFor();
  await chat.statusOf('Done').waitFor();
});

/** The focused element's tag if neither it nor the composer around it shows an outline. */
function focusWithoutRing() {
  const element = document.activeElement;
  if (element === document.body) return [];
  const shown = [element, element.closest('.composer')].filter(Boolean).some((box) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(box);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
  });
  return shown ? [] : [element.outerHTML.slice(0, 80)];
}
