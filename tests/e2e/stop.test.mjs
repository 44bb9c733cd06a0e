import assert from 'node:assert/strict';
import { chatTest } from './chat-test.mjs';

// A turn that pauses for an hour before its first step runs for as long as any test.
const PAUSING = { server: { stepDelayMs: 3_600_000 } };

chatTest('Stop ends a running turn, and the next message can be sent', PAUSING, async (world) => {
  const { chat, page } = world;
  await chat.send('never stop');
  await page.waitForURL(/session=/);
  await chat.stopButton.click();

  await chat.statusOf('Stopped').waitFor();
  await chat.focused('textarea').waitFor();
  assert.equal(await chat.stopButton.count(), 0);
  await chat.conversation.getByText('The turn ended without an answer').waitFor();
  assert.equal(await page.getByText('Show what happened').count(), 0);
  await chat.composer.fill('hello');
  assert.ok(await chat.sendButton.isEnabled());
});

chatTest('a message stopped before anything came back says so', async ({ chat, page }) => {
  await page.route('**/messages/stream', () => {});
  await chat.send('hello');
  await chat.stopButton.click();
  await chat.messages.getByText('Stopped before an answer came').waitFor();
  await chat.statusOf('Stopped').waitFor();
});

chatTest('Stop cancels the request', PAUSING, async ({ chat, page }) => {
  const failed = page.waitForEvent('requestfailed');
  await chat.send('never stop');
  await chat.stopButton.click();
  const request = await failed;
  assert.match(request.url(), /\/messages\/stream$/);
  assert.match(request.failure().errorText, /ABORTED/);
});

chatTest('Escape stops a running turn wherever the focus is', PAUSING, async ({ chat, page }) => {
  await chat.send('never stop');
  await chat.stopButton.waitFor();
  await chat.conversation.focus();
  await page.keyboard.press('Escape');
  await chat.statusOf('Stopped').waitFor();
});

chatTest('Escape leaves a waiting card alone', async ({ chat, page }) => {
  await chat.askForRefund();
  // The page's own aborts: Chromium reports some requests as failed that were read to their end.
  await page.evaluate(() => {
    const { prototype } = AbortController;
    const { abort } = prototype;
    globalThis.aborts = 0;
    prototype.abort = function (reason) {
      globalThis.aborts += 1;
      abort.call(this, reason);
    };
  });
  await page.keyboard.press('Escape');
  await chat.approveButton.click();
  await chat.statusOf('Done').waitFor();
  await chat.said('Refunded $42.00 to your original payment method.').waitFor();
  assert.equal(await page.evaluate(() => globalThis.aborts), 0);
});

// As every server does that knows Protocol v1 alone.
const UNSTOPPABLE = { ...PAUSING, expectedErrors: /status of 404/ };

chatTest('a stopped turn that goes on at the server is said to', UNSTOPPABLE, async (world) => {
  const { chat, page } = world;
  await page.route('**/cancel', (route) => route.fulfill({ status: 404, json: { error: 'no' } }));
  await chat.send('never stop');
  await page.waitForURL(/session=/);
  await chat.stopButton.click();

  await page.getByRole('button', { name: 'Show what happened' }).click();

  await chat.statusOf('Responding').waitFor();
  await chat.stopButton.waitFor();
  await chat.focused('main').waitFor();
  assert.equal(await chat.messages.count(), 1);
});
