import assert from 'node:assert/strict';
import { chatTest } from './chat-test.mjs';

chatTest('a turn with an approval is announced in four short texts', async ({ chat }) => {
  const heard = await listen(chat);
  await chat.askForRefund();
  await chat.approveButton.click();
  await chat.statusOf('Done').waitFor();
  assert.deepEqual(await heard(), [
    'Responding',
    'Approval needed: issue_refund',
    'Responding',
    'Done',
  ]);
});

chatTest('a turn of many steps is announced at its start and its end only', async ({ chat }) => {
  const heard = await listen(chat);
  await chat.send('never stop');
  await chat.statusOf('Stopped').waitFor();
  assert.ok((await chat.tool('lookup_order', 'done').count()) > 3);
  assert.deepEqual(await heard(), ['Responding', 'Stopped']);
});

chatTest('the conversation is no live region, and errors are alerts', async ({ chat, page }) => {
  await chat.send('break');
  await chat.alert('The agent ran into an error').waitFor();
  const live = await page.evaluate(() => {
    const regions = document.querySelectorAll('[aria-live], [role=log], [role=status]');
    return [...regions].map((region) => region.className);
  });
  assert.deepEqual(live, ['status']);
  assert.equal(await chat.status.textContent(), '');
});

chatTest('a card that appears does not take the focus from a draft', async ({ chat, page }) => {
  await chat.send('order A-1001 arrived broken, can you refund it?');
  await page.keyboard.type('one more');
  await chat.card('Approval needed: issue_refund').waitFor();
  await page.keyboard.type(' thing');
  assert.equal(await chat.composer.inputValue(), 'one more thing');
  await chat.focused('textarea').waitFor();
});

chatTest('every control has a name and the page its landmarks', async ({ chat, page }) => {
  await chat.askForRefund();
  for (const role of ['banner', 'main', 'contentinfo', 'navigation', 'status']) {
    assert.equal(await page.getByRole(role).count(), 1, role);
  }
  const controls = await page.getByRole('button').or(page.getByRole('textbox')).all();
  for (const control of controls) {
    const snapshot = await control.ariaSnapshot();
    assert.match(snapshot, /^- '?(button|textbox) "[^"]+"/);
  }
  assert.ok(controls.length >= 6, `${controls.length} controls`);
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
});

/** Records what the status region says, from now on; blanks between texts are not heard. */
async function listen(chat) {
  await chat.status.evaluate((region) => {
    window.heard = [];
    new MutationObserver(() => {
      const text = region.textContent.trim();
      if (text && text !== window.heard.at(-1)) window.heard.push(text);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  });
  return () => chat.page.evaluate(() => window.heard);
}
