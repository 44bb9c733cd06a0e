import assert from 'node:assert/strict';
import { sayOnline } from './chat-page.mjs';
import { chatTest } from './chat-test.mjs';
import { changeStreamHeaders } from './plain-server.mjs';

const SMALL = { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const LONG_WORD = `hello ${'long'.repeat(60)}`;

// Cards count down.
const server = { settings: 'decision_seconds = 50' };

const SCENES = {
  'an empty conversation': async () => {},
  'an approval': (chat) => chat.askForRefund(),
  'a question': async (chat) => {
    await chat.send('refund');
    await chat.ownAnswer.waitFor();
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
  'a finished batch with its details': async (chat) => {
    await chat.send('refund A-1001 and email me');
    await chat.card('Approval needed: issue_refund').waitFor();
    await chat.approveButton.click();
    await chat.card('Approval needed: send_email').waitFor();
    await chat.approveButton.click();
    await chat.statusOf('Done').waitFor();
    for (const summary of await chat.page.locator('summary').all()) await summary.click();
  },
  'a long word': async (chat) => {
    await chat.send(LONG_WORD);
    await chat.statusOf('Done').waitFor();
  },
};

for (const [scene, play] of Object.entries(SCENES)) {
  chatTest(
    `${scene} fits a screen of 320 pixels`,
    { context: SMALL, server },
    async ({ chat, page }) => {
      await play(chat);
      assert.deepEqual(await page.evaluate(findOverflow), []);
      assert.ok(await isInView(chat.composer));
    },
  );
}

chatTest(
  'a wide table is scrolled in its box, by keyboard too',
  { context: SMALL },
  async (world) => {
    const { chat, page } = world;
    await chat.speakAgentsKit();
    await chat.send('list my orders');
    const box = page.getByRole('region', { name: 'Your orders' });
    await box.waitFor();
    assert.ok(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
    await box.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('.table-box').scrollLeft > 0);
  },
);

chatTest('an empty conversation shows its top', { context: SMALL }, async ({ chat, page }) => {
  const heading = page.getByRole('heading', { name: 'What can I do for you?' });
  await heading.waitFor();
  assert.ok(await isInView(heading));
  assert.equal(await chat.conversation.evaluate((log) => log.scrollTop), 0);
});

for (const width of [590, 800, 801]) {
  const context = { viewport: { width, height: 700 } };
  chatTest(`the header fits a window of ${width} pixels`, { context }, async ({ chat, page }) => {
    await chat.send('hello');
    await chat.statusOf('Done').waitFor();
    assert.deepEqual(await page.evaluate(findOverflow), []);
    const boxes = page.locator('.brand h1, .protocols, .actions');
    const all = await boxes.evaluateAll((found) => found.map((box) => box.getBoundingClientRect()));
    const [name, protocols, actions] = all;
    assert.ok(name.right <= protocols.left && protocols.right <= actions.left);
    const isWhole = ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth;
    assert.ok(await boxes.first().evaluate(isWhole), 'the name is not cut');
  });
}

for (const [name, context] of [
  ['phone', PHONE],
  ['small phone', SMALL],
]) {
  chatTest(
    `the composer stays where it is during a turn on a ${name}`,
    { context },
    async (world) => {
      const { chat, page } = world;
      const before = await composerBox(page);
      const held = [];
      await page.route('**/messages/stream', (route) => held.push(route));
      await chat.send('hello');
      await chat.stopButton.waitFor();
      assert.deepEqual(await composerBox(page), before);
      for (const route of held) await route.continue();
      await chat.statusOf('Done').waitFor();
      assert.deepEqual(await composerBox(page), before);
    },
  );
}

chatTest('the composer grows with its text up to a part of the page', async ({ chat, page }) => {
  const { height: oneLine } = await composerBox(page);
  await chat.composer.fill('a\nb\nc');
  const { height: threeLines } = await composerBox(page);
  assert.ok(threeLines > oneLine);
  await chat.composer.fill('line\n'.repeat(200));
  const { height } = await composerBox(page);
  assert.ok(height > threeLines && height < 0.5 * page.viewportSize().height, `${height}`);
  await chat.composer.fill('');
  assert.equal((await composerBox(page)).height, oneLine);
});

chatTest('the conversation follows its end unless it is being read', async ({ chat, page }) => {
  await page.setViewportSize({ width: 800, height: 400 });
  await chat.send('never stop');
  await chat.statusOf('Stopped').waitFor();
  await page.waitForFunction(isAtEnd);

  await chat.conversation.evaluate((log) => log.scrollTo({ top: 0 }));
  await page.waitForFunction(() => document.querySelector('main').scrollTop === 0);
  await chat.composer.fill('hello');
  assert.equal(await chat.conversation.evaluate((log) => log.scrollTop), 0);

  await chat.composer.press('Enter');
  await chat.statusOf('Done').waitFor();
  await page.waitForFunction(isAtEnd);
});

chatTest(
  'reduced motion stops every animation',
  {
    context: { reducedMotion: 'reduce' },
    server: { stepDelayMs: 3_600_000 },
  },
  async ({ chat, page }) => {
    await chat.send('never stop');
    await page.locator('.working').waitFor();
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  },
);

chatTest(
  'a running turn moves where motion is welcome',
  {
    context: { reducedMotion: 'no-preference' },
    server: { stepDelayMs: 3_600_000 },
  },
  async ({ chat, page }) => {
    await chat.send('never stop');
    await page.locator('.working').waitFor();
    assert.ok((await page.evaluate(() => document.getAnimations().length)) > 0);
  },
);

async function composerBox(page) {
  return page.locator('form.composer').boundingBox();
}

async function isInView(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  const view = locator.page().viewportSize();
  return x >= 0 && y >= 0 && x + width <= view.width && y + height <= view.height;
}

function isAtEnd() {
  const log = document.querySelector('main');
  return log.scrollHeight - log.clientHeight - log.scrollTop < 2;
}

/** Boxes that reach over the page's edge, and those whose content would have to be scrolled. */
function findOverflow() {
  const width = document.documentElement.clientWidth;
  const over = [...document.querySelectorAll('main, main *, header *, footer *')].filter((box) => {
    if (box.closest('.tool-args, .unseen, .table-box > table, svg')) return false;
    const { left, right } = box.getBoundingClientRect();
    return right > width + 0.5 || left < -0.5;
  });
  const scrolled = [document.documentElement, ...document.querySelectorAll('main, pre')].filter(
    (box) => box.scrollWidth > box.clientWidth,
  );
  return [...over, ...scrolled].map((box) => box.outerHTML.slice(0, 80));
}
