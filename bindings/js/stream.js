import { onAbort } from './call.js';
import { receivedEvent } from './decode.js';
import { optionsOf, settingsOf } from './settings.js';
import { Call } from './turnwire_js.js';

export function streamMessage(baseUrl, agent, message, options) {
  return new TurnIterator(baseUrl, agent, message, options);
}

export async function streamMessageWithCallbacks(baseUrl, agent, message, options, callbacks) {
  const { onEvent, onDone, onError } = callbacks ?? {};
  for await (const event of streamMessage(baseUrl, agent, message, options)) {
    onEvent?.(event);
    if (event.type === 'done') onDone?.(event);
    if (event.type === 'error') onError?.(event);
  }
}

const DONE = { done: true, value: undefined };

// What the engine's own async generators inherit: `[Symbol.asyncIterator]`, and in newer engines
// `[Symbol.asyncDispose]` and the iterator helpers.
const AsyncIteratorPrototype = Object.getPrototypeOf(
  Object.getPrototypeOf(async function* () {}.prototype),
);

/**
 * The events of one turn. An async generator would not do: its `return()` waits for a pending
 * read, so leaving it could not stop the request.
 *
 * Invariant: once it is closed it holds no handle, and the request is over or stopped.
 */
class TurnIterator {
  #begin;
  #options = {};
  #call;
  #events;
  #frames = [];
  #next = 0;
  #release;
  #closed = false;
  #aborted = false;
  #tail = Promise.resolve();

  constructor(baseUrl, agent, message, options) {
    this.#begin = () => this.#open(baseUrl, agent, message, options);
  }

  next() {
    const advance = () => this.#advance();
    this.#tail = this.#tail.then(advance, advance);
    return this.#tail;
  }

  async return(value) {
    this.#close();
    return { done: true, value: await value };
  }

  async throw(error) {
    this.#close();
    throw error;
  }

  async #advance() {
    try {
      const event = await this.#read();
      if (event !== undefined) return { done: false, value: event };
    } catch (error) {
      // What ends a read of a closed stream is that it was left or aborted, whatever it says.
      if (!this.#closed) {
        this.#close();
        throw error;
      }
    }
    return this.#end();
  }

  /** The next event; `undefined` once it is closed. */
  async #read() {
    for (;;) {
      while (this.#next < this.#frames.length) {
        const event = receivedEvent(this.#frames[this.#next++], this.#options);
        if (event !== undefined) return event;
      }
      if (this.#begin !== undefined) {
        const begin = this.#begin;
        this.#begin = undefined;
        await begin();
        continue;
      }
      if (this.#closed) return undefined;
      const frames = await this.#events.nextFrames();
      if (frames === undefined) this.#close();
      if (this.#closed) return undefined;
      this.#frames = frames;
      this.#next = 0;
    }
  }

  async #open(baseUrl, agent, message, given) {
    if (this.#closed) return;
    this.#options = optionsOf(given);
    const { signal, httpErrors } = this.#options;
    if (signal?.aborted) return this.#abort();
    this.#call = new Call(baseUrl, settingsOf(this.#options));
    this.#release = onAbort(signal, () => this.#abort());
    try {
      const events = await this.#call.streamMessage(agent, message);
      if (this.#closed) events.free();
      else this.#events = events;
    } catch (error) {
      if (httpErrors !== 'event' || error.status === undefined) throw error;
      this.#close();
      this.#frames = [errorFrame(error)];
    }
  }

  /** The signal aborted: the next read says so, once. */
  #abort() {
    this.#aborted = true;
    this.#close();
  }

  #end() {
    if (!this.#aborted) return DONE;
    this.#aborted = false;
    throw this.#options.signal.reason;
  }

  #close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#begin = undefined;
    this.#frames = [];
    this.#release?.();
    this.#call?.cancel();
    this.#call?.free();
    this.#events?.free();
    this.#call = this.#events = undefined;
  }
}

Object.setPrototypeOf(TurnIterator.prototype, AsyncIteratorPrototype);
if (Symbol.asyncDispose && !(Symbol.asyncDispose in TurnIterator.prototype)) {
  TurnIterator.prototype[Symbol.asyncDispose] = function () {
    return this.return();
  };
}

/** The original client's event for a response that is no stream. */
function errorFrame({ http, status }) {
  const error = http?.message ?? `HTTP ${status}`;
  return [JSON.stringify({ type: 'error', error }), 'error', undefined, 0];
}
