// The public types of the npm package `turnwire`, for all of its entries.

// `Symbol.dispose`, which programs that target less than the newest edition do not have otherwise.
/// <reference lib="esnext.disposable" />

// ---------------------------------------------------------------------------------------------
// Events of a turn
// ---------------------------------------------------------------------------------------------

/** A JSON object whose fields this package does not know. */
export interface JsonObject {
  [field: string]: unknown;
}

/** The model's context budget, before each model call. */
export interface BudgetCheckEvent {
  type: 'budget:check';
  /** How full the context is; later servers may add values. */
  action: 'ok' | 'nudge' | 'over_hard_limit' | OpenString;
  usedTokens: number;
  budgetTokens: number;
  /** `usedTokens` divided by `budgetTokens`. */
  ratio: number;
  /** What the model is told; only with the action `nudge`. */
  nudge?: { role: string; content: string };
}

/** A prompt was rejected as too large and was shortened. */
export interface PromptCompactionEvent {
  type: 'prompt:compaction';
  /** Number of messages before. */
  from: number;
  /** Number of messages after. */
  to: number;
}

/** What the model says beside a tool call. */
export interface AssistantTextEvent {
  type: 'assistant:text';
  text: string;
}

/** What the gate, or the person it asked, decided on one call. */
export interface ActauthDecisionEvent {
  type: 'actauth:decision';
  tool: string;
  /** The verdict; later servers may add values. */
  decision: 'allow' | 'ask' | 'deny' | OpenString;
  /** The rule that decided, and a person's choice where one was asked. */
  reason: string;
}

/** A call was decided and is about to run. */
export interface ToolStartedEvent {
  type: 'tool:started';
  /** The model's id of the call, as in its `tool:result`. */
  id: string;
  tool: string;
  args: JsonObject;
  /** Why it may run. */
  detailText: string;
}

/** A call ended: run, failed, denied or skipped. */
export interface ToolResultEvent {
  type: 'tool:result';
  /** The model's id of the call, as in its `tool:started`. */
  id: string;
  tool: string;
  args?: JsonObject;
  /** Why it ended so. */
  detailText?: string;
  /** `Approved.`, `Error.`, `Denied.` or `Skipped.`, with the full stop. */
  statusText: string;
}

/** A tool's own outcome, directly before its `tool:result`. */
export interface ToollaneResultEvent {
  type: 'toollane:result';
  /** Name of the tool. */
  name: string;
  /** Its result as JSON text, or `ERROR: …`. */
  summary: string;
}

/** A skill was loaded. */
export interface SkillLoadedEvent {
  type: 'skill:loaded';
  skill: string;
}

/** A call was not run because another of its batch was denied. */
export interface LoopSkippedEvent {
  type: 'loop:skipped';
  /** Name of the tool that was skipped. */
  name: string;
  deniedTools: string[];
}

/** The turn ran into its limit of model calls. */
export interface LoopMaxTurnsEvent {
  type: 'loop:max_turns';
  maxTurns: number;
}

/** A call was denied and the turn stops. */
export interface LoopDeniedEvent {
  type: 'loop:denied';
  deniedTools: string[];
}

/** The model is finished; `done` repeats its text. */
export interface LoopDoneEvent {
  type: 'loop:done';
  text: string;
}

/** The first event of a streamed turn. */
export interface SessionEvent {
  type: 'session';
  sessionId: string;
}

/** Where a call would act. */
export interface ApprovalScope {
  tenant: string;
  environment: string;
  agent: string;
}

/** A call that waits for approval, as `getPendingApprovals` lists it. */
export interface PendingApproval {
  /** Id of the decision; not the call's. */
  id: string;
  tool: string;
  args: JsonObject;
  scope: ApprovalScope;
  /** The rule that asks. */
  reason: string;
  /** When it was asked, RFC 3339. */
  requestedAt: string;
  /** When it expires, RFC 3339, where a Turnwire server sets a limit. */
  expiresAt?: string;
}

/** A call waits for a person. */
export interface ApprovalPendingEvent extends PendingApproval {
  type: 'approval:pending';
}

/** A question that waits for its answer, as `getPendingQuestions` lists it. */
export interface PendingQuestion {
  /** Id of the decision; not the call's. */
  id: string;
  question: string;
  /** Answers to choose from; any other text is an answer too. */
  options?: string[];
  /** The agent that asks. */
  agent: string;
  sessionId?: string;
  /** When it was asked, RFC 3339. */
  requestedAt: string;
  /** When it expires, RFC 3339, where a Turnwire server sets a limit. */
  expiresAt?: string;
}

/** The agent asks the person something. */
export interface QuestionPendingEvent extends PendingQuestion {
  type: 'question:pending';
}

/** Why a turn ended without an answer; later servers may add values. */
export type StopReason = 'max_turns' | 'denied' | OpenString;

/** The turn is over. */
export interface DoneEvent {
  type: 'done';
  /** The answer, or a notice where `stopReason` is set. */
  text: string;
  stopReason?: StopReason;
}

/** The turn failed; no `done` follows. */
export interface ErrorEvent {
  type: 'error';
  /** What went wrong, for people. */
  error: string;
}

/** The 17 events of loopengine Protocol v1. */
export type KnownLoopEvent =
  | BudgetCheckEvent
  | PromptCompactionEvent
  | AssistantTextEvent
  | ActauthDecisionEvent
  | ToolStartedEvent
  | ToolResultEvent
  | ToollaneResultEvent
  | SkillLoadedEvent
  | LoopSkippedEvent
  | LoopMaxTurnsEvent
  | LoopDeniedEvent
  | LoopDoneEvent
  | SessionEvent
  | ApprovalPendingEvent
  | QuestionPendingEvent
  | DoneEvent
  | ErrorEvent;

/** The types of the 17 known events. */
export type KnownLoopEventType = KnownLoopEvent['type'];

/** For the compiler only: there is no such object. */
declare enum UnknownType {
  any = '',
}

/**
 * A string that is none of the known event types.
 *
 * For the compiler it is an enumeration of its own: with `string` in its place, branded or not,
 * TypeScript would keep `UnknownLoopEvent` in the running when `event.type === 'done'`. So a
 * comparison with anything but a known type is an error, as a misspelt one should be; write
 * `(event.type as string) === 'my:type'` to look for a type of your own. To make such an event, in
 * a test for example, write `'my:type' as UnknownLoopEventType`.
 */
export type UnknownLoopEventType = UnknownType;

/** An event of a type that this version does not know, exactly as sent: ignore it, or read it. */
export interface UnknownLoopEvent {
  type: UnknownLoopEventType;
  [field: string]: unknown;
}

/**
 * One event of a turn, a plain object exactly as the server sent it.
 *
 * Narrow it on `type`: each known literal leaves exactly that event, and what no case has taken is
 * an `UnknownLoopEvent`. Fields that the types do not name are there as well.
 *
 * @example
 * switch (event.type) {
 *   case 'tool:started': return event.tool;
 *   case 'done': return event.text;
 * }
 */
export type LoopEvent = KnownLoopEvent | UnknownLoopEvent;

/** Any other string, without losing the completion of the known ones. */
type OpenString = string & {};

// ---------------------------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------------------------

/** A turn that is over. */
export interface SendMessageResult {
  pending?: undefined;
  ok?: undefined;
  /** The answer, or a notice where `stopReason` is set; can be empty. */
  text: string;
  sessionId: string;
  /** Every event of the turn, `session` first. */
  events: LoopEvent[];
  stopReason?: StopReason;
}

/** A turn that waits for approval of a call. */
export interface PendingApprovalResult {
  pending: true;
  ok?: undefined;
  type: 'approval';
  /** Id of the decision, for `approveCall` and `denyCall`. */
  id: string;
  sessionId: string;
  tool: string;
  args: JsonObject;
  scope: ApprovalScope;
  /** The rule that asks. */
  reason: string;
  /** Path, relative to the server. */
  approveUrl: string;
  /** Path, relative to the server. */
  denyUrl: string;
  /** Every event of the turn so far, `session` first. */
  events: LoopEvent[];
  /** Path, relative to the server; some servers do not encode it, so build your own. */
  statusUrl: string;
}

/** A turn that waits for an answer. */
export interface PendingQuestionResult {
  pending: true;
  ok?: undefined;
  type: 'question';
  /** Id of the decision, for `answerQuestion`. */
  id: string;
  sessionId: string;
  question: string;
  /** Answers to choose from; any other text is an answer too. */
  options?: string[];
  /** Path, relative to the server. */
  answerUrl: string;
  /** Every event of the turn so far, `session` first. */
  events: LoopEvent[];
  /** Path, relative to the server; some servers do not encode it, so build your own. */
  statusUrl: string;
}

/** A decision was taken; how the turn goes on is not part of this answer. */
export interface AcknowledgedResult {
  pending?: undefined;
  ok: true;
}

/** What a message leads to: the end of the turn, or something to decide. */
export type TurnResult = SendMessageResult | PendingApprovalResult | PendingQuestionResult;

/**
 * What a decision leads to.
 *
 * @example
 * if (result.ok) console.log('taken');
 * else if (result.pending) console.log('next:', result.id);
 * else console.log(result.text);
 */
export type MessageResult = TurnResult | AcknowledgedResult;

/** Text of a stored message. */
export interface TextBlock {
  type: 'text';
  text: string;
}

/** A call that the model asked for. */
export interface ToolUseBlock {
  type: 'tool_use';
  /** The model's id of the call. */
  id: string;
  name: string;
  input: JsonObject;
}

/** What came of a call. */
export interface ToolResultBlock {
  type: 'tool_result';
  /** The call's id. */
  tool_use_id: string;
  /** The result as JSON text, or `ERROR: …`, `denied: …`, `skipped: …`. */
  content: string;
  is_error?: boolean;
  reason?: string;
}

/** A block that this version does not know, exactly as sent. */
export interface UnknownHistoryBlock {
  type?: UnknownLoopEventType;
  [field: string]: unknown;
}

/** A part of a stored message. */
export type HistoryBlock = TextBlock | ToolUseBlock | ToolResultBlock | UnknownHistoryBlock;

/** One stored message. */
export interface HistoryMessage {
  /** Who speaks; tool results come from `user`, budget nudges from `system`. */
  role: 'user' | 'assistant' | 'system' | OpenString;
  /** Text, which from `user` is what the person wrote, or blocks. */
  content: string | HistoryBlock[];
}

/** What `getSessionHistory` resolves to. */
export interface SessionHistory {
  sessionId: string;
  /** Oldest first; empty for a session that the server does not know. */
  history: HistoryMessage[];
}

/** What `getPendingApprovals` resolves to. */
export interface PendingApprovals {
  approvals: PendingApproval[];
}

/** What `getPendingQuestions` resolves to. */
export interface PendingQuestions {
  questions: PendingQuestion[];
}

// ---------------------------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------------------------

/**
 * What went wrong. The list is closed, and a part of the public contract.
 *
 * - `frame-too-large`, `frame-truncated`, `invalid-json`, `nesting-too-deep`, `invalid-event`: what
 *   a stream brought
 * - `invalid-argument`: something that cannot be sent; nothing was sent
 * - `headers-failed`: the function that gives the headers failed
 * - `http-status`: a status outside 2xx
 * - `unexpected-content-type`, `invalid-response`, `response-too-large`: a success that is not the
 *   protocol's, such as a login page
 * - `network`, `connect-timeout`, `idle-timeout`, `total-timeout`: the connection
 * - `aborted`: stopped by this package's own means; an `AbortSignal` rejects with its own reason
 * - `stream-interrupted`: the stream ended before its turn did: without `done` or `error`, or without
 *   AgentsKit's last snapshot
 * - `agent-failed`: the turn failed on the server
 * - `busy`, `pending-items`, `not-pending`, `already-deciding`, `decision-stale`, `item-damaged`:
 *   what a chat cannot do now
 * - `decision-limit`, `no-progress`: a turn that would go on for ever
 * - `closed`: the object was closed
 */
export type TurnwireErrorCode =
  | 'frame-too-large'
  | 'frame-truncated'
  | 'invalid-json'
  | 'nesting-too-deep'
  | 'invalid-event'
  | 'invalid-argument'
  | 'headers-failed'
  | 'http-status'
  | 'unexpected-content-type'
  | 'invalid-response'
  | 'response-too-large'
  | 'network'
  | 'connect-timeout'
  | 'idle-timeout'
  | 'total-timeout'
  | 'aborted'
  | 'stream-interrupted'
  | 'agent-failed'
  | 'busy'
  | 'pending-items'
  | 'not-pending'
  | 'already-deciding'
  | 'decision-stale'
  | 'item-damaged'
  | 'decision-limit'
  | 'no-progress'
  | 'closed';

/**
 * Why the package could not start; its import rejects with it.
 *
 * - `wasm-unsupported`: the environment has no WebAssembly
 * - `wasm-unreachable`: the module could not be fetched
 * - `wasm-not-found`: its address answered with a status outside 2xx
 * - `wasm-wrong-file`: its address answered with something else, such as a page
 * - `wasm-blocked`: the page's Content-Security-Policy lacks `'wasm-unsafe-eval'`
 * - `wasm-failed`: the engine refused it
 */
export type TurnwireLoadErrorCode =
  | 'wasm-unsupported'
  | 'wasm-unreachable'
  | 'wasm-not-found'
  | 'wasm-wrong-file'
  | 'wasm-blocked'
  | 'wasm-failed';

/** What a response said of itself. */
export interface HttpDetails {
  status: number;
  /** Whether it came from another address than the one asked, as after a redirect to a login page. */
  redirected: boolean;
  /** Without parameters, in lower case. */
  mediaType?: string;
  /** Machine-readable code from the body: `code`, `error.code`, or a problem's `type`. */
  code?: string;
  /** Text for people from the body: `error`, `error.message`, `message`, `detail` or `title`. */
  message?: string;
  /** The verdict that stands, where another one came too late, as a Turnwire server says it. */
  verdict?: 'approve' | 'deny' | 'answer' | OpenString;
  /** The answer that stands, where another one came too late. */
  answer?: string;
  /** Start of a body that is not JSON: at most 200 characters. */
  excerpt?: string;
  /** `Retry-After` in milliseconds from when the response arrived, where it was given in seconds. */
  retryAfterMs?: number;
  /** `WWW-Authenticate`, as sent. */
  wwwAuthenticate?: string;
  /** `X-Request-Id`, as sent. */
  requestId?: string;
}

/** The fields of an error to make. */
export interface TurnwireErrorInit {
  code: TurnwireErrorCode | TurnwireLoadErrorCode;
  message: string;
  retryable?: boolean;
  status?: number;
  offset?: number;
  itemIds?: string[];
  http?: HttpDetails;
  cause?: unknown;
}

/**
 * What every function of this package throws or rejects with, except for a signal's own reason.
 *
 * For `http-status` the message is the server's own text, or `HTTP <status>` where it sent none.
 * Everything else says in one lower-case line what was expected and found, without headers, tokens
 * or message text; only `headers-failed` quotes what the function for headers threw.
 */
export class TurnwireError extends Error {
  constructor(init: TurnwireErrorInit);
  readonly name: 'TurnwireError';
  /** What went wrong, for programs. */
  readonly code: TurnwireErrorCode | TurnwireLoadErrorCode;
  /** Whether the same call can succeed later without a change. */
  readonly retryable: boolean;
  /** HTTP status, where the server answered. */
  readonly status?: number;
  /** Where in the stream the frame at fault began: bytes from its start. */
  readonly offset?: number;
  /** Ids of the items that stand in the way, with `pending-items`. */
  readonly itemIds?: readonly string[];
  /** What the response said of itself, where the server answered. */
  readonly http?: Readonly<HttpDetails>;
  readonly cause?: unknown;
}

// ---------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------

/** How long to wait for what, in milliseconds; `null` and `Infinity` wait for ever. */
export interface Timeouts {
  /**
   * Until the response's head of streams, histories and lists, and for each answer of a function
   * for headers. Default 30 000.
   */
  connectMs?: number | null;
  /**
   * Until the response's head of `sendMessage` and decisions, which servers hold back until the
   * turn is over or waits. Default: for ever.
   */
  responseMs?: number | null;
  /**
   * Without a byte of the body. Default 330 000: servers send nothing while a person decides, and
   * allow five minutes for that.
   */
  idleMs?: number | null;
  /** For the whole exchange. Default: for ever. */
  totalMs?: number | null;
}

/** How much is taken in and sent, in bytes of UTF-8. */
export interface Limits {
  /** One frame of a stream. Default 16 MiB; more is `frame-too-large`. */
  maxFrameBytes?: number;
  /** One JSON response. Default 64 MiB; more is `response-too-large`. */
  maxResponseBytes?: number;
  /** One message or answer. Default 256 KiB; more is `invalid-argument`. */
  maxMessageBytes?: number;
}

/** Integers beyond ±(2^53−1), which JavaScript rounds, arrived. */
export interface PrecisionLossNotice {
  code: 'precision-loss';
  message: string;
  /** As they were written. */
  integers: string[];
  /** Where in the stream the event began: bytes from its start. `undefined` for a plain result. */
  offset: number | undefined;
}

/** Something odd that is no error. Later versions may add codes. */
export type Notice = PrecisionLossNotice;

/** Headers by name: a record, a `Headers` or a list of pairs. */
export type HeadersGiven = Record<string, string> | Iterable<readonly [string, string]>;

/**
 * A function that gives the headers of each request, such as a token that expires.
 *
 * It is called for every request, also each time that a chat joins its turn again. Where the server
 * answers with status 401 it is called once more, with `refresh` set, and the request is sent again
 * with what it gives then; a second 401 is the error. A server that answers with 401 has not acted
 * on the request, so that no message is sent twice. Requests of one chat that are refused at the
 * same time share one such call.
 *
 * Waiting for it is bounded by `connectMs`, and ended by the signal.
 *
 * @throws whatever it throws or rejects with becomes a `TurnwireError` `headers-failed` with the
 * error's message; what it gives and cannot be sent is `invalid-argument`
 *
 * @example
 * const headers = async ({ refresh }) => ({ authorization: `Bearer ${await token(refresh)}` });
 * const chat = createChat({ baseUrl: '/api', agent: 'customer-service', headers });
 */
export type HeadersFunction = (asked: {
  /** Whether the server refused what the function gave last. */
  refresh: boolean;
}) => HeadersGiven | null | undefined | Promise<HeadersGiven | null | undefined>;

/** What every request takes. */
export interface RequestOptions {
  /**
   * Headers beside the package's own, or a function that gives them; one of the same name replaces
   * it, whatever the case.
   */
  headers?: HeadersGiven | HeadersFunction | undefined;
  /**
   * Stops the request. The call then rejects with the signal's reason, as `fetch` does: a
   * `DOMException` named `AbortError` unless you gave another. The turn goes on at the server.
   */
  signal?: AbortSignal | undefined;
  timeouts?: Timeouts | undefined;
  limits?: Limits | undefined;
  /** Told of what is odd; without it nothing is looked for. */
  onNotice?: ((notice: Notice) => void) | undefined;
}

/** What requests about a turn take. */
export interface TurnOptions extends RequestOptions {
  /** More fields for the JSON body; they win over the package's own. */
  body?: Record<string, unknown> | undefined;
  /**
   * Told of each damaged event, with its JSON text; the call then goes on without that event.
   * Without it the call ends with the error.
   */
  onDecodeError?: ((error: TurnwireError, raw: string) => void) | undefined;
}

/** What a message takes. */
export interface MessageOptions extends TurnOptions {
  /** The session to go on with; without it the server starts one. */
  sessionId?: string | undefined;
}

/** What a streamed message takes. */
export interface StreamOptions extends MessageOptions {
  /**
   * What a response that is no event stream becomes: `throw` (default) a `TurnwireError`, or, as
   * the original client has it, one `error` event and the end.
   */
  httpErrors?: 'throw' | 'event' | undefined;
}

/** What a list takes. */
export interface ListOptions extends RequestOptions {
  /** Lists only this session's. */
  sessionId?: string | undefined;
}

/**
 * Sends a message; resolves when the turn is over or waits for a decision.
 *
 * @param baseUrl Address of the server; in browsers also a path of the page's own origin, `''`
 * being its root.
 * @throws {TurnwireError} `invalid-argument` before anything is sent; `http-status`;
 * `unexpected-content-type`, `invalid-response`, `response-too-large`, `nesting-too-deep`;
 * `invalid-event` without `onDecodeError`; `network` and the three timeouts; `headers-failed`
 * @throws the signal's reason
 *
 * @example
 * const result = await sendMessage('http://127.0.0.1:8787', 'customer-service', 'hello');
 * if (!result.pending) console.log(result.text);
 */
export function sendMessage(
  baseUrl: string,
  agent: string,
  message: string,
  options?: MessageOptions,
): Promise<TurnResult>;

/**
 * Approves a pending call; resolves when the turn is over or waits for the next decision.
 *
 * @param id Id of the decision, not the call's.
 * @throws {TurnwireError} as `sendMessage`; `http-status` with status 404 where no such call is
 * pending any more. After `network` or a status of 500 the call may have been approved:
 * `getPendingApprovals` tells.
 */
export function approveCall(
  baseUrl: string,
  id: string,
  options?: TurnOptions,
): Promise<MessageResult>;

/**
 * Denies a pending call; resolves when the turn is over or waits for the next decision.
 *
 * @param id Id of the decision, not the call's.
 * @throws {TurnwireError} as `approveCall`
 */
export function denyCall(
  baseUrl: string,
  id: string,
  options?: TurnOptions,
): Promise<MessageResult>;

/**
 * Answers a pending question; resolves when the turn is over or waits for the next decision.
 *
 * @throws {TurnwireError} as `approveCall`
 */
export function answerQuestion(
  baseUrl: string,
  id: string,
  answer: string,
  options?: TurnOptions,
): Promise<MessageResult>;

/**
 * Reads a session's stored messages; a session that the server does not know has none.
 *
 * @throws {TurnwireError} as `sendMessage`
 */
export function getSessionHistory(
  baseUrl: string,
  agent: string,
  sessionId: string,
  options?: RequestOptions,
): Promise<SessionHistory>;

/**
 * Lists the calls of an agent, or of one of its sessions, that wait for approval.
 *
 * @throws {TurnwireError} as `sendMessage`
 */
export function getPendingApprovals(
  baseUrl: string,
  agent: string,
  options?: ListOptions,
): Promise<PendingApprovals>;

/**
 * Lists the questions of an agent, or of one of its sessions, that wait for an answer.
 *
 * @throws {TurnwireError} as `sendMessage`
 */
export function getPendingQuestions(
  baseUrl: string,
  agent: string,
  options?: ListOptions,
): Promise<PendingQuestions>;

/**
 * Sends a message and yields the events of its turn as they arrive.
 *
 * Nothing is sent before the first event is asked for. Leaving early, by `break`, `return()` or
 * `throw()`, stops the request at once, also while a read is pending; the turn goes on at the
 * server. The stream stays open while a decision is pending: decide beside it, and the events go on
 * arriving here.
 *
 * @throws {TurnwireError} as `sendMessage`, and `stream-interrupted`, `frame-truncated`,
 * `frame-too-large`. An `error` event is not thrown.
 * @throws the signal's reason
 *
 * @example
 * for await (const event of streamMessage('http://127.0.0.1:8787', 'customer-service', 'hello')) {
 *   if (event.type === 'done') console.log(event.text);
 * }
 */
export function streamMessage(
  baseUrl: string,
  agent: string,
  message: string,
  options?: StreamOptions,
): AsyncGenerator<LoopEvent, void, undefined>;

/** What `streamMessageWithCallbacks` calls. */
export interface StreamCallbacks {
  /** Called for every event. */
  onEvent?: ((event: LoopEvent) => void) | undefined;
  /** Called for `done`, after `onEvent`. */
  onDone?: ((event: DoneEvent) => void) | undefined;
  /** Called for `error`, after `onEvent`. */
  onError?: ((event: ErrorEvent) => void) | undefined;
}

/**
 * `streamMessage` with callbacks; resolves when the stream has ended. A callback that throws stops
 * the request and rejects the promise.
 *
 * @throws {TurnwireError} as `streamMessage`
 */
export function streamMessageWithCallbacks(
  baseUrl: string,
  agent: string,
  message: string,
  options: StreamOptions | undefined,
  callbacks: StreamCallbacks,
): Promise<void>;

// ---------------------------------------------------------------------------------------------
// Chat
// ---------------------------------------------------------------------------------------------

/** An error as a value that a user interface can show and keep. */
export interface ChatFault {
  readonly code: TurnwireErrorCode;
  /** The server's own text where it sent one. */
  readonly message: string;
  readonly status?: number;
  /** Whether trying again can help. */
  readonly retryable: boolean;
}

/** What a person says to a pending item. */
export type Verdict =
  | { readonly type: 'approve' }
  | { readonly type: 'deny' }
  | { readonly type: 'answer'; readonly text: string };

/**
 * What became of a pending item.
 *
 * - `idle`: nobody decided yet
 * - `queued`: a verdict waits for the network, and can be withdrawn until it is sent
 * - `sending`: a verdict is on its way
 * - `elsewhere`: another window is sending one; it may fail, so one can still be given here
 * - `failed`: it is unknown whether the server has it; the same verdict can be sent again
 * - `settled`: the server has a verdict, which is named where it is known, and `by` says who gave
 *   it: `elsewhere` is another window, device or person, while this chat was watching
 * - `stale`: the server no longer waits; `expired` says that nobody decided in time
 */
export type DecisionState =
  | { readonly state: 'idle' }
  | { readonly state: 'queued'; readonly verdict: Verdict }
  | { readonly state: 'sending'; readonly verdict: Verdict }
  | { readonly state: 'elsewhere'; readonly verdict: Verdict }
  | { readonly state: 'failed'; readonly verdict: Verdict; readonly error: ChatFault }
  | {
      readonly state: 'settled';
      readonly verdict?: Verdict;
      readonly by?: 'here' | 'elsewhere';
    }
  | { readonly state: 'stale'; readonly reason: string; readonly expired: boolean };

interface PendingItemBase {
  /** Id of the decision, for `approve`, `deny` and `answer`. */
  readonly id: string;
  /** When it was asked, RFC 3339; absent where the server did not say. */
  readonly requestedAt?: string;
  /** When it expires, RFC 3339; absent where the server sets no limit. */
  readonly expiresAt?: string;
  /** What became of it. */
  readonly decision: DecisionState;
  /** Whether it came damaged: it can be denied, never approved or answered. */
  readonly damaged: boolean;
}

/** A call that waits for approval. */
export interface ApprovalItem extends PendingItemBase {
  readonly type: 'approval';
  readonly tool: string;
  readonly args: Readonly<JsonObject>;
  /** Where the call would act; absent where the item came damaged. */
  readonly scope?: Readonly<ApprovalScope>;
  /** The rule that asks. */
  readonly reason: string;
}

/** A question that waits for its answer. */
export interface QuestionItem extends PendingItemBase {
  readonly type: 'question';
  readonly question: string;
  /** Answers to choose from; any other text is an answer too. */
  readonly options: readonly string[];
  /** The agent that asks. */
  readonly agent: string;
}

/** A call that waits for approval or a question that waits for its answer; narrow it on `type`. */
export type PendingItem = ApprovalItem | QuestionItem;

/** One tool call of the timeline. */
export interface ToolCall {
  /** The model's id of the call; unique within its message only. */
  readonly id: string;
  readonly tool: string;
  readonly args?: Readonly<JsonObject>;
  /** Why it may run, or why it did not. */
  readonly detail?: string;
  /** Its result as JSON text, or `ERROR: …`. */
  readonly summary?: string;
  /** How far it got; another text is what the server said of its end. */
  readonly status:
    | 'requested'
    | 'started'
    | 'done'
    | 'failed'
    | 'denied'
    | 'skipped'
    | 'interrupted'
    | OpenString;
  /** Whether an event about it came damaged. */
  readonly damaged: boolean;
}

/** Something the engine says, not the agent; narrow it on `notice`. */
export type ChatNotice =
  | { readonly notice: 'skill'; readonly skill: string }
  | { readonly notice: 'compaction'; readonly from: number; readonly to: number }
  /** `ratio` is the share of the context budget in use; 1 is all of it. */
  | { readonly notice: 'budget'; readonly ratio: number }
  | { readonly notice: 'stopped'; readonly text: string }
  | { readonly notice: 'error'; readonly text: string }
  | { readonly notice: 'damaged'; readonly text: string };

/** Text of a message's author. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A tool call. */
export interface ToolPart extends ToolCall {
  readonly type: 'tool';
}

/** A pending item, and later what was decided. */
export interface ItemPart {
  readonly type: 'item';
  readonly item: PendingItem;
}

/** Something the engine says. */
export type NoticePart = { readonly type: 'notice' } & ChatNotice;

/** A part of a message; narrow it on `type`. */
export type Part = TextPart | ToolPart | ItemPart | NoticePart;

/** What a person wrote, or one whole turn of the agent. */
export interface Message {
  /** Unique within the chat and stable, for lists that are drawn by key. */
  readonly key: number;
  readonly author: 'user' | 'assistant';
  /** In the order in which they came. */
  readonly parts: readonly Part[];
  /**
   * `queued` while it waits for the network or the turn before it, and can be withdrawn; `active`
   * while it is being sent or its turn runs; `interrupted` where the stream broke off and the turn
   * may go on at the server.
   */
  readonly status: 'queued' | 'active' | 'complete' | 'failed' | 'interrupted' | 'stopped';
  readonly stopReason?: StopReason;
}

/**
 * Something that whoever runs the server or the page should know, although the turn goes on; narrow
 * it on `code`. `message` says it in a sentence.
 *
 * - `no-heartbeat`: a server that sends heartbeats went silent for `silentMs`
 * - `buffered`: nothing came for a while, then `frames` events at once: a proxy collects the response
 * - `headers`: a `header` of the stream makes caches or proxies hold it back
 * - `connection-limit`: `open` streams are open to this server over HTTP/1.1, and more have to wait
 */
export type Diagnostic =
  | { readonly code: 'no-heartbeat'; readonly silentMs: number; readonly message: string }
  | { readonly code: 'buffered'; readonly frames: number; readonly message: string }
  | {
      readonly code: 'headers';
      readonly header: string;
      readonly problem: string;
      readonly message: string;
    }
  | { readonly code: 'connection-limit'; readonly open: number; readonly message: string };

/** Everything about a chat at one moment. */
export interface ChatState {
  /** Id of the session, once the server gave one. */
  readonly sessionId: string | null;
  /**
   * - `idle`: ready for a message
   * - `loading`: a stored session is being fetched
   * - `sending`: a message is on its way and no event came yet
   * - `running`: the turn is running
   * - `waiting`: the turn waits for a verdict
   */
  readonly phase: 'idle' | 'loading' | 'sending' | 'running' | 'waiting';
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** The items that wait for a verdict, oldest first; at most one in protocol v1. */
  readonly pending: readonly PendingItem[];
  /** Whether there is a network, as far as the page knows; without one, what is sent waits. */
  readonly online: boolean;
  /**
   * How the running turn's stream is: it broke off and is being joined again while `reconnecting`,
   * for the `attempt`th time since the last event; the turn goes on at the server. `degraded`: the
   * server cannot join it again, so what it has stored and what is pending are asked for instead.
   */
  readonly connection:
    | { readonly state: 'steady' }
    | { readonly state: 'reconnecting'; readonly attempt: number }
    | { readonly state: 'degraded' };
  /** What is wrong between the server and this chat, each once, until the next send or open. */
  readonly diagnostics: readonly Diagnostic[];
  /** What went wrong last, until the next send or open. */
  readonly lastError: ChatFault | null;
}

/** What `createChat` takes. */
export interface ChatOptions {
  /** Address of the server; in browsers also a path of the page's own origin. */
  baseUrl: string;
  agent: string;
  /** A session to open at once: its history and what is pending in it. */
  sessionId?: string | null | undefined;
  /** Headers of every request, or a function that is asked for them each time. */
  headers?: RequestOptions['headers'];
  timeouts?: Timeouts | undefined;
  limits?: Limits | undefined;
  /** How a stream that broke off is joined again. */
  reconnect?: Reconnect | undefined;
  /**
   * Whether the chat takes notice of the page that it is in; default true. It then shares one stream
   * of the session with the other windows of the browser, looks what has happened when the page is
   * shown again or the network is back, and keeps what waits to be sent in `localStorage`.
   */
  page?: boolean | undefined;
}

/**
 * How a stream that broke off is joined again: after a random part of a time that doubles with each
 * attempt, or what the server's `Retry-After` asks for if that is longer.
 */
export interface Reconnect {
  /** Attempts without a new event before it is given up; 0 is never. Default 10. */
  attempts?: number | undefined;
  /** Longest wait before the first attempt, in milliseconds. Default 500. */
  baseMs?: number | undefined;
  /** Longest wait before any attempt, in milliseconds. Default 15,000. */
  capMs?: number | undefined;
}

/** What `send` takes beside the text. */
export interface SendOptions {
  /**
   * What to do about items that wait for a verdict. `refuse`, the default: reject with
   * `pending-items`. `deny`: deny them first, 32 at most; a question, which cannot be denied, is
   * answered with an empty text. `keep`: let the message wait until they are decided and their turn
   * is over.
   */
  onPending?: 'refuse' | 'deny' | 'keep' | undefined;
}

/**
 * A chat with one agent: state for a user interface, and what a person can do.
 *
 * The functions need no `this`, so they can be passed around: React's
 * `useSyncExternalStore(chat.subscribe, chat.getState)` works.
 *
 * What a call begins is in the state when the call returns. What fails is in the state too, so the
 * promises may be ignored: a rejection that nobody looks at is not reported as unhandled.
 */
export interface Chat {
  /**
   * The state as of now, to be read and not changed. It is the same object until something changes,
   * and a message that did not change is the same object in the next state.
   *
   * @throws {TurnwireError} `closed`
   */
  getState(): ChatState;

  /**
   * Calls `listener` after each change until the function that is returned is called: at once, but
   * while a stream brings events at most once in 16 ms, and at its end.
   *
   * @throws {TurnwireError} `closed`, `invalid-argument`
   */
  subscribe(listener: () => void): () => void;

  /**
   * Sends a message and follows its turn; resolves when the stream has ended. A turn that the agent
   * fails is no rejection: it is in the state. Without a network the message waits, with the status
   * `queued`, and the promise resolves at once.
   *
   * @throws {TurnwireError} `pending-items` while an item waits for a verdict, `busy` while a turn
   * runs or 16 messages wait, `aborted` after `stop`; as `streamMessage`; with `onPending: 'deny'`
   * as `deny`, `decision-limit`, `no-progress`; `closed`
   */
  send(text: string, options?: SendOptions): Promise<void>;

  /**
   * Takes back a verdict that waits for the network; false if it does not wait any more.
   *
   * @throws {TurnwireError} `invalid-argument`, `closed`
   */
  withdrawDecision(id: string): boolean;

  /**
   * Takes back the message of this key that waits, and returns its text; undefined if it does not
   * wait any more.
   *
   * @throws {TurnwireError} `closed`
   */
  withdrawMessage(key: number): string | undefined;

  /**
   * Approves the pending call of this id. The same verdict twice is one request, and both calls
   * share its outcome.
   *
   * @throws {TurnwireError} `not-pending`, `already-deciding`, `decision-stale`, `item-damaged`,
   * `invalid-argument` before anything is sent; as `approveCall`; `closed`
   */
  approve(id: string): Promise<void>;

  /**
   * Denies the pending call of this id.
   *
   * @throws {TurnwireError} as `approve`
   */
  deny(id: string): Promise<void>;

  /**
   * Answers the pending question of this id.
   *
   * @throws {TurnwireError} as `approve`
   */
  answer(id: string, text: string): Promise<void>;

  /**
   * Shows a stored session: its history, what is pending in it, and its current turn as far as it
   * has come, which is followed from there on. What arrives meanwhile is never overwritten.
   *
   * @throws {TurnwireError} `busy` while a turn runs; as `getSessionHistory`; `closed`
   */
  open(sessionId: string): Promise<void>;

  /**
   * Sends the last message again if the server did not take it, or else opens the session again and
   * follows its turn from there.
   *
   * @throws {TurnwireError} as `send` and `open`; `invalid-argument` where there is nothing to try
   */
  retry(): Promise<void>;

  /**
   * Stops the turn. A server that knows how is asked to end it: no tool starts after that, and what
   * was pending no longer is. Any other server goes on, and a pending item stays decidable. Only
   * this ends a turn at the server: `dispose` and leaving the page do not.
   *
   * @throws {TurnwireError} `closed`
   */
  stop(): void;

  /** Stops everything and frees it. Every method but this one fails with `closed` from then on. */
  dispose(): void;

  [Symbol.dispose](): void;
}

/**
 * A new chat.
 *
 * @throws {TurnwireError} `invalid-argument`
 *
 * @example
 * const chat = createChat({ baseUrl: 'http://127.0.0.1:8787', agent: 'customer-service' });
 * chat.subscribe(() => console.log(chat.getState().phase));
 * await chat.send('hello');
 */
export function createChat(options: ChatOptions): Chat;

// ---------------------------------------------------------------------------------------------
// Decoders
// ---------------------------------------------------------------------------------------------

/** What an `SseDecoder` takes. */
export interface SseDecoderOptions {
  /** Bytes of one frame. Default 16 MiB. */
  maxFrameBytes?: number | undefined;
  /**
   * Whether a last frame that lacks its blank line is discarded, as the WHATWG standard has it.
   * Default: it counts.
   */
  strict?: boolean | undefined;
}

/** One frame of an event stream. */
export interface SseFrame {
  /** Its name; `message` where the stream gave none. */
  event: string;
  /** Its data lines, joined with a line feed. */
  data: string;
  /** The id that this very frame set, if it set one. */
  id?: string;
  /** Where it began: bytes from the start of the stream. */
  offset: number;
}

/**
 * Push parser of an event stream, as the WHATWG HTML standard interprets them.
 *
 * What comes out depends on the bytes alone, never on where they were cut.
 *
 * @example
 * const decoder = new SseDecoder();
 * for await (const chunk of response.body) {
 *   for (const { event, data } of decoder.push(chunk)) console.log(event, data);
 * }
 * for (const { event, data } of decoder.finish()) console.log(event, data);
 * decoder.close();
 */
export class SseDecoder {
  /** @throws {TurnwireError} `invalid-argument` */
  constructor(options?: SseDecoderOptions);

  /**
   * The frames that this chunk completes; a string stands for its UTF-8 bytes.
   *
   * @throws {TurnwireError} `frame-too-large`, once all frames before it were handed out; final
   * until `reset`. `invalid-argument`; `closed`.
   */
  push(chunk: Uint8Array | string): SseFrame[];

  /**
   * Says that the stream ended cleanly: the last frame, if it lacks only its blank line.
   *
   * @throws {TurnwireError} `frame-too-large`, `closed`
   */
  finish(): SseFrame[];

  /** Starts over, as for a new stream. */
  reset(): void;

  /** What to send as `Last-Event-ID`; empty while no id was set. */
  readonly lastEventId: string;

  /** The reconnection time that the stream last asked for, in milliseconds. */
  readonly retryMs: number | undefined;

  /** Frees it. Closing twice is fine; every other method throws `closed` from then on. */
  close(): void;

  [Symbol.dispose](): void;
}

/** What a `LoopEventDecoder` hands out: an event, or what is wrong with a frame that is none. */
export type DecodedLoopEvent =
  | {
      event: LoopEvent;
      error?: undefined;
      /** The event's JSON exactly as sent. */
      json: string;
      /** The frame's own id, where the stream numbers its frames. */
      id?: string;
      /** Where the frame began: bytes from the start of the stream. */
      offset: number;
      /** Its integers beyond ±(2^53−1), as they were written; absent if there are none. */
      integers?: string[];
    }
  | {
      event?: undefined;
      error: TurnwireError;
      /** The frame's data exactly as sent. */
      json: string;
      /** Where the frame began: bytes from the start of the stream. */
      offset: number;
    };

/** Push decoder of a turn's event stream, for those who bring their own transport. */
export class LoopEventDecoder {
  /** @throws {TurnwireError} `invalid-argument` */
  constructor(options?: { maxFrameBytes?: number | undefined });

  /**
   * The events that this chunk completes, damaged ones in their place.
   *
   * @throws {TurnwireError} `frame-too-large`, once everything before it was handed out; final
   * until `reset`. `invalid-argument`; `closed`.
   */
  push(chunk: Uint8Array | string): DecodedLoopEvent[];

  /**
   * Says that the stream ended cleanly: the last event, if it lacks only its blank line.
   *
   * @throws {TurnwireError} `frame-truncated` if it ended inside a frame; `frame-too-large`,
   * `closed`
   */
  finish(): DecodedLoopEvent[];

  /** Starts over, as for a new stream. */
  reset(): void;

  /** Frees it. Closing twice is fine; every other method throws `closed` from then on. */
  close(): void;

  [Symbol.dispose](): void;
}

/**
 * The event that a JSON text holds.
 *
 * @throws {TurnwireError} `invalid-json`, `nesting-too-deep`, `invalid-event`, `invalid-argument`
 */
export function decodeLoopEvent(text: string): LoopEvent;
