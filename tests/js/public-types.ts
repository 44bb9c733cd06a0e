// What the types promise. Nothing here runs: it is enough that it compiles, and that each line
// below a `@ts-expect-error` does not.
import {
  answerQuestion,
  approveCall,
  type Chat,
  type ChatState,
  createChat,
  type decodeLoopEvent,
  getPendingApprovals,
  getSessionHistory,
  type HeadersFunction,
  type HistoryBlock,
  type KnownLoopEvent,
  type KnownLoopEventType,
  type LoopEvent,
  LoopEventDecoder,
  type MessageResult,
  type PendingItem,
  SseDecoder,
  sendMessage,
  streamMessage,
  streamMessageWithCallbacks,
  TurnwireError,
  type TurnwireErrorCode,
  type UnknownLoopEvent,
  type UnknownLoopEventType,
} from 'turnwire';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where both types are the same one. */
declare function same<A, B>(...proof: Equal<A, B> extends true ? [] : [never]): void;

declare const url: string;

export function narrowsOnType(event: LoopEvent) {
  switch (event.type) {
    case 'done':
      same<typeof event.text, string>();
      // @ts-expect-error a known event has no other fields
      return event.sessionId;
    case 'tool:started':
      return event.args.orderId;
    case 'approval:pending':
      return event.scope.tenant;
    case 'question:pending':
      same<typeof event.options, string[] | undefined>();
      return event.options;
    case 'error':
      return event.error;
    default:
      return undefined;
  }
}

export function leavesUnknownEvents(event: LoopEvent) {
  if (event.type === 'done' || event.type === 'error') return;
  // @ts-expect-error the 15 others are known, and have no such field in common
  event.text;
  // @ts-expect-error known types are spelled right
  if (event.type === 'tool:startd') return;
}

/** Every known type in a case leaves `UnknownLoopEvent`, whose fields can be read. */
export function isExhaustive(event: LoopEvent): unknown {
  switch (event.type) {
    case 'budget:check':
    case 'prompt:compaction':
    case 'assistant:text':
    case 'actauth:decision':
    case 'tool:started':
    case 'tool:result':
    case 'toollane:result':
    case 'skill:loaded':
    case 'loop:skipped':
    case 'loop:max_turns':
    case 'loop:denied':
    case 'loop:done':
    case 'session':
    case 'approval:pending':
    case 'question:pending':
    case 'done':
    case 'error':
      same<typeof event, KnownLoopEvent>();
      return event.type;
    default:
      same<typeof event, UnknownLoopEvent>();
      return event.heartbeat;
  }
}

export function looksForTypesOfItsOwn(event: LoopEvent): string {
  const type: string = event.type;
  return type === 'my:type' || (event.type as string) === 'my:other' ? type : '';
}

/** What the package keeps for itself cannot be imported, also not as a type. */
export function hidesTheRest() {
  // @ts-expect-error
  same<import('turnwire').UnknownType, never>();
  // @ts-expect-error
  same<import('turnwire').OpenString, never>();
}

export function acceptsUnknownTypes(): LoopEvent[] {
  // @ts-expect-error `done` needs its text
  const damaged: LoopEvent = { type: 'done' };
  // @ts-expect-error a text of a wrong type
  const wrong: LoopEvent = { type: 'done', text: 7 };
  const unknown: LoopEvent = { type: 'my:type' as UnknownLoopEventType, more: 1 };
  const done: LoopEvent = { type: 'done', text: '', stopReason: 'later:reason' };
  return [damaged, wrong, unknown, done];
}

export function keepsKnownTypesAsLiterals(type: KnownLoopEventType) {
  // @ts-expect-error no known type
  const other: KnownLoopEventType = 'other';
  const known: KnownLoopEventType = 'loop:done';
  return [type, other, known];
}

export async function narrowsResults() {
  const sent = await sendMessage(url, 'a', 'hi');
  // @ts-expect-error it may wait
  sent.text;
  if (sent.pending) {
    // @ts-expect-error it may be a question
    sent.tool;
    if (sent.type === 'approval') same<typeof sent.tool, string>();
    else same<typeof sent.question, string>();
    return sent.id;
  }
  return sent.text;
}

export async function narrowsDecisions(): Promise<string> {
  const decided: MessageResult = await approveCall(url, 'id');
  // @ts-expect-error it may be an acknowledgement or wait
  decided.text;
  if (decided.ok) return 'taken';
  if (decided.pending) return decided.id;
  // @ts-expect-error the question has no answer
  await answerQuestion(url, 'id');
  return decided.text;
}

export async function takesOptions(signal: AbortSignal, headers: Headers) {
  await sendMessage(url, 'a', 'hi', {
    sessionId: 's',
    headers,
    body: { tenant: 't' },
    signal,
    timeouts: { idleMs: null, totalMs: 5000 },
    onNotice: ({ code }) => same<typeof code, 'precision-loss'>(),
    onDecodeError: (error, raw) => [error.offset, raw.length],
  });
  await sendMessage(url, 'a', 'hi', { headers: { a: 'b' } });
  await sendMessage(url, 'a', 'hi', { headers: [['a', 'b']] });
  await sendMessage(url, 'a', 'hi', { headers: new Map([['a', 'b']]) });
  await sendMessage(url, 'a', 'hi', { signal: undefined, sessionId: undefined });
  await getPendingApprovals(url, 'a', { sessionId: 's' });
  // @ts-expect-error headers are text
  await sendMessage(url, 'a', 'hi', { headers: { a: 1 } });
  // @ts-expect-error a history is of the session that is named before
  await getSessionHistory(url, 'a', 's', { sessionId: 's' });
  // @ts-expect-error options are spelled right
  await sendMessage(url, 'a', 'hi', { session: 's' });
  // @ts-expect-error a plain result knows nothing of it
  await sendMessage(url, 'a', 'hi', { httpErrors: 'event' });
  // @ts-expect-error a message is a text
  await sendMessage(url, 'a', 7);
}

export async function takesFunctionsForHeaders(token: (fresh: boolean) => Promise<string>) {
  const headers: HeadersFunction = async ({ refresh }) => {
    same<typeof refresh, boolean>();
    return { authorization: await token(refresh) };
  };
  createChat({ baseUrl: url, agent: 'a', headers });
  for await (const _ of streamMessage(url, 'a', 'hi', { headers }));
  await sendMessage(url, 'a', 'hi', {
    headers: ({ refresh }) => {
      same<typeof refresh, boolean>();
      return new Headers();
    },
  });
  await sendMessage(url, 'a', 'hi', { headers: () => [['a', 'b']] });
  await sendMessage(url, 'a', 'hi', { headers: async () => new Map([['a', 'b']]) });
  await sendMessage(url, 'a', 'hi', { headers: () => undefined });
  // @ts-expect-error headers are text
  await sendMessage(url, 'a', 'hi', { headers: () => ({ a: 1 }) });
  // @ts-expect-error and not one text
  await sendMessage(url, 'a', 'hi', { headers: async () => 'a: b' });
  // @ts-expect-error the function is told this alone
  createChat({ baseUrl: url, agent: 'a', headers: ({ url }) => ({ a: url }) });
}

export async function streamsEvents() {
  for await (const event of streamMessage(url, 'a', 'hi', { httpErrors: 'event' })) {
    same<typeof event, LoopEvent>();
  }
  const events: AsyncGenerator<LoopEvent> = streamMessage(url, 'a', 'hi');
  await events.return(undefined);
  await streamMessageWithCallbacks(url, 'a', 'hi', undefined, {
    onEvent: (event) => same<typeof event, LoopEvent>(),
    onDone: ({ text, stopReason }) => [text, stopReason],
    onError: ({ error }) => error,
    // @ts-expect-error callbacks are spelled right
    onEnd: () => {},
  });
}

export async function readsHistories() {
  const { history } = await getSessionHistory(url, 'a', 's');
  for (const { role, content } of history) {
    if (role === 'user' && typeof content === 'string') content.trim();
    // @ts-expect-error content may be blocks
    content.trim();
  }
  return (block: HistoryBlock) => {
    if (block.type === 'tool_use') same<typeof block.name, string>();
    if (block.type === 'tool_result') same<typeof block.is_error, boolean | undefined>();
    if (block.type === 'text') same<typeof block.text, string>();
  };
}

export function narrowsErrors(error: unknown) {
  if (!(error instanceof TurnwireError)) return undefined;
  if (error.code === 'http-status') same<typeof error.status, number | undefined>();
  // @ts-expect-error codes are a closed list
  if (error.code === 'http-stats') return undefined;
  // @ts-expect-error an error is not changed
  error.code = 'closed';
  const code: TurnwireErrorCode = 'stream-interrupted';
  return [error.http?.retryAfterMs, error.itemIds?.length, code];
}

export function makesErrors() {
  // @ts-expect-error codes are a closed list
  new TurnwireError({ code: 'own', message: 'x' });
  // @ts-expect-error a code is needed
  new TurnwireError({ message: 'x' });
  return new TurnwireError({ code: 'closed', message: 'x', cause: 7 });
}

export function showsChats(useSyncExternalStore: <S>(a: Chat['subscribe'], b: () => S) => S) {
  const chat = createChat({ baseUrl: '', agent: 'a', sessionId: null });
  const state = useSyncExternalStore(chat.subscribe, chat.getState);
  same<typeof state, ChatState>();
  // @ts-expect-error a state is not changed
  state.messages.push();
  // @ts-expect-error neither are its fields
  state.phase = 'idle';
  // @ts-expect-error a phase is one of five
  if (state.phase === 'ready') return;
  // @ts-expect-error an agent is needed
  createChat({ baseUrl: '' });
  for (const part of state.messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'text') same<typeof part.text, string>();
    if (part.type === 'tool') same<typeof part.tool, string>();
    if (part.type === 'item') narrowsItems(part.item);
    if (part.type === 'notice' && part.notice === 'compaction') same<typeof part.from, number>();
  }
  chat[Symbol.dispose]();
}

function narrowsItems(item: PendingItem) {
  if (item.type === 'approval') same<typeof item.tool, string>();
  else same<typeof item.options, readonly string[]>();
  // @ts-expect-error only a failed decision has an error
  item.decision.error;
  if (item.decision.state === 'failed') same<typeof item.decision.error.retryable, boolean>();
}

export function decodes() {
  const decoder = new SseDecoder({ strict: true });
  same<typeof decoder.retryMs, number | undefined>();
  // @ts-expect-error only bytes and text
  decoder.push(new ArrayBuffer(1));
  // @ts-expect-error it is read, not set
  decoder.lastEventId = '7';
  for (const { event, error, json } of new LoopEventDecoder().push('')) {
    if (error === undefined) same<typeof event, LoopEvent>();
    else same<typeof error, TurnwireError>();
    same<typeof json, string>();
  }
  same<ReturnType<typeof decodeLoopEvent>, LoopEvent>();
}
