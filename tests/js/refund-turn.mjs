// One turn that asks for approval on its way, behind a proxy, and what it leaves behind.
import assert from 'node:assert/strict';
import { gate } from '../faults/gate.mjs';
import { holdUntil } from '../faults/kinds.mjs';
import * as proxies from '../faults/proxy.mjs';
import { chatFor, firstPending } from './chats.mjs';
import { frame } from './turns.mjs';

export const REFUNDED = 'Refunded $42.00 to your original payment method.';
export const REFUND = 'order A-1001 arrived broken, can you refund it?';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A proxy that lives as long as the test `t`. */
export async function startProxy(t, target) {
  const proxy = await proxies.startProxy(target);
  t.after(() => proxy.close());
  return proxy;
}

/** A chat and the turn that it has begun. */
export function beginRefund(t, proxy, options) {
  const chat = chatFor(t, proxy.url, options);
  return { chat, sent: chat.send(REFUND) };
}

/** A chat, its turn and the item that this waits for. */
export async function waitingRefund(t, proxy, options) {
  const { chat, sent } = beginRefund(t, proxy, options);
  // Where the turn breaks off for good the item may never come: that is what to tell then.
  const item = await Promise.race([firstPending(chat), sent.then(() => firstPending(chat))]);
  return { chat, sent, item };
}

/**
 * Plays the turn to its end and approves what it asks for; resolves to the state after it. What the
 * server answers to the verdict is held back until then, so that the streams alone show the end.
 */
export async function playRefund(t, proxy, options) {
  const { chat, sent, item } = await waitingRefund(t, proxy, options);
  const { opened, open } = gate();
  proxy.plan(proxies.DECISIONS, holdUntil(opened));
  const approved = chat.approve(item.id);
  await sent;
  open();
  await approved;
  return chat.getState();
}

/**
 * A state but for what each run has of its own: keys, ids, times, and what was seen on the way.
 */
export function likeness(state) {
  const shared = (name, value) => {
    if (['key', 'requestedAt', 'by', 'diagnostics'].includes(name)) return undefined;
    return UUID.test(value) ? 'an id' : value;
  };
  return JSON.parse(JSON.stringify(state, shared));
}

/** The events of the turn that a proxy saw, as its server keeps them. */
export async function storedEvents(proxy) {
  const [{ turn }] = proxy.asked(proxies.MESSAGES);
  const stream = await (await fetch(`${proxy.target}/turns/${turn}/stream`)).text();
  const lines = stream.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}

/** Where the frames of a turn's stream begin and where the last one ends: bytes from its start. */
export async function frameBounds(proxy) {
  const bounds = [0];
  for (const event of await storedEvents(proxy)) {
    bounds.push(bounds.at(-1) + Buffer.byteLength(frame(event)));
  }
  return bounds;
}

/** How many bytes of a turn's stream come before it waits for approval. */
export async function bytesUntilItWaits(proxy) {
  const events = await storedEvents(proxy);
  const waits = events.findIndex(({ type }) => type === 'approval:pending');
  return (await frameBounds(proxy))[waits + 1];
}

/** Checks that one message made one turn, and the turn one refund, however often it was asked. */
export async function assertOneRefund(proxy) {
  assert.equal(proxy.asked(proxies.MESSAGES).length, 1, 'messages');
  const events = await storedEvents(proxy);
  const ended = events.filter(
    ({ type, tool }) => type === 'tool:result' && tool === 'issue_refund',
  );
  assert.deepEqual(
    ended.map(({ statusText }) => statusText),
    ['Approved.'],
    'refunds',
  );
  assert.deepEqual(events.at(-1), { type: 'done', text: REFUNDED });
}
