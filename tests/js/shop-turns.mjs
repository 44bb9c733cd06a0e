// Sessions with the scripted agent over AgentsKit's protocol, and what is read in their states.
import assert from 'node:assert/strict';
import {
  createTurnClient,
  decodeAssistantContent,
  fallbackText,
  whichContent,
} from 'turnwire/agentskit';

export const REFUNDED = 'Refunded $42.00 to your original payment method.';
export const GREETING = 'Hello! How can I help you with your order?';
const AGENT = '/agents/customer-service';

/** A name for a session of one's own. */
export const newSession = () => `s-${crypto.randomUUID()}`;

/** A client of a session, which is disposed of after the test `t`. */
export function shopClient(t, url, options) {
  const client = createTurnClient({ url: turnsOf(url), sessionId: newSession(), ...options });
  t.after(client.dispose);
  return client;
}

/** Where turns are submitted. */
export const turnsOf = (url) => `${url}${AGENT}/turns`;

/** The newest snapshot of a session, as its server tells it. */
export async function newestSnapshot(url, sessionId) {
  const response = await fetch(`${url}${AGENT}/sessions/${sessionId}/snapshot`);
  assert.equal(response.status, 200);
  return response.text();
}

/** Gives a client the newest snapshot once its session rests; resolves to the state after it. */
export async function catchUp(client, url, sessionId) {
  for (;;) {
    const text = await newestSnapshot(url, sessionId);
    if (JSON.parse(text).payload.status === 'streaming') continue;
    client.apply(text);
    return client.getSnapshot();
  }
}

export const messagesIn = ({ snapshot }) => snapshot?.payload.messages ?? [];

/** The parts of a message, of whatever its content is. */
export function partsOf({ content }) {
  if (whichContent(content) !== 'content') return [{ kind: 'text', text: content }];
  const { ok, parts, complete } = decodeAssistantContent(content);
  assert.deepEqual([ok, complete], [true, true], content);
  return parts;
}

/** What everybody said, in words. */
export const saidIn = (state) => messagesIn(state).map((message) => fallbackText(partsOf(message)));

/** What was said last, in words. */
export const answerIn = (state) => saidIn(state).at(-1);

/** The components of the last message, by their keys. */
export function componentsIn(state) {
  const parts = partsOf(messagesIn(state).at(-1)).filter(({ kind }) => kind === 'component');
  return Object.fromEntries(parts.map(({ frame }) => [frame.componentKey, frame]));
}

/** How each refund of the session stands. */
export function refundsIn(state) {
  const calls = messagesIn(state).flatMap(({ toolCalls }) => toolCalls ?? []);
  return calls.filter(({ name }) => name === 'issue_refund').map(({ status }) => status);
}
