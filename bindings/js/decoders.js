import { eventOf } from './decode.js';
import { closed, invalidArgument } from './error.js';
import { optionsOf } from './settings.js';
import { decodeEvent, EventDecoderHandle, SseDecoderHandle } from './turnwire_js.js';

const DEFAULT_MAX_FRAME_BYTES = 16 * 1024 * 1024;
const HANDLE = Symbol('handle');
const encoder = new TextEncoder();

/** What the two decoders have in common: bytes in, items out, and one handle to close. */
class Decoder {
  #handle;
  #convert;

  constructor(handle, convert) {
    this.#handle = handle;
    this.#convert = convert;
  }

  push(chunk) {
    return this[HANDLE].push(bytesOf(chunk)).map(this.#convert);
  }

  finish() {
    return this[HANDLE].finish().map(this.#convert);
  }

  reset() {
    this[HANDLE].reset();
  }

  close() {
    this.#handle?.free();
    this.#handle = undefined;
  }

  get [HANDLE]() {
    if (this.#handle === undefined) throw closed('decoder');
    return this.#handle;
  }
}

if (Symbol.dispose) Decoder.prototype[Symbol.dispose] = Decoder.prototype.close;

export class SseDecoder extends Decoder {
  constructor(options) {
    const { maxFrameBytes, strict } = optionsOf(options);
    super(new SseDecoderHandle(sizeOf(maxFrameBytes), strict === true), frameOf);
  }

  get lastEventId() {
    return this[HANDLE].lastEventId;
  }

  get retryMs() {
    return this[HANDLE].retryMs;
  }
}

export class LoopEventDecoder extends Decoder {
  constructor(options) {
    const { maxFrameBytes } = optionsOf(options);
    super(new EventDecoderHandle(sizeOf(maxFrameBytes)), itemOf);
  }
}

export function decodeLoopEvent(text) {
  return eventOf(text, decodeEvent(text));
}

function bytesOf(chunk) {
  if (typeof chunk === 'string') return encoder.encode(chunk);
  if (chunk instanceof Uint8Array) return chunk;
  throw invalidArgument('chunk: expected a Uint8Array or a string');
}

function sizeOf(bytes = DEFAULT_MAX_FRAME_BYTES) {
  if (typeof bytes !== 'number' || !(bytes > 0)) {
    throw invalidArgument('options.maxFrameBytes: expected a number above 0');
  }
  return Math.min(Math.ceil(bytes), 0x7fffffff);
}

function frameOf([event, data, id, offset]) {
  return id === undefined ? { event, data, offset } : { event, data, id, offset };
}

function itemOf([json, type, id, offset, error, integers]) {
  if (error !== undefined) return { error, json, offset };
  const item = { event: eventOf(json, type), json, offset };
  if (id !== undefined) item.id = id;
  if (integers !== undefined) item.integers = integers;
  return item;
}
