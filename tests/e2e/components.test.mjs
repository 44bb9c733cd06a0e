import assert from 'node:assert/strict';
import { sayOnline } from './chat-page.mjs';
import { chatTest, watchRequests } from './chat-test.mjs';
import {
  AGENTSKIT,
  component,
  envelope,
  lines,
  snapshotLine,
  standIn,
  text,
} from './turn-server.mjs';

const TURNS = /^\/agents\/customer-service\/turns$/;
const REFUND = 'order A-1001 arrived broken, can you refund it?';
const APPROVAL = 'Approve issue_refund?';
const REFUNDED = 'Refunded $42.00 to your original payment method.';

const query = AGENTSKIT;

chatTest(
  'an answer shows its words and its sources in order',
  { query },
  async ({ chat, page }) => {
    await chat.send('show me the return policy');
    const sources = page.getByRole('region', { name: 'Where this is written' });
    await sources.waitFor();
    const link = sources.getByRole('link', { name: /^Returns and refunds/ });
    assert.equal(await link.getAttribute('href'), 'https://example.com/returns');
    assert.match(await link.getAttribute('rel'), /\bnoopener\b/);
    assert.equal(await sources.getByRole('listitem').count(), 2);
    const shown = await chat.shown();
    assert.ok(shown.indexOf('within 30 days, and') < shown.indexOf('Where this is written'));
    await chat.statusOf('Done').waitFor();
  },
);

chatTest('a choice is sent as the event of its list, and answered', { query }, async (world) => {
  const { chat, page } = world;
  const turns = watchRequests(page, TURNS);
  await chat.send('list my orders');
  const table = page.getByRole('table', { name: 'Your orders' });
  await table.getByRole('cell', { name: 'stoneware teapot' }).waitFor();
  assert.equal(await table.getByRole('columnheader').count(), 4);
  await chat.statusOf('Question: Which one is it about\\?').waitFor();

  await chat.choice('Order A-1003, oak tray').click();

  await chat.said('Order A-1003 (oak tray) is on its way.').waitFor();
  const event = JSON.parse(turns[1].postDataJSON().payload.input);
  assert.equal(event.type, 'select');
  assert.deepEqual([event.componentKey, event.choiceId], ['choice-list', 'A-1003']);
  const card = chat.card('Which one is it about?');
  await card.getByText('Order A-1003, oak tray').waitFor();
  assert.equal(await card.getByRole('button').count(), 0, 'it was answered');
  await chat.messages.last().getByText('Order A-1003, oak tray', { exact: true }).waitFor();
});

chatTest(
  'progress is a bar with a value, and an unknown component is told',
  { query },
  async (world) => {
    const { chat, page } = world;
    await chat.send('track order A-1003');
    const bar = page.getByRole('progressbar', { name: 'Order A-1003' });
    await bar.waitFor();
    assert.equal(await bar.evaluate((element) => element.value), 60);
    await chat.statusOf('Done').waitFor();

    await chat.send('show the map');
    const words = chat.standIn('COMPONENT_UNKNOWN');
    await words.getByText('Order A-1003 is at the depot in Linz, two stops from you.').waitFor();
    await words.getByText('delivery-map: Component is not registered.').waitFor();
  },
);

chatTest('an approval is given with the keyboard alone', { query }, async ({ chat, page }) => {
  const turns = watchRequests(page, TURNS);
  await chat.focused('textarea').waitFor();
  await page.keyboard.type(REFUND);
  await page.keyboard.press('Enter');
  await chat.card(APPROVAL).waitFor();
  await chat.statusOf('Approval needed: Approve issue_refund\\?').waitFor();
  while ((await page.locator('.approve:focus').count()) === 0) {
    await page.keyboard.press('Shift+Tab');
  }

  await page.keyboard.press('Enter');

  await chat.said(REFUNDED).waitFor();
  await chat.statusOf('Done').waitFor();
  await chat.tool('issue_refund', 'done').waitFor();
  const event = JSON.parse(turns[1].postDataJSON().payload.input);
  assert.deepEqual([event.type, event.event], ['interact', 'approve']);
  assert.equal(await page.locator('main:focus').count(), 1, 'focus is not lost with the card');
});

chatTest('a denied call is not run', { query }, async ({ chat }) => {
  await chat.send(REFUND);
  await chat.denyButton.click();
  await chat.card(APPROVAL).waitFor({ state: 'detached' });
  await chat.tool('issue_refund', 'failed').waitFor();
  assert.equal(await chat.said(REFUNDED).count(), 0);
});

chatTest('no message goes out while an approval waits', { query }, async ({ chat }) => {
  await chat.send(REFUND);
  await chat.card(APPROVAL).waitFor();
  await chat.send('thank you');
  assert.equal(await chat.composer.inputValue(), 'thank you');
  assert.ok(await chat.sendButton.isDisabled());
  await chat.approveButton.click();
  await chat.said(REFUNDED).waitFor();
  await chat.composer.press('Enter');
  await chat.messages.filter({ hasText: 'thank you' }).waitFor();
});

chatTest('a question is answered by a choice or in words', { query }, async ({ chat }) => {
  await chat.send('refund');
  await chat.choice('A-1002').click();
  await chat.said('Let me look at order A-1002 first.').waitFor();
  await chat.denyButton.click();
  await chat.statusOf('Done').waitFor();

  await chat.send('refund');
  await chat.choice('A-1001').waitFor();
  await chat.send('the one with number A-1001');
  await chat.card(APPROVAL).waitFor();
});

chatTest('a turn is announced in a few words', { query }, async ({ chat, page }) => {
  await chat.status.evaluate((region) => {
    window.heard = [];
    new MutationObserver(() => {
      const text = region.textContent.trim();
      if (text && text !== window.heard.at(-1)) window.heard.push(text);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await chat.send(REFUND);
  await chat.approveButton.click();
  await chat.said(REFUNDED).waitFor();
  await chat.statusOf('Done').waitFor();
  const asked = `Approval needed: ${APPROVAL}`;
  const heard = await page.evaluate(() => window.heard);
  assert.deepEqual(heard, ['Responding', asked, 'Responding', 'Done']);
});

chatTest(
  'every control has a name and the page its landmarks',
  { query },
  async ({ chat, page }) => {
    await chat.send('list my orders');
    await chat.choice('Order A-1003, oak tray').waitFor();
    for (const role of ['banner', 'main', 'contentinfo', 'navigation', 'status']) {
      assert.equal(await page.getByRole(role).count(), 1, role);
    }
    const controls = page.getByRole('button').or(page.getByRole('link'));
    for (const control of await controls.all()) {
      assert.match(await control.ariaSnapshot(), /^- '?(button|link) "[^"]+"/);
    }
    const ids = await page.evaluate(() =>
      [...document.querySelectorAll('[id]')].map(({ id }) => id),
    );
    assert.equal(new Set(ids).size, ids.length, `${ids}`);
  },
);

// Survives: a page is reloaded while snapshots come → nothing of it is lost
chatTest(
  'a reload in the middle of a turn loses nothing',
  { query, server: { stepDelayMs: 1500 } },
  async ({ chat, page }) => {
    await chat.send('list my orders');
    await chat.tool('lookup_order', 'done').first().waitFor();
    const session = chat.session();

    await page.reload();

    await chat.statusOf('Responding').waitFor();
    await chat.stopButton.waitFor();
    await chat.choice('Order A-1001, stoneware teapot').waitFor();
    assert.equal(chat.session(), session);
    assert.equal(await chat.tool('lookup_order', 'done').count(), 3);
    assert.deepEqual(await chat.messages.allInnerTexts(), ['You\nlist my orders']);
    const followed = await chat.shown();
    await page.reload();
    await chat.choice('Order A-1001, stoneware teapot').click();
    await chat.said('Order A-1001 (stoneware teapot) is delivered.').waitFor();
    assert.ok((await chat.shown()).startsWith(followed.split('Which one')[0]));
  },
);

chatTest(
  'a reload shows a waiting approval again, and it can be given',
  { query },
  async (world) => {
    const { chat, page } = world;
    await chat.send(REFUND);
    await chat.card(APPROVAL).waitFor();
    await page.reload();
    await chat.approveButton.click();
    await chat.said(REFUNDED).waitFor();
  },
);

chatTest(
  'Stop ends the turn at the server, and the next message goes out',
  { query, server: { stepDelayMs: 300 } },
  async ({ chat, page }) => {
    const cancelled = watchRequests(page, /^\/turns\/[^/]+\/cancel$/);
    await chat.send('never stop');
    await chat.tool('lookup_order', 'done').first().waitFor();
    await chat.stopButton.click();
    await chat.statusOf('Stopped').waitFor();
    await chat.stopButton.waitFor({ state: 'detached' });
    assert.equal(cancelled.length, 1);
    assert.equal(await chat.retryButton.count(), 0, 'a stop is no failure');
    await chat.send('hello');
    await chat.said('Hello! How can I help you with your order?').waitFor();
  },
);

chatTest(
  'a message that is stopped before anything came back is handed back',
  { query, expectedErrors: /404|ERR_FAILED/ },
  async ({ chat, page }) => {
    const held = [];
    await page.route('**/agents/*/turns', (route) => held.push(route));
    await chat.send('hello');
    await chat.messages.filter({ hasText: 'hello' }).waitFor();
    await chat.composer.press('Escape');
    await chat.statusOf('Stopped').waitFor();
    await page.waitForFunction(() => document.querySelector('textarea').value === 'hello');
    assert.equal(await chat.messages.count(), 0);
    assert.equal(await page.locator('.banner').count(), 0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await chat.composer.press('Enter');
    await chat.said('Hello! How can I help you with your order?').waitFor();
  },
);

chatTest('without a network nothing is sent, and the draft stays', { query }, async (world) => {
  const { chat, page } = world;
  await page.evaluate(sayOnline, false);
  await chat.statusOf('Offline').waitFor();
  await chat.send('hello');
  assert.equal(await chat.composer.inputValue(), 'hello');
  assert.ok(await chat.sendButton.isDisabled());
  await page.evaluate(sayOnline, true);
  await chat.composer.press('Enter');
  await chat.said('Hello! How can I help you with your order?').waitFor();
});

chatTest('a failed turn is told and can be asked again', { query }, async ({ chat }) => {
  await chat.send('break');
  await chat.alert('The agent ran into an error').waitFor();
  await chat.retryButton.click();
  await chat.messages.nth(1).waitFor();
  await chat.alert('The agent ran into an error').waitFor();
});

chatTest(
  'a message that is refused is handed back, with the server’s words',
  { query, expectedErrors: /40[49]/ },
  async ({ chat, page }) => {
    const error = { version: 1, code: 'SESSION_BUSY', message: 'Another turn is active.' };
    const busy = { status: 409, json: { error } };
    await standIn(page, () => busy);
    await chat.send('hello');
    await chat.alert('The server refused: Another turn is active.').waitFor();
    assert.equal(await chat.composer.inputValue(), 'hello');
    assert.equal(await chat.messages.count(), 0);
  },
);

// Survives: a stream is cut within a record of an answer → no half of it is shown
chatTest(
  'a stream that is cut within a record shows no half of it',
  { query, expectedErrors: /409/ },
  async ({ chat, page }) => {
    const whole = envelope(
      text('First.'),
      component('progress', { label: 'Parcel', value: 40 }, 'Forty.'),
    );
    const cuts = [whole.length - 40, whole.indexOf('"progress"') + 5];
    let content = whole.slice(0, cuts[0]);
    let attempts = 0;
    await standIn(
      page,
      (submission) => {
        attempts += 1;
        if (attempts > 1) return { status: 409, json: {} };
        const cut = whole.slice(0, cuts[1]);
        const line = snapshotLine(submission, 2, 'streaming', cut);
        return lines(line, snapshotLine(submission, 3, 'streaming', whole).slice(0, -60));
      },
      (submission) => {
        const status = content === whole ? 'complete' : 'streaming';
        return lines(snapshotLine(submission, 4, status, content));
      },
    );
    const looks = watchRequests(page, /\/snapshot$/);
    await chat.send('go');
    await chat.said('First.').waitFor();
    await page.waitForResponse((response) => response.url().endsWith('/snapshot'));
    const shown = await chat.shown();
    assert.ok(!/kind|frame|Parcel|Forty|\{/.test(shown), shown);
    assert.equal(await page.getByRole('progressbar').count(), 0);

    content = whole;

    await page.getByRole('progressbar', { name: 'Parcel' }).waitFor();
    await chat.statusOf('Done').waitFor();
    assert.ok(looks.length >= 2);
    assert.equal(await chat.messages.count(), 1);
  },
);

chatTest('props that do not fit leave the words, and the page whole', { query }, async (world) => {
  const { chat, page } = world;
  const hostile = [
    component('progress', { label: 'P', value: '<img src=x onerror=alert(1)>' }, 'Words one.'),
    component('table', { caption: [], columns: { length: 1e9 }, rows: null }, 'Words two.'),
    component('choice-list', null, 'Words three.'),
    component('approval-request', { title: {} }, 'Words four.'),
    component(
      'source-list',
      { label: 'L', sources: [{ id: 'a', title: 'T', url: 'javascript:alert(1)' }] },
      'Words five.',
    ),
  ];
  const unknown = component('__proto__'.replaceAll('_', 'a'), {}, '<b>Words six.</b>');
  const content = envelope(text('Look:'), ...hostile, unknown, text('End.'));
  await standIn(page, (submission) => lines(snapshotLine(submission, 2, 'complete', content)));
  await chat.send('go');
  await chat.said('End.').waitFor();
  const words = await chat.standIn('COMPONENT_INVALID_PROPS').locator('.text').allInnerTexts();
  assert.deepEqual(
    words,
    ['one', 'two', 'three', 'four', 'five'].map((word) => `Words ${word}.`),
  );
  await chat.standIn('COMPONENT_UNKNOWN').getByText('<b>Words six.</b>', { exact: true }).waitFor();
  assert.equal(await page.locator('main a, main img, main b').count(), 0);
});

chatTest('what cannot be read is told as a notice beside what can', { query }, async (world) => {
  const { chat, page } = world;
  const content = `${envelope(text('Sound.'))}{"kind":"nothing"}\n`;
  await standIn(page, (submission) =>
    lines('{"no":"event"}\n', snapshotLine(submission, 2, 'complete', content)),
  );
  await chat.send('go');
  await chat.said('Sound.').waitFor();
  const notice = page.locator('.notice[data-kind="damaged"]');
  await notice.getByText('Assistant content record is invalid.').waitFor();
  await page.getByText('Connection notes').click();
  await page.getByText('Line 1 of the response: Turn event payload is invalid.').waitFor();
});

chatTest('the links between protocols keep the rest of the address', { query }, async (world) => {
  const { chat, page, server } = world;
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  const session = chat.session();
  await chat.open(`${server.url}/${AGENTSKIT}&session=${session}&agent=customer-service&x=1`);
  await chat.said('Hello! How can I help you with your order?').waitFor();
  const protocols = page.getByRole('group', { name: 'Protocol' });
  const current = protocols.locator('[aria-current="page"]');
  assert.equal(await current.textContent(), 'AgentsKit');

  await protocols.getByRole('link', { name: 'loopengine' }).press('Enter');

  await page.waitForURL((url) => !url.searchParams.has('protocol'));
  await chat.said('Hello! How can I help you with your order?').waitFor();
  assert.equal(await current.textContent(), 'loopengine');
  const query = new URL(page.url()).searchParams;
  assert.deepEqual([query.get('agent'), query.get('x')], ['customer-service', '1']);
  assert.equal(chat.session(), session);
});

chatTest('a new conversation has a session of its own', { query }, async ({ chat, page }) => {
  assert.ok(await chat.newConversation.isDisabled());
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  const first = chat.session();
  await chat.newConversation.click();
  await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor();
  assert.equal(chat.session(), null);
  await chat.send('hello');
  await chat.statusOf('Done').waitFor();
  assert.notEqual(chat.session(), first);
  assert.equal(await chat.messages.count(), 1);
});
