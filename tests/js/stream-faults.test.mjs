// Events streamed over a bad network: those that come are whole, and what breaks is never quiet.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { streamMessage } from 'turnwire';
import * as faults from '../faults/kinds.mjs';
import { MESSAGES } from '../faults/proxy.mjs';
import { fault } from './faults.mjs';
import { startServer } from './real-server.mjs';
import { frameBounds, startProxy, storedEvents } from './refund-turn.mjs';

let url;
let events;
let bounds;
before(async (t) => {
  url = await startServer(t);
  const proxy = await startProxy(t, url);
  events = (await streamed(proxy)).events;
  assert.deepEqual(events, await storedEvents(proxy));
  bounds = await frameBounds(proxy);
});

/** The events of a turn that needs nobody, and the error that ended them. */
async function streamed(proxy, options) {
  const received = { events: [], error: undefined };
  try {
    for await (const event of streamMessage(proxy.url, 'customer-service', 'order A-1001', options))
      received.events.push(event);
  } catch (error) {
    received.error = error;
  }
  return received;
}

/** What comes of a message that meets this. */
async function meeting(t, answer, options) {
  const proxy = await startProxy(t, url);
  proxy.plan(MESSAGES, answer);
  const received = await streamed(proxy, options);
  assert.equal(proxy.asked(MESSAGES).length, 1, 'a message is never sent again by itself');
  return received;
}

/** Checks that these are the events whose frames end within so many bytes. */
function assertFirst(received, bytes) {
  const seen = bounds.filter((end) => end > 0 && end <= bytes).length;
  const likeness = ({ sessionId, ...event }) => event;
  assert.deepEqual(received.map(likeness), events.slice(0, seen).map(likeness));
}

/** In the middle of each frame, behind each but the last, and before the first. */
function cuts() {
  const middles = bounds.slice(1).map((end, index) => Math.floor((bounds[index] + end) / 2));
  return [...bounds.slice(0, -1), ...middles].sort((a, b) => a - b);
}

test('a cut stream yields its whole events and then the error', async (t) => {
  for (const bytes of cuts()) {
    const received = await meeting(t, faults.cutAfter(bytes));
    fault('network', { retryable: true })(received.error);
    assertFirst(received.events, bytes);
  }
});

test('a stream that ends early says so', async (t) => {
  for (const bytes of cuts()) {
    const code = bounds.includes(bytes) ? 'stream-interrupted' : 'frame-truncated';
    const received = await meeting(t, faults.endAfter(bytes));
    fault(code)(received.error);
    assertFirst(received.events, bytes);
  }
});

test('a stream that falls silent is a timeout behind what came', async (t) => {
  for (const bytes of [0, bounds[2], bounds[2] + 7]) {
    const options = { timeouts: { idleMs: 100 } };
    const received = await meeting(t, faults.halfOpenAfter(bytes), options);
    fault('idle-timeout', { retryable: true })(received.error);
    assertFirst(received.events, bytes);
  }
});

for (const [name, answer] of [
  ['kept back until it is whole', faults.buffer],
  ['delayed in each of its chunks', faults.delayChunks(() => new Promise(setImmediate))],
  ['stripped of its comments', faults.dropComments],
]) {
  test(`a stream that is ${name} yields the same events`, async (t) => {
    const received = await meeting(t, answer);
    assert.equal(received.error, undefined);
    assertFirst(received.events, bounds.at(-1));
  });
}

test('what a proxy answers in the server’s place is told as it is', async (t) => {
  for (const [answer, code, fields] of [
    [faults.badGateway, 'http-status', { status: 502, retryable: true }],
    [faults.unavailable, 'http-status', { status: 503, retryable: true }],
    [faults.tooMany(7), 'http-status', { status: 429, retryable: true }],
    [faults.unauthorised, 'http-status', { status: 401, retryable: false }],
    [faults.loginPage, 'unexpected-content-type', { status: 200 }],
    [faults.refuse, 'network', { retryable: true }],
    [faults.lose, 'network', { retryable: true }],
  ]) {
    const received = await meeting(t, answer);
    fault(code, fields)(received.error);
    assert.deepEqual(received.events, []);
    if (fields.status === 429) assert.equal(received.error.http.retryAfterMs, 7000);
  }
});
