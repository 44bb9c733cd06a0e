import assert from 'node:assert/strict';
import { chatTest, watchRequests } from './chat-test.mjs';

const STREAM = /\/messages\/stream$/;

chatTest('Enter sends and Shift+Enter begins a new line', async ({ chat, page }) => {
  await chat.composer.pressSequentially('hello');
  await chat.composer.press('Shift+Enter');
  await chat.composer.pressSequentially('again');
  assert.equal(await chat.composer.inputValue(), 'hello\nagain');

  await page.keyboard.press('Enter');

  await chat.statusOf('Done').waitFor();
  assert.equal(await chat.composer.inputValue(), '');
  assert.deepEqual(await chat.messages.locator('.text').allInnerTexts(), ['hello\nagain']);
});

chatTest('the Enter that ends an input method’s composition does not send', async (world) => {
  const { chat, page } = world;
  const sent = watchRequests(page, STREAM);
  const input = await page.context().newCDPSession(page);
  await chat.composer.focus();
  await input.send('Input.imeSetComposition', {
    text: 'へろー',
    selectionStart: 3,
    selectionEnd: 3,
  });
  await page.keyboard.press('Enter');
  assert.equal(await chat.messages.count(), 0);
  assert.match(await chat.composer.inputValue(), /^へろー/);

  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  assert.equal(sent.length, 1);
});

for (const [mark, init] of [
  ['isComposing', { isComposing: true }],
  ['keyCode 229', { keyCode: 229 }],
]) {
  chatTest(`an Enter with ${mark} does not send, the next one does`, async ({ chat, page }) => {
    await chat.composer.fill('hello');
    await chat.composer.evaluate((field, init) => {
      const options = { key: 'Enter', bubbles: true, cancelable: true, ...init };
      field.dispatchEvent(new KeyboardEvent('keydown', options));
    }, init);
    await chat.composer.pressSequentially(' again');
    await page.keyboard.press('Enter');
    await chat.statusOf('Done').waitFor();
    assert.deepEqual(await chat.messages.locator('.text').allInnerTexts(), ['hello again']);
  });
}

chatTest('an answer’s field leaves an input method its Enter too', async ({ chat, page }) => {
  const answers = watchRequests(page, /^\/questions\//);
  await chat.send('refund');
  await chat.ownAnswer.fill('A-1002');
  const wasPrevented = await chat.ownAnswer.evaluate(
    (field) =>
      !field.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'Enter',
          isComposing: true,
          bubbles: true,
          cancelable: true,
        }),
      ),
  );
  assert.ok(wasPrevented);
  await chat.ownAnswer.press('Enter');
  await chat.card('Approval needed: issue_refund').waitFor();
  assert.equal(answers.length, 1);
});

chatTest('a blank message is not sent', async ({ chat, page }) => {
  const sent = watchRequests(page, STREAM);
  await chat.send('  \n ');
  assert.ok(await chat.sendButton.isDisabled());
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  assert.equal(sent.length, 1);
});

chatTest('a suggestion sends its message', async ({ chat, page }) => {
  await page.getByRole('button', { name: /^order A-1001 arrived broken/ }).click();
  await chat.card('Approval needed: issue_refund').waitFor();
  assert.deepEqual(await chat.messages.locator('.text').allInnerTexts(), [
    'order A-1001 arrived broken, can you refund it?',
  ]);
});

chatTest('a draft written while a card waits can be sent afterwards', async ({ chat, page }) => {
  const sent = watchRequests(page, STREAM);
  await chat.askForRefund();
  await chat.composer.fill('hello');
  await page.getByText('Sends once you have decided above.').waitFor();

  await chat.approveButton.click();
  await chat.statusOf('Done').waitFor();
  assert.equal(await chat.composer.inputValue(), 'hello');
  await chat.sendButton.click();

  await chat.said('Hello! How can I help you with your order?').waitFor();
  assert.equal(sent.length, 2);
});

chatTest('markup in a message stays text', async ({ chat, page }) => {
  const markup = '<img src=x onerror="document.title=1"><b>hello</b>';
  await chat.send(markup);
  await chat.statusOf('Done').waitFor();
  assert.deepEqual(await chat.messages.locator('.text').allInnerTexts(), [markup]);
  assert.equal(await page.title(), 'Turnwire chat');
});
