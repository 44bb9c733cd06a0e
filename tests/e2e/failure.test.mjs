import assert from 'node:assert/strict';
import { chatTest, watchRequests } from './chat-test.mjs';
import { startServer } from './server-process.mjs';

const NETWORK = { expectedErrors: /Failed to load resource|ERR_/ };
const LASTING = { ...NETWORK, server: { lasting: true } };
const OLD = { expectedErrors: /status of 404/ };

chatTest('an error in mid-stream is told, and Retry asks again', async ({ chat }) => {
  await chat.send('break');
  await chat.alert('The agent ran into an error').waitFor();
  await chat.conversation.getByText('the scripted model broke off').waitFor();
  await chat.tool('lookup_order', 'done').waitFor();

  await chat.retryButton.click();

  await chat.messages.nth(1).waitFor();
  await chat.conversation.getByText('the scripted model broke off').nth(1).waitFor();
  await chat.alert('The agent ran into an error').waitFor();
  assert.ok(await chat.composer.isEnabled());
});

chatTest('a banner that was dismissed stays away until the next error', async ({ chat, page }) => {
  await chat.send('break');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await chat.alert('The agent').waitFor({ state: 'detached' });
  await chat.focused('main').waitFor();
  await chat.send('break');
  await chat.alert('The agent ran into an error').waitFor();
});

// Survives: a message does not reach the server → it is kept, and Retry sends it
chatTest('without the server a message is kept, and Retry sends it', NETWORK, async (world) => {
  const { chat, server } = world;
  await server.stop();
  await chat.send('hello');
  await chat.alert('The server could not be reached.').waitFor();
  await chat.messages.getByText('Not sent').waitFor();

  const next = await startServer({ port: server.port });
  try {
    await chat.retryButton.click();
    await chat.said('Hello! How can I help you with your order?').waitFor();
    await chat.alert('The server').waitFor({ state: 'detached' });
    assert.equal(await chat.messages.count(), 1);
  } finally {
    await next.stop();
  }
});

chatTest('Retry without the server says so once more', NETWORK, async ({ chat, page, server }) => {
  await server.stop();
  await chat.send('hello');
  const failed = page.waitForEvent('requestfailed');
  await chat.retryButton.click();
  await failed;
  await chat.alert('The server could not be reached.').waitFor();
  assert.equal(await chat.messages.count(), 1);
});

// Survives: the server is killed and started again → the turn goes on, with one refund
chatTest('a turn goes on when its server is back', LASTING, async ({ chat, server }) => {
  await chat.askForRefund();
  await server.stop();
  await chat.statusOf('Reconnecting').waitFor();
  const next = await startServer({ port: server.port, data: server.data });
  try {
    await chat.statusOf('Approval needed: issue_refund').waitFor();
    await chat.approveButton.click();
    await chat.said('Refunded $42.00 to your original payment method.').waitFor();
    assert.equal(await chat.retryButton.count(), 0);
    assert.equal(await chat.messages.count(), 1);
  } finally {
    await next.stop();
  }
});

chatTest(
  'a turn that the next server does not know is never a quiet end',
  NETWORK,
  async (world) => {
    const { chat, page, server } = world;
    await page.clock.install();
    await page.reload();
    await chat.askForRefund();
    await server.stop();
    const next = await startServer({ port: server.port });
    try {
      await page.getByText('Live updates are not available from this server').waitFor();
      const told = chat.alert('connection broke off').or(chat.alert('could not be reached'));
      // It is asked for again and again, less and less often.
      for (let waits = 0; waits < 100 && (await told.count()) === 0; waits += 1) {
        await page.clock.fastForward('00:15');
      }
      await told.waitFor();
      await chat.retryButton.waitFor();
      assert.equal(await chat.statusOf('Done').count(), 0);
    } finally {
      await next.stop();
    }
  },
);

chatTest('a stream that breaks off goes on behind its last event', async ({ chat, page }) => {
  const joined = watchRequests(page, /^\/turns\/[^/]+\/stream$/);
  await page.route('**/messages/stream', cutShort, { times: 1 });
  await chat.send('order A-1001');
  await chat.said('Order A-1001 (stoneware teapot) is delivered.').waitFor();
  await chat.tool('lookup_order', 'done').waitFor();
  await chat.statusOf('Done').waitFor();
  assert.equal(await chat.messages.count(), 1);
  assert.equal(joined.length, 1);
});

chatTest('where turns cannot be joined the answer comes when it is stored', OLD, async (world) => {
  const { chat, page } = world;
  await page.route('**/turns/**', (route) => route.fulfill({ status: 404, json: {} }));
  await page.route('**/messages/stream', cutShort, { times: 1 });
  await chat.send('order A-1001');
  await page.getByText('Live updates are not available from this server').waitFor();

  await chat.said('Order A-1001 (stoneware teapot) is delivered.').waitFor();
  await chat.tool('lookup_order', 'done').waitFor();
  assert.equal(await chat.messages.count(), 1);
});

chatTest(
  'a server error is told in the server’s words',
  {
    expectedErrors: /status of 500/,
  },
  async ({ chat, page }) => {
    const failure = { status: 500, json: { error: 'the disk is full' } };
    await page.route('**/messages/stream', (route) => route.fulfill(failure), { times: 1 });
    await chat.send('hello');
    await chat.alert('The server failed (500): the disk is full.').waitFor();
    await chat.retryButton.click();
    await chat.statusOf('Done').waitFor();
  },
);

/** Lets the server run the turn to its end and hands on the first half of the stream alone. */
async function cutShort(route) {
  const response = await route.fetch();
  const frames = (await response.text()).split('\n\n');
  const half = frames.slice(0, Math.floor(frames.length / 2));
  await route.fulfill({ response, body: half.map((frame) => `${frame}\n\n`).join('') });
}
