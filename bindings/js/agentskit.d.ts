// The public types of `turnwire/agentskit`: AgentsKit turn protocol v1.

// `Symbol.dispose`, which programs that target less than the newest edition do not have otherwise.
/// <reference lib="esnext.disposable" />

import type {
  ChatFault,
  HeadersFunction,
  HeadersGiven,
  Limits,
  Reconnect,
  Timeouts,
} from './types.js';

export { TurnwireError } from './types.js';
export type { ChatFault, HeadersFunction, HeadersGiven, Limits, Reconnect, Timeouts };

// ---------------------------------------------------------------------------------------------
// Protocol names
// ---------------------------------------------------------------------------------------------

export const TURN_PROTOCOL: 'agentskit.chat.turn';
export const TURN_PROTOCOL_VERSION: 1;
export const COMPONENT_PROTOCOL: 'agentskit.chat.component';
export const COMPONENT_PROTOCOL_VERSION: 1;
export const ASSISTANT_CONTENT_PROTOCOL: 'agentskit.chat.content';
export const ASSISTANT_CONTENT_PROTOCOL_VERSION: 1;
/** What every envelope of ordered content begins with. */
export const ASSISTANT_CONTENT_PREFIX: '\u001eagentskit.chat.content/1\n';
/** How many bytes of UTF-8 an envelope may have. */
export const ASSISTANT_CONTENT_MAX_BYTES: 262144;
/** How many finished records an envelope may hold. */
export const ASSISTANT_CONTENT_MAX_RECORDS: 512;
export const SESSION_PROTOCOL: 'agentskit.chat.session';
export const SESSION_PROTOCOL_VERSION: 1;

/** JSON of any shape. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object of any content. */
export type JsonRecord = { readonly [key: string]: JsonValue };

// ---------------------------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------------------------

/** Why something was not taken in. Nothing of what was refused is in it but a safe event id. */
export interface Diagnostic<Code extends string> {
  readonly code: Code;
  /** For people. */
  readonly message: string;
  readonly retryable: false;
}

/** What the decoder of turn events says of what it refuses. */
export interface TurnEventDiagnostic
  extends Diagnostic<
    'PROTOCOL_INVALID_PAYLOAD' | 'PROTOCOL_UNSUPPORTED_VERSION' | 'PROTOCOL_UNKNOWN_EVENT'
  > {
  /** The refused event's id, where it is a safe one. */
  readonly eventId?: string;
}

/** What the decoder of ordered content says of what it refuses. */
export type AssistantContentDiagnostic = Diagnostic<
  | 'ASSISTANT_CONTENT_INVALID_RECORD'
  | 'ASSISTANT_CONTENT_UNSUPPORTED_VERSION'
  | 'ASSISTANT_CONTENT_LIMIT_EXCEEDED'
>;

/** What the decoder of component frames says of what it refuses. */
export type ComponentDiagnostic = Diagnostic<
  'COMPONENT_INVALID_FRAME' | 'COMPONENT_UNSUPPORTED_VERSION' | 'COMPONENT_UNKNOWN_TYPE'
>;

/** What the decoder of session snapshots says of what it refuses. */
export type SessionDiagnostic = Diagnostic<
  'SESSION_INVALID_SNAPSHOT' | 'SESSION_UNSUPPORTED_VERSION'
>;

/** What a decoder found, or why it refused. */
export type DecodeResult<Found, Refused> =
  | ({ readonly ok: true } & Found)
  | { readonly ok: false; readonly diagnostic: Refused };

// ---------------------------------------------------------------------------------------------
// Turn events
// ---------------------------------------------------------------------------------------------

/** Text of a message. */
export interface TextMessagePart {
  readonly type: 'text';
  readonly text: string;
}

/** A picture. */
export interface ImageMessagePart {
  readonly type: 'image';
  readonly source: string;
  readonly mimeType?: string;
  readonly detail?: 'low' | 'high' | 'auto';
}

/** Sound, or moving pictures. */
export interface TimedMessagePart {
  readonly type: 'audio' | 'video';
  readonly source: string;
  readonly mimeType?: string;
  readonly durationSec?: number;
}

/** Any other file. */
export interface FileMessagePart {
  readonly type: 'file';
  readonly source: string;
  readonly mimeType?: string;
  readonly filename?: string;
}

/** One part of a message. */
export type MessagePart = TextMessagePart | ImageMessagePart | TimedMessagePart | FileMessagePart;

/** The call of a tool and what came of it. */
export interface MessageToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonRecord;
  readonly status: 'pending' | 'running' | 'complete' | 'error' | 'requires_confirmation';
  readonly result?: string;
  readonly error?: string;
}

/** One message, as it is sent. */
export interface MessageRecord {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'system' | 'tool';
  /** The text; an assistant's can be ordered content, as `whichContent` tells. */
  readonly content: string;
  readonly status: 'pending' | 'streaming' | 'complete' | 'error';
  /** In milliseconds and UTC, as `Date.prototype.toISOString` writes it. */
  readonly createdAt: string;
  readonly parts?: readonly MessagePart[];
  readonly toolCalls?: readonly MessageToolCall[];
  readonly toolCallId?: string;
  readonly metadata?: JsonRecord;
}

/** One message, as an application holds it. */
export type SnapshotMessage = Omit<MessageRecord, 'createdAt'> & { readonly createdAt: Date };

/** What a turn cost. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
}

/** Something that went wrong on the server. */
export interface TurnDiagnostic {
  readonly version: 1;
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** Where a turn came from. */
export type TurnLineage =
  | { readonly operation: 'submit' }
  | {
      readonly operation: 'retry' | 'edit' | 'regenerate';
      readonly parentTurnId: string;
      readonly sourceMessageId: string;
    };

/** The whole conversation as it stands. */
export interface TurnSnapshot {
  readonly messages: readonly MessageRecord[];
  readonly status: 'idle' | 'streaming' | 'complete' | 'error';
  readonly usage: TokenUsage;
  readonly error?: TurnDiagnostic;
  readonly lineage?: TurnLineage;
}

interface TurnEnvelope<Event extends string, Payload> {
  readonly protocol: 'agentskit.chat.turn';
  readonly version: 1;
  readonly eventId: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly sequence: number;
  readonly emittedAt: string;
  readonly event: Event;
  readonly payload: Payload;
}

/** A user's message on its way to the application. */
export type TurnSubmitEvent = TurnEnvelope<'client.turn.submit', { readonly input: string }>;
/** The whole conversation as it stands; each replaces the one before. */
export type TurnSnapshotEvent = TurnEnvelope<'server.turn.snapshot', TurnSnapshot>;
/** Something that went wrong on the server. */
export type TurnDiagnosticEvent = TurnEnvelope<'server.turn.diagnostic', TurnDiagnostic>;
/** One event of a turn. */
export type TurnEvent = TurnSubmitEvent | TurnSnapshotEvent | TurnDiagnosticEvent;

/** Decodes a turn event from its JSON text or its value; never throws. */
export function decodeTurnEvent(
  input: unknown,
): DecodeResult<{ readonly event: TurnEvent }, TurnEventDiagnostic>;

/**
 * The canonical JSON text of a turn event.
 *
 * @throws {TurnwireError} `invalid-argument` if it is no turn event; a text is none.
 */
export function encodeTurnEvent(event: TurnEvent): string;

/** What a snapshot event is made of; messages are taken as their JSON has them. */
export interface SnapshotEventOptions {
  eventId: string;
  sessionId: string;
  turnId: string;
  sequence: number;
  emittedAt: string;
  messages: readonly (MessageRecord | SnapshotMessage)[];
  status: TurnSnapshot['status'];
  usage: TokenUsage;
  lineage?: TurnLineage | undefined;
  error?: TurnDiagnostic | undefined;
}

/**
 * Makes a snapshot event.
 *
 * @throws {TurnwireError} `invalid-argument` if the options make none
 */
export function createSnapshotEvent(options: SnapshotEventOptions): TurnSnapshotEvent;

/**
 * The messages of a snapshot event, with dates.
 *
 * @throws {TurnwireError} `invalid-argument` if it is none
 */
export function snapshotMessages(event: TurnSnapshotEvent): SnapshotMessage[];

/** The newest snapshot of one session: what is stale, repeated or foreign changes nothing. */
export interface TurnSnapshotCursor {
  /** Holds an event if it is a newer snapshot of the session; says whether it is. Never throws. */
  apply(input: unknown): boolean;
  /** The newest snapshot event, frozen; the same object until a newer one comes. */
  getSnapshot(): TurnSnapshotEvent | undefined;
  /** The cursor as a text, for storage. */
  save(): string;
}

/**
 * A cursor that holds nothing yet.
 *
 * @throws {TurnwireError} `invalid-argument` if the session's id is no safe one
 */
export function createTurnSnapshotCursor(sessionId: string): TurnSnapshotCursor;

/**
 * The cursor that was saved.
 *
 * @throws {TurnwireError} `invalid-argument` if the text is nothing that `save` gives
 */
export function restoreTurnSnapshotCursor(saved: string): TurnSnapshotCursor;

// ---------------------------------------------------------------------------------------------
// Components
// ---------------------------------------------------------------------------------------------

/** A component to draw, with its props and what to show where nobody knows it. */
export interface ComponentRenderFrame<Props = unknown> {
  readonly protocol: 'agentskit.chat.component';
  readonly version: 1;
  readonly type: 'render';
  readonly componentKey: string;
  readonly instanceId: string;
  readonly props: Props;
  readonly fallback: { readonly kind: string; readonly summary: string };
}

/** One of a component's choices was made. */
export interface ComponentSelectionEvent {
  readonly protocol: 'agentskit.chat.component';
  readonly version: 1;
  readonly type: 'select';
  readonly componentKey: string;
  readonly instanceId: string;
  readonly choiceId: string;
}

/** Something was done with a component. */
export interface ComponentInteractionEvent {
  readonly protocol: 'agentskit.chat.component';
  readonly version: 1;
  readonly type: 'interact';
  readonly componentKey: string;
  readonly instanceId: string;
  readonly event: string;
  readonly value?: JsonValue;
}

/** Decodes a component frame from its JSON text or its value; never throws. */
export function decodeComponentFrame(
  input: unknown,
): DecodeResult<{ readonly frame: ComponentRenderFrame }, ComponentDiagnostic>;

/** Whether something is a component frame of any version and type. */
export function isComponentFrameCandidate(input: unknown): boolean;

/** What an event needs of its component. */
export type ComponentIdentity = Pick<ComponentRenderFrame, 'componentKey' | 'instanceId'>;

/**
 * The event that one of a component's choices was made.
 *
 * @throws {TurnwireError} `invalid-argument`
 */
export function createSelectionEvent(
  frame: ComponentIdentity,
  choiceId: string,
): ComponentSelectionEvent;

/**
 * The event that something was done with a component.
 *
 * @throws {TurnwireError} `invalid-argument`
 */
export function createInteractionEvent(
  frame: ComponentIdentity,
  event: string,
  value?: JsonValue,
): ComponentInteractionEvent;

/**
 * What a user did with a component, on the application's side, from its JSON text or its value;
 * undefined where that is no such event. Never throws.
 *
 * @example
 * const event = readComponentEvent(submission.payload.input);
 * if (event?.type === 'select') choose(event.instanceId, event.choiceId);
 */
export function readComponentEvent(
  input: unknown,
): ComponentSelectionEvent | ComponentInteractionEvent | undefined;

// ---------------------------------------------------------------------------------------------
// Drawing components
// ---------------------------------------------------------------------------------------------

/** Says of props whether they are a component's own. */
export type PropsGuard<Props> = (props: unknown) => props is Props;

/** What a schema finds. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly unknown[] };

/**
 * A schema of Zod, Valibot, ArkType or any other library with the Standard Schema interface, version
 * 1; its output is what the view gets. It has to validate synchronously.
 */
export interface PropsSchema<Props> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Props> | Promise<SchemaResult<Props>>;
  };
}

/** Why a component is not drawn. */
export type DrawingDiagnostic = Diagnostic<'COMPONENT_UNKNOWN' | 'COMPONENT_INVALID_PROPS'>;

/** The view of a component, or why there is none. */
export type Drawing<View> = DecodeResult<{ readonly view: View }, DrawingDiagnostic>;

/** A component that an application can draw; made by `defineComponent`. */
export interface ComponentDefinition<View> {
  /** Draws a frame whatever its key; what the guard, the schema or the view throws passes through. */
  draw(frame: ComponentRenderFrame): Drawing<View>;
}

/** The components that an application can draw, by their keys. */
export interface ComponentRegistry<View> {
  /** Whether a component of that key is registered. */
  has(componentKey: string): boolean;

  /**
   * Draws a frame: `COMPONENT_UNKNOWN` where nobody knows its key, `COMPONENT_INVALID_PROPS` where its
   * props are not the component's. What the guard, the schema or the view throws passes through.
   *
   * @throws {TurnwireError} `invalid-argument` if the component's schema validates asynchronously
   */
  draw(frame: ComponentRenderFrame): Drawing<View>;
}

/**
 * A component: what its props have to be, and its view, which gets the frame with checked props.
 *
 * @throws {TurnwireError} `invalid-argument`
 */
export function defineComponent<Props, View>(
  props: PropsGuard<Props> | PropsSchema<Props>,
  view: (frame: ComponentRenderFrame<Props>) => View,
): ComponentDefinition<View>;

/**
 * The components that can be drawn, each under its key; only the object's own properties count.
 *
 * @throws {TurnwireError} `invalid-argument` for a key that no frame can have
 *
 * @example
 * const registry = createComponentRegistry({
 *   progress: defineComponent(z.object({ value: z.number() }), ({ props }) => `${props.value} %`),
 * });
 * const drawing = registry.draw(frame);
 * show(drawing.ok ? drawing.view : frame.fallback.summary);
 */
export function createComponentRegistry<View>(components: {
  readonly [componentKey: string]: ComponentDefinition<View>;
}): ComponentRegistry<View>;

// ---------------------------------------------------------------------------------------------
// Turns over HTTP
// ---------------------------------------------------------------------------------------------

/** A line of a turn's stream that was no event. */
export interface DamagedLine extends TurnEventDiagnostic {
  /** Its number among all lines of its response, the first being 1. */
  readonly line: number;
  /** Bytes from the start of its response. */
  readonly offset: number;
}

interface TurnClientView {
  /** The turn that was submitted last. */
  readonly turnId: string | null;
  /**
   * The newest snapshot of the session. A message that did not change is the same object in the next
   * one.
   */
  readonly snapshot: TurnSnapshotEvent | null;
  /** What the server says went wrong with the turn, beside the snapshot, until the next one. */
  readonly failure: TurnDiagnostic | null;
  /** What went wrong between the server and this client, until the next turn. */
  readonly error: ChatFault | null;
  /** Lines of the turn that were no event, the first 256 of them, until the next turn. */
  readonly damaged: readonly DamagedLine[];
  /** How many there were in all. */
  readonly damagedLines: number;
}

/**
 * Everything about a session at one moment, frozen.
 *
 * - `idle`: no turn is under way; none was submitted, or the last one is over or was refused
 * - `submitting`: a turn was submitted, and nothing of it came yet
 * - `streaming`: the turn's events come
 * - `reconnecting`: the submission broke off and is repeated, for the `attempt`th time since the
 *   last new snapshot
 * - `interrupted`: the last turn broke off; whether it ran, and to what end, only the server knows
 * - `stopped`: the last turn was stopped here
 */
export type TurnClientState = TurnClientView &
  (
    | {
        readonly phase: 'idle' | 'submitting' | 'streaming' | 'interrupted' | 'stopped';
        readonly attempt?: undefined;
      }
    | { readonly phase: 'reconnecting'; readonly attempt: number }
  );

interface TurnClientSettings {
  /** Address of the turn route, sent as it is; in browsers also a path of the page's own origin. */
  url: string;
  /** Headers beside the package's own, or a function that gives them. */
  headers?: HeadersGiven | HeadersFunction | undefined;
  /** `connectMs`, `idleMs` and `totalMs` count. */
  timeouts?: Timeouts | undefined;
  /** `maxFrameBytes` bounds one line and `maxMessageBytes` one input. */
  limits?: Limits | undefined;
  /** How a submission that broke off is repeated. */
  reconnect?: Reconnect | undefined;
}

/** What `createTurnClient` takes: a new session's id, or a cursor to go on from. */
export type TurnClientOptions = TurnClientSettings &
  (
    | { sessionId: string; cursor?: undefined }
    | { cursor: TurnSnapshotCursor; sessionId?: undefined }
  );

/** What a turn is submitted with; the event of a component is sent as its JSON. */
export type TurnInput = string | ComponentSelectionEvent | ComponentInteractionEvent;

/**
 * Submits turns of one session and holds its newest snapshot.
 *
 * `subscribe` and `getSnapshot` are what React's `useSyncExternalStore` takes. No function needs
 * `this`.
 */
export interface TurnClient {
  /**
   * The state as of now; the same object until a listener is called, and the last one after
   * `dispose`.
   */
  getSnapshot(): TurnClientState;

  /** A cursor that stands where the client does, to be saved. @throws {TurnwireError} `closed` */
  getCursor(): TurnSnapshotCursor;

  /**
   * Calls `listener` after each change until the returned function is called: at once, but while
   * events come at most once in 16 ms.
   *
   * @throws {TurnwireError} `invalid-argument`, `closed`
   */
  subscribe(listener: () => void): () => void;

  /**
   * Submits a turn; resolves when it is over and the session free again. A turn that fails at the
   * server is in the state, as is every error, so the promise need not be looked at.
   *
   * A submission that breaks off is repeated under the same ids in the first 30 seconds: a server
   * runs a turn of one id once, and refuses it with 409 afterwards. That refusal, or no answer in
   * time, leaves the phase `interrupted`; whether to submit anew is yours to decide.
   *
   * @throws {TurnwireError} `busy` while a turn is under way; `invalid-argument`, `aborted`, `closed`;
   * `http-status`, with `http.code` `SESSION_BUSY` while another client's turn is under way;
   * `unexpected-content-type`, `invalid-response`; `stream-interrupted`, `frame-truncated`,
   * `frame-too-large`; `network` and the three timeouts; `headers-failed`
   */
  submit(input: TurnInput): Promise<void>;

  /**
   * Takes an event that came another way, as text or value: the newest snapshot of the session after
   * the page was loaded again or a turn broke off. True if it is a newer snapshot of the session;
   * anything else changes nothing. The phase stays, as it tells of the turn that was submitted here.
   *
   * @throws {TurnwireError} `closed`
   *
   * @example
   * const response = await fetch('/agents/shop/sessions/s-1/snapshot');
   * if (response.ok) client.apply(await response.text());
   */
  apply(event: unknown): boolean;

  /**
   * Stops the turn by leaving it; a server that notices ends it, and answers 409 to the next one until
   * it has.
   *
   * @throws {TurnwireError} `closed`
   */
  stop(): void;

  /** Stops what is under way and ends all subscriptions, for good. Disposing twice is fine. */
  dispose(): void;

  [Symbol.dispose](): void;
}

/**
 * A client of an application's turn route.
 *
 * @throws {TurnwireError} `invalid-argument`
 *
 * @example
 * const client = createTurnClient({ url: '/agents/shop/turns', sessionId: 's-1' });
 * const state = useSyncExternalStore(client.subscribe, client.getSnapshot);
 * const messages = state.snapshot?.payload.messages ?? [];
 * // …
 * await client.submit('order A-1001');
 * localStorage.setItem('cursor', client.getCursor().save());
 */
export function createTurnClient(options: TurnClientOptions): TurnClient;

// ---------------------------------------------------------------------------------------------
// Ordered assistant content
// ---------------------------------------------------------------------------------------------

/** One piece of an assistant's message. */
export type AssistantContentPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'component'; readonly frame: ComponentRenderFrame };

/** The parts of an assistant's message, in order. */
export interface AssistantContent {
  readonly parts: AssistantContentPart[];
  /** Whether the envelope ends with a finished record. */
  readonly complete: boolean;
}

/** Writes one envelope. */
export interface AssistantContentEncoder {
  /**
   * The text that adds a part; the first one brings the envelope's prefix.
   *
   * @throws {TurnwireError} `invalid-argument`; then nothing was written
   */
  encode(part: AssistantContentPart): string;
}

/** An encoder that has written nothing yet. */
export function createAssistantContentEncoder(): AssistantContentEncoder;

/** Decodes the content of an assistant's message; never throws. */
export function decodeAssistantContent(
  input: unknown,
): DecodeResult<AssistantContent, AssistantContentDiagnostic>;

/** Whether something is ordered content of any version. */
export function isAssistantContentCandidate(input: unknown): boolean;

/**
 * Which decoder the content of an assistant's message is for: that of ordered content, that of
 * component frames, or none because it is text. The content of other roles is always text.
 *
 * @throws {TurnwireError} `invalid-argument` if it is no string
 */
export function whichContent(text: string): 'content' | 'component' | 'text';

/**
 * The parts in words, for who can show nothing else: neighbouring texts are one, and a component is
 * what its fallback says.
 *
 * @throws {TurnwireError} `invalid-argument` if one of them is no part
 */
export function fallbackText(parts: readonly AssistantContentPart[]): string;

/** What an `AssistantContentDecoder` takes. */
export interface AssistantContentDecoderOptions {
  /** Whether the parts before a bad record or a limit are kept. Default: a failure takes all back. */
  keepSoundRecords?: boolean | undefined;
}

/** Why an envelope was refused, and where. */
export interface AssistantContentFailure {
  readonly diagnostic: AssistantContentDiagnostic;
  /** The record at fault, the first being 0; absent where it is the envelope's first line. */
  readonly record?: number;
}

/**
 * Decodes ordered content as it comes, in linear time and at any cuts. At any moment it stands where
 * `decodeAssistantContent` would stand with all that was pushed.
 *
 * @example
 * const decoder = new AssistantContentDecoder();
 * for await (const chunk of chunks) show(decoder.push(chunk));
 * if (decoder.failure) report(decoder.failure.diagnostic);
 * decoder.close();
 */
export class AssistantContentDecoder {
  /** @throws {TurnwireError} `invalid-argument` */
  constructor(options?: AssistantContentDecoderOptions);

  /**
   * The parts that this chunk completes; a string stands for its UTF-8 bytes.
   *
   * @throws {TurnwireError} `invalid-argument`, `closed`
   */
  push(chunk: Uint8Array | string): AssistantContentPart[];

  /** All parts so far. */
  readonly parts: AssistantContentPart[];

  /** Whether the envelope ends with a finished record. */
  readonly complete: boolean;

  /** Why the envelope is refused as far as it has come. */
  readonly failure: AssistantContentFailure | undefined;

  /** Starts over, as for a new envelope. */
  reset(): void;

  /** Frees it. Closing twice is fine; everything else throws `closed` from then on. */
  close(): void;

  [Symbol.dispose](): void;
}

// ---------------------------------------------------------------------------------------------
// Sessions
// ---------------------------------------------------------------------------------------------

/** One message and the route that it took. */
export interface SessionDecision {
  readonly messageId: string;
  readonly input: string;
  readonly routeId: string;
  readonly kind: 'deterministic' | 'repaired' | 'fallback';
  readonly content: string;
  readonly fromState: string;
  readonly toState: string;
}

/** An action that waits for somebody's consent, or had it. */
export interface SessionConfirmation {
  readonly token: string;
  readonly action: string;
  readonly input: JsonRecord;
  readonly toolCallId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly status:
    | 'pending'
    | 'approving'
    | 'rejecting'
    | 'expiring'
    | 'approved'
    | 'rejected'
    | 'expired';
}

/** What an application keeps of a session beside its messages. */
export interface SessionSnapshot {
  readonly protocol: 'agentskit.chat.session';
  readonly version: 1;
  readonly sessionId: string;
  readonly definitionId: string;
  readonly definitionRevision: number;
  readonly updatedAt: string;
  readonly cursor: number;
  readonly activeTurn?: { readonly turnId: string; readonly expiresAt: number };
  readonly terminalTurns?: readonly {
    readonly turnId: string;
    readonly outcome: 'completed' | 'indeterminate';
  }[];
  readonly conversation?: {
    readonly state: string;
    readonly decisions: readonly SessionDecision[];
  };
  readonly confirmations: readonly SessionConfirmation[];
}

/**
 * Decodes a session snapshot from its JSON text or its value; one of version 0 becomes one of
 * version 1. Never throws.
 */
export function decodeSessionSnapshot(
  input: unknown,
): DecodeResult<{ readonly snapshot: SessionSnapshot }, SessionDiagnostic>;
