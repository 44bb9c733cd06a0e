/** The query of the page that speaks AgentsKit's protocol. */
export const AGENTSKIT = '?protocol=agentskit';

const PREFIX = '\u001eagentskit.chat.content/1\n';

/** The record of a text in ordered content. */
export function text(text) {
  return { kind: 'text', text };
}

/** The record of a component in ordered content; its words are its fallback. */
export function component(componentKey, props, summary) {
  const fallback = { kind: componentKey, summary };
  const protocol = 'agentskit.chat.component';
  const instanceId = `${componentKey}-1`;
  const frame = { protocol, version: 1, type: 'render', componentKey, instanceId, props, fallback };
  return { kind: 'component', frame };
}

/** Ordered content of these records. */
export function envelope(...records) {
  return PREFIX + records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/**
 * Stands in for the server of turns: `answer(submission)` gives what a submission is answered with,
 * `look(submission)` the newest snapshot of its session; both as `route.fulfill` takes it.
 */
export async function standIn(page, answer, look = () => ({ status: 404, json: {} })) {
  let submission;
  await page.route('**/agents/*/turns', async (route) => {
    submission = route.request().postDataJSON();
    await route.fulfill(await answer(submission));
  });
  await page.route('**/sessions/*/snapshot', async (route) => {
    await route.fulfill(await look(submission));
  });
}

/** A response of these lines; the last one may be cut. */
export function lines(...texts) {
  return { contentType: 'application/x-ndjson; charset=utf-8', body: texts.join('') };
}

/** The line of a snapshot in which the agent has answered a submission with this content. */
export function snapshotLine({ sessionId, turnId, payload }, sequence, status, content) {
  const createdAt = '2031-03-04T05:06:07.089Z';
  const user = { id: 'm-1', role: 'user', content: payload.input, status: 'complete', createdAt };
  const agent = { id: 'm-2', role: 'assistant', content, status, createdAt };
  const usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  const event = {
    protocol: 'agentskit.chat.turn',
    version: 1,
    eventId: `e-${sequence}`,
    sessionId,
    turnId,
    sequence,
    emittedAt: createdAt,
    event: 'server.turn.snapshot',
    payload: { messages: [user, agent], status, usage },
  };
  return `${JSON.stringify(event)}\n`;
}
