// A chat whose stream breaks ends as one whose stream did not: same conversation, one turn.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { approveCall, getPendingApprovals } from 'turnwire';
import { buffer, cutAfter, endAfter, halfOpenAfter, replay } from '../faults/kinds.mjs';
import { JOINS, MESSAGES, STREAMS } from '../faults/proxy.mjs';
import { chatFor } from './chats.mjs';
import { startServer } from './real-server.mjs';
import {
  assertOneRefund,
  frameBounds,
  likeness,
  playRefund,
  REFUND,
  startProxy,
} from './refund-turn.mjs';

let url;
/** The conversation of an unbroken turn. */
let whole;
/** Where its frames begin, and where the last one ends: bytes from the start of its stream. */
let bounds;
before(async (t) => {
  url = await startServer(t);
  const proxy = await startProxy(t, url);
  whole = likeness(await playRefund(t, proxy));
  bounds = await frameBounds(proxy);
});

/** Bytes in the middle of each frame. */
function middles() {
  return bounds.slice(1).map((end, index) => Math.floor((bounds[index] + end) / 2));
}

/** Plays the turn behind a proxy that `plan` is given to, and compares. */
async function assertSame(t, plan, options) {
  const proxy = await startProxy(t, url);
  plan(proxy);
  assert.deepEqual(likeness(await playRefund(t, proxy, options)), whole);
  await assertOneRefund(proxy);
  return proxy;
}

// Survives: the connection is cut after any byte → the same conversation, one turn, one refund
test('a turn goes on behind its last whole event, wherever its stream is cut', async (t) => {
  const cuts = [...new Set([0, 1, 2, ...bounds.slice(0, -1), ...middles()])];
  await Promise.all(
    cuts.map(async (bytes) => {
      const proxy = await assertSame(t, (proxy) => proxy.plan(MESSAGES, cutAfter(bytes)));
      const [join] = proxy.asked(JOINS);
      const seen = bounds.filter((end) => end > 0 && end <= bytes).length;
      const last = seen === 0 ? undefined : String(seen - 1);
      assert.equal(join.headers['last-event-id'], last, `cut after ${bytes} bytes`);
    }),
  );
});

// Survives: a proxy ends the stream early → the same conversation, one turn, one refund
test('a turn goes on where its stream ends early as if it were whole', async (t) => {
  const ends = [0, ...bounds.slice(1, -1), ...middles().slice(0, -1)];
  await Promise.all(
    ends.map((bytes) => assertSame(t, (proxy) => proxy.plan(MESSAGES, endAfter(bytes)))),
  );
});

// Survives: the connection is cut again and again → the turn goes on while events come
test('a turn goes on as long as each stream brings an event', async (t) => {
  // More than the largest frame, so that each stream gets on.
  const cut = cutAfter(400);
  const proxy = await assertSame(t, (proxy) => proxy.always(STREAMS, cut));
  assert.ok(proxy.asked(JOINS).length >= 6);
});

test('a few streams that bring nothing end no turn', async (t) => {
  await assertSame(t, (proxy) => proxy.plan(STREAMS, cutAfter(300), cutAfter(0), endAfter(1)));
});

// Survives: the connection is half open → after `idleMs` the turn is joined again
test('a connection that only looks alive is given up, and the turn joined again', async (t) => {
  const timeouts = { idleMs: 250 };
  await Promise.all(
    [0, 1, bounds[1], ...middles().slice(2, 11)].map(async (bytes) => {
      const silent = (proxy) => proxy.plan(MESSAGES, halfOpenAfter(bytes));
      const proxy = await assertSame(t, silent, { timeouts });
      const seen = bounds.filter((end) => end > 0 && end <= bytes).length;
      const last = seen === 0 ? undefined : String(seen - 1);
      assert.equal(proxy.asked(JOINS)[0].headers['last-event-id'], last);
    }),
  );
});

// Survives: a server sends again what was there → every event is shown once
test('events that come again are shown once', async (t) => {
  const cuts = [1, 5, 9, 13].map((index) => bounds[index] + 1);
  await Promise.all(
    cuts.map((bytes) =>
      assertSame(t, (proxy) => {
        proxy.plan(MESSAGES, cutAfter(bytes));
        proxy.always(JOINS, replay);
      }),
    ),
  );
});

// Survives: a proxy holds the stream back → the same conversation, all at once
test('a turn whose stream is kept back is whole once it was approved elsewhere', async (t) => {
  const proxy = await startProxy(t, url);
  proxy.plan(MESSAGES, buffer);
  const chat = chatFor(t, proxy.url);
  await chat.open('kept-back');
  const sent = chat.send(REFUND);
  await approveCall(url, await pendingIn('kept-back'));
  await sent;
  assert.deepEqual(likeness(chat.getState()), { ...whole, sessionId: 'kept-back' });
  await assertOneRefund(proxy);
});

/** Asks the server until a call waits in this session. */
async function pendingIn(sessionId) {
  for (;;) {
    const { approvals } = await getPendingApprovals(url, 'customer-service', { sessionId });
    if (approvals.length > 0) return approvals[0].id;
  }
}
