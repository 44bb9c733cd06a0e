// A message whose request or response gets lost: it is kept, and makes one turn.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as faults from '../faults/kinds.mjs';
import { MESSAGES } from '../faults/proxy.mjs';
import { answerIn, firstPending } from './chats.mjs';
import { startServer } from './real-server.mjs';
import { beginRefund, REFUNDED, startProxy } from './refund-turn.mjs';

let url;
before(async (t) => {
  url = await startServer(t);
});

/** Sees a message through that meets this fault first; resolves to the turns that came of it. */
async function turnsAfter(t, answer) {
  const proxy = await startProxy(t, url);
  proxy.plan(MESSAGES, answer);
  const { chat, sent } = beginRefund(t, proxy);
  // Whoever does not send it again by itself does so when told to.
  const failed = sent.then(
    () => false,
    () => true,
  );
  const waits = firstPending(chat).then(() => false);
  const again = (await Promise.race([failed, waits])) ? chat.retry() : sent;
  await chat.approve((await firstPending(chat)).id);
  await again;
  const { messages, lastError } = chat.getState();
  assert.deepEqual([answerIn({ messages }), lastError, messages.length], [REFUNDED, null, 2]);
  return new Set(proxy.asked(MESSAGES).flatMap(({ turn }) => turn ?? []));
}

for (const [name, answer] of [
  ['is cut before the server has it', faults.refuse],
  ['is answered by a proxy’s page', faults.badGateway],
  ['is answered by a login page', faults.loginPage],
  ['is one too many', faults.tooMany(1)],
]) {
  // Survives: a message does not reach the server → it is kept, and Retry sends it
  test(`a message whose request ${name} makes one turn`, async (t) => {
    assert.equal((await turnsAfter(t, answer)).size, 1);
  });
}

// Survives: the response to a message gets lost → it is kept, and Retry joins its turn
test('a message whose response gets lost makes one turn', async (t) => {
  assert.equal((await turnsAfter(t, faults.lose)).size, 1);
});
