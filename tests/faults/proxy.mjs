// A proxy between a client and its server that does what networks and other proxies do, by plan.
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { Exchange } from './exchange.mjs';
import { pass } from './kinds.mjs';

/** Requests by what they are for; matched against `<method> <path>`. */
export const MESSAGES = /^POST \/agents\/[^/]+\/messages(\/stream)?$/;
export const TURNS = /^POST \/agents\/[^/]+\/turns$/;
export const JOINS = /^GET \/turns\/[^/]+\/stream$/;
export const STREAMS = new RegExp(`${MESSAGES.source}|${JOINS.source}`);
export const DECISIONS = /^POST \/(approvals|questions)\/[^/]+\/(approve|deny|answer)$/;
export const STOPS = /^POST \/turns\/[^/]+\/cancel$/;

/**
 * Starts one in front of the server at this address; whoever starts it has to `close` it.
 *
 * A browser sends a request again by itself where a kept connection is closed under it. So that the
 * plan alone says what arrives, none is kept unless the proxy `keepsConnections`.
 */
export async function startProxy(target, { keepsConnections = false } = {}) {
  const proxy = new FaultProxy(target, keepsConnections);
  await proxy.listen();
  return proxy;
}

class FaultProxy {
  /** Where the server is; a test may move it. */
  target;
  /**
   * What was asked, in order: `method`, `path`, `headers`, `body`, `at` (in ms) and, once the server
   * has answered, the `turn` that it named.
   */
  requests = [];
  #server = createServer((incoming, response) => this.#handle(incoming, response));
  #plans = [];
  #defaults = [];
  #open = new Set();
  #events = new EventEmitter();

  constructor(target, keepsConnections) {
    this.target = target;
    this.keepsConnections = keepsConnections;
  }

  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Plans what becomes of the next requests of a kind, one fault each; what comes later passes. */
  plan(kind, ...faults) {
    this.#plans.push({ kind, next: () => faults.shift() });
  }

  /** Plans what becomes of all requests of a kind that no other plan is left for. */
  always(kind, fault) {
    this.#defaults.push({ kind, next: () => fault });
  }

  /** The requests of a kind so far. */
  asked(kind) {
    return this.requests.filter(({ method, path }) => kind.test(`${method} ${path}`));
  }

  /** Resolves to the `count`th request of a kind once it is there. */
  async arrived(kind, count = 1) {
    while (this.asked(kind).length < count) await once(this.#events, 'request');
    return this.asked(kind)[count - 1];
  }

  /** Cuts every connection that is open. */
  cutAll() {
    for (const exchange of this.#open) exchange.cut();
  }

  async close() {
    this.#server.close();
    this.cutAll();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #handle(incoming, response) {
    const exchange = new Exchange(this, incoming, response);
    this.#open.add(exchange);
    response.once('close', () => this.#open.delete(exchange));
    try {
      const fault = this.#faultFor(await this.#note(exchange));
      await fault(exchange);
    } catch {
      // Whatever broke on the way, the client meets what it would without a proxy: a broken line.
      exchange.cut();
    }
  }

  async #note(exchange) {
    const request = await exchange.receive();
    this.requests.push(request);
    this.#events.emit('request');
    return request;
  }

  #faultFor({ method, path }) {
    for (const { kind, next } of [...this.#plans, ...this.#defaults]) {
      const fault = kind.test(`${method} ${path}`) ? next() : undefined;
      if (fault !== undefined) return fault;
    }
    return pass;
  }
}
