// A turn route of AgentsKit's protocol, scripted, and clients of it.
import { createSnapshotEvent, createTurnClient, decodeTurnEvent } from 'turnwire/agentskit';
import { json } from './stand-in-server.mjs';

/** A client that is disposed of after the test `t`. */
export function clientFor(t, url, options) {
  const client = createTurnClient({ url: `${url}/turns`, sessionId: 's1', ...options });
  t.after(client.dispose);
  return client;
}

/** Resolves to the first state that `accept` likes. */
export function stateWhere(client, accept) {
  return new Promise((resolve) => {
    const look = () => {
      const state = client.getSnapshot();
      if (!accept(state)) return;
      unsubscribe();
      resolve(state);
    };
    const unsubscribe = client.subscribe(look);
    look();
  });
}

/** What was submitted with a request. */
export function submissionIn({ body }) {
  const { ok, event } = decodeTurnEvent(body);
  if (!ok) throw new Error(`no submission: ${body}`);
  return event;
}

/** The line of a snapshot in which the agent has said this. */
export const snapshot = (sequence, status, answer) => (turnId) => {
  const message = (id, role, content) => ({
    id,
    role,
    content,
    status: 'complete',
    createdAt: '2031-03-04T05:06:07.089Z',
  });
  const event = createSnapshotEvent({
    eventId: `e${sequence}`,
    sessionId: 's1',
    turnId,
    sequence,
    emittedAt: '2031-03-04T05:06:07Z',
    messages: [message('m1', 'user', 'hi'), message('m2', 'assistant', answer)],
    status,
    usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
  });
  return `${JSON.stringify(event)}\n`;
};

export const streaming = (sequence, answer) => snapshot(sequence, 'streaming', answer);
export const complete = (sequence, answer) => snapshot(sequence, 'complete', answer);

/** Answers with a turn of these lines, which ends, breaks or stays open after so many bytes. */
export function turn(lines, { bytes = Number.POSITIVE_INFINITY, end = 'end' } = {}) {
  return async (response, request) => {
    const { turnId } = submissionIn(request);
    const text = Buffer.from(lines.map((line) => line(turnId)).join(''));
    response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
    response.flushHeaders();
    const part = text.subarray(0, bytes);
    // An empty write would be the end of the response.
    if (part.length > 0) await new Promise((resolve) => response.write(part, resolve));
    if (end !== 'open') response[end]();
  };
}

/** Answers as a server does that has or had the turn, or has another one. */
export const busy = json(
  {
    error: {
      version: 1,
      code: 'SESSION_BUSY',
      message: 'Another turn is active for this session.',
      retryable: true,
    },
  },
  409,
);

/** Gives these answers one after another, the last one for ever. */
export function inTurn(...answers) {
  let next = 0;
  return (response, request) => answers[Math.min(next++, answers.length - 1)](response, request);
}

/** What the agent has said in a state. */
export const answerIn = ({ snapshot }) => snapshot?.payload.messages.at(-1).content;
