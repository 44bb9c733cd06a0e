// Turns as servers send them.

export const SESSION = { type: 'session', sessionId: 's1' };
export const TEXT = { type: 'assistant:text', text: 'One moment — 那🌍.' };
export const DONE = { type: 'done', text: 'Done.' };
export const APPROVAL = {
  type: 'approval:pending',
  id: 'a1',
  tool: 'issue_refund',
  args: { orderId: 'A-1001' },
  scope: { tenant: 'default', environment: 'production', agent: 'customer-service' },
  reason: "matched rule 'refunds-need-approval'",
  requestedAt: '2026-06-30T10:00:00Z',
};
export const QUESTION = {
  type: 'question:pending',
  id: 'q1',
  question: 'Which order is it about?',
  options: ['A-1001', 'A-1002'],
  agent: 'customer-service',
  requestedAt: '2026-06-30T10:00:00Z',
};

/** The frame of an event, as servers write it; text is taken for JSON as it is. */
export function frame(event, end = '\n') {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  const name = typeof event === 'string' ? '' : `event: ${event.type}${end}`;
  return `${name}data: ${text}${end}${end}`;
}

/** The body of a turn that is over. */
export function finished(...events) {
  return { text: 'Done.', sessionId: 's1', events: [SESSION, ...events, DONE] };
}

/** The body of a turn that waits for approval. */
export function waiting(...events) {
  const { type, requestedAt, ...item } = APPROVAL;
  const urls = { approveUrl: '/approvals/a1/approve', denyUrl: '/approvals/a1/deny' };
  const head = { pending: true, type: 'approval', ...item, sessionId: 's1', ...urls };
  return { ...head, events: [SESSION, ...events, APPROVAL], statusUrl: '/agents/a/sessions/s1' };
}

/** All items of an async iterable. */
export async function collect(events) {
  const items = [];
  for await (const event of events) items.push(event);
  return items;
}

/** The types of events, in order. */
export function typesOf(events) {
  return events.map(({ type }) => type);
}
