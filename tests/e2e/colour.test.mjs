import assert from 'node:assert/strict';
import { sayOnline } from './chat-page.mjs';
import { chatTest } from './chat-test.mjs';
import { findFaintText } from './contrast.mjs';
import { changeStreamHeaders } from './plain-server.mjs';

const AA = 4.5;

// Cards count down.
const server = { settings: 'decision_seconds = 50' };

const SCENES = {
  'an empty conversation': async () => {},
  'an approval': (chat) => chat.askForRefund(),
  'a question': async (chat) => {
    await chat.send('refund');
    await chat.ownAnswer.fill('A-1001');
  },
  'what waits without a network': async (chat) => {
    await chat.askForRefund();
    await chat.page.evaluate(sayOnline, false);
    await chat.approveButton.click();
    await chat.send('thank you');
    await chat.waiting.waitFor();
  },
  'a line with notes': async (chat) => {
    await changeStreamHeaders(chat.page, { 'cache-control': 'public, max-age=60' });
    await chat.send('hello');
    await chat.page.getByText('Connection notes').click();
  },
  'a conversation with components': (chat) => chat.askForComponents(),
  'a component that asks': async (chat) => {
    await chat.speakAgentsKit();
    await chat.send('refund A-1001');
    await chat.card('Approve issue_refund?').waitFor();
  },
  'a turn that failed': async (chat) => {
    await chat.speakAgentsKit();
    await chat.send('break');
    await chat.retryButton.waitFor();
  },
  'an error': async (chat) => {
    await chat.send('break');
    await chat.retryButton.waitFor();
  },
  'a finished turn with its details': async (chat) => {
    await chat.askForRefund();
    await chat.approveButton.click();
    await chat.statusOf('Done').waitFor();
    for (const summary of await chat.page.locator('summary').all()) await summary.click();
  },
};

for (const colorScheme of ['light', 'dark']) {
  for (const [scene, play] of Object.entries(SCENES)) {
    const context = { colorScheme, reducedMotion: 'reduce' };
    chatTest(
      `${scene} is readable in ${colorScheme} colours`,
      { context, server },
      async (world) => {
        const { chat, page } = world;
        await play(chat);
        const { seen, found } = await page.evaluate(findFaintText, AA);
        assert.ok(seen > 5, `${seen} texts`);
        assert.deepEqual(found, []);
      },
    );
  }
}

chatTest('the page follows the system’s colours', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await colours(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await colours(page);
  assert.notEqual(light.paper, dark.paper);
  assert.notEqual(light.ink, dark.ink);
});

chatTest('colours that were chosen win over the system’s and last', async ({ chat, page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await colours(page);
  await page.getByRole('button', { name: 'Colours: system' }).click();
  await page.getByRole('button', { name: 'Colours: light' }).click();
  const dark = await colours(page);
  assert.notEqual(dark.paper, light.paper);

  await page.reload();
  await page.getByRole('button', { name: 'Colours: dark' }).waitFor();
  assert.deepEqual(await colours(page), dark);

  await page.getByRole('button', { name: 'Colours: dark' }).click();
  assert.deepEqual(await colours(page), light);
  await chat.composer.waitFor();
});

function colours(page) {
  return page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    return { paper: backgroundColor, ink: color };
  });
}
