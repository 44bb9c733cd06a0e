import {
  jsonOfPart,
  jsonOfParts,
  jsonOfSnapshotOptions,
  jsonOfTurnEvent,
  textOfCandidate,
  textOfFrame,
  textOfSession,
  textOfTurnEvent,
} from './agentskit-values.js';
import { closed, invalidArgument, stringOf } from './error.js';
import { optionsOf } from './settings.js';
import * as wasm from './turnwire_js.js';

export {
  createInteractionEvent,
  createSelectionEvent,
  readComponentEvent,
} from './agentskit-interactions.js';
export { createComponentRegistry, defineComponent } from './agentskit-registry.js';
export { TurnwireError } from './error.js';
export { createTurnSnapshotCursor, restoreTurnSnapshotCursor } from './snapshot-cursor.js';
export { createTurnClient } from './turn-client.js';

export const TURN_PROTOCOL = 'agentskit.chat.turn';
export const TURN_PROTOCOL_VERSION = 1;
export const COMPONENT_PROTOCOL = 'agentskit.chat.component';
export const COMPONENT_PROTOCOL_VERSION = 1;
export const ASSISTANT_CONTENT_PROTOCOL = 'agentskit.chat.content';
export const ASSISTANT_CONTENT_PROTOCOL_VERSION = 1;
export const ASSISTANT_CONTENT_PREFIX = '\u001eagentskit.chat.content/1\n';
export const ASSISTANT_CONTENT_MAX_BYTES = 262144;
export const ASSISTANT_CONTENT_MAX_RECORDS = 512;
export const SESSION_PROTOCOL = 'agentskit.chat.session';
export const SESSION_PROTOCOL_VERSION = 1;

export function decodeTurnEvent(input) {
  return JSON.parse(wasm.decodeTurnEvent(textOfTurnEvent(input)));
}

export function encodeTurnEvent(event) {
  return wasm.encodeTurnEvent(jsonOfTurnEvent(event));
}

export function createSnapshotEvent(options) {
  return JSON.parse(wasm.createSnapshotEvent(jsonOfSnapshotOptions(options)));
}

export function snapshotMessages(event) {
  const { payload } = JSON.parse(encodeTurnEvent(event));
  if (payload.messages === undefined) throw invalidArgument('expected a snapshot event');
  return payload.messages.map((message) => ({
    ...message,
    createdAt: new Date(message.createdAt),
  }));
}

export function decodeComponentFrame(input) {
  return JSON.parse(wasm.decodeComponentFrame(textOfFrame(input)));
}

export function isComponentFrameCandidate(input) {
  return wasm.isComponentFrameCandidate(textOfCandidate(input));
}

export function decodeSessionSnapshot(input) {
  return JSON.parse(wasm.decodeSessionSnapshot(textOfSession(input)));
}

export function decodeAssistantContent(input) {
  return JSON.parse(wasm.decodeAssistantContent(typeof input === 'string' ? input : ''));
}

export function isAssistantContentCandidate(input) {
  return typeof input === 'string' && wasm.isAssistantContentCandidate(input.slice(0, 1));
}

export function whichContent(text) {
  return wasm.whichContent(stringOf(text));
}

export function fallbackText(parts) {
  return wasm.fallbackText(jsonOfParts(parts));
}

export function createAssistantContentEncoder() {
  const handle = new wasm.ContentEncoderHandle();
  return { encode: (part) => handle.encode(jsonOfPart(part)) };
}

const encoder = new TextEncoder();

export class AssistantContentDecoder {
  #handle;
  /** A string can be cut within a character: its first half waits for the second. */
  #half = '';

  constructor(options) {
    const { keepSoundRecords } = optionsOf(options);
    this.#handle = new wasm.ContentDecoderHandle(keepSoundRecords === true);
  }

  push(chunk) {
    return JSON.parse(this.#open.push(this.#bytesOf(chunk)));
  }

  get parts() {
    return JSON.parse(this.#open.parts);
  }

  get complete() {
    return this.#open.complete && this.#half === '';
  }

  get failure() {
    const { failure } = this.#open;
    return failure === undefined ? undefined : JSON.parse(failure);
  }

  reset() {
    this.#open.reset();
    this.#half = '';
  }

  close() {
    this.#handle?.free();
    this.#handle = undefined;
  }

  get #open() {
    if (this.#handle === undefined) throw closed('decoder');
    return this.#handle;
  }

  #bytesOf(chunk) {
    if (chunk instanceof Uint8Array) return chunk;
    if (typeof chunk !== 'string') {
      throw invalidArgument('chunk: expected a string or a Uint8Array');
    }
    const text = this.#half + chunk;
    const isCut = /[\ud800-\udbff]$/.test(text);
    this.#half = isCut ? text.slice(-1) : '';
    return encoder.encode(isCut ? text.slice(0, -1) : text);
  }
}

if (Symbol.dispose) {
  AssistantContentDecoder.prototype[Symbol.dispose] = AssistantContentDecoder.prototype.close;
}
