// One request on its way through the proxy, and what can become of it.
import { once } from 'node:events';
import { Agent, request as ask } from 'node:http';

// A server's kept connection may be closed under a request; none is kept.
const AGENT = new Agent({ keepAlive: false });

const STREAM = /^(text\/event-stream|application\/x-ndjson)\b/;

/**
 * The headers of a response but for those of the connection, which is kept or not.
 *
 * Streams say nothing of that: Node takes one that is to be the connection's last for whole wherever
 * it breaks off.
 */
function forClient({ connection: _, 'keep-alive': __, ...headers }, isKept) {
  const isStream = STREAM.test(headers['content-type']);
  return isKept || isStream ? headers : { ...headers, connection: 'close' };
}

export class Exchange {
  /** Resolves once the client's side is closed, by whomever. */
  closed;
  #proxy;
  #incoming;
  #response;
  #request;

  constructor(proxy, incoming, response) {
    this.#proxy = proxy;
    this.#incoming = incoming;
    this.#response = response;
    this.closed = once(response, 'close');
  }

  /** Takes the whole request in. */
  async receive() {
    const { method, url: path, headers } = this.#incoming;
    const chunks = [];
    for await (const chunk of this.#incoming) chunks.push(chunk);
    this.#request = { method, path, headers, body: Buffer.concat(chunks), at: performance.now() };
    return this.#request;
  }

  /** Asks the server, leaving these headers out; resolves to the head of its response. */
  async ask({ without = [] } = {}) {
    const { method, path, body } = this.#request;
    const headers = { ...this.#request.headers, connection: 'close' };
    for (const name of without) delete headers[name];
    const upstream = ask(new URL(path, this.#proxy.target), { method, headers, agent: AGENT });
    // Who gives up on the proxy gives up on the server.
    this.#response.once('close', () => upstream.destroy());
    const answered = once(upstream, 'response');
    upstream.end(body);
    const [answer] = await answered;
    this.#request.turn = answer.headers['x-turnwire-turn'];
    // What breaks a body is met where the body is read.
    upstream.on('error', () => {});
    return answer;
  }

  /** Hands a response on, its bytes as `shape` yields them. */
  async send({ statusCode, headers }, bytes) {
    this.#response.writeHead(statusCode, forClient(headers, this.#proxy.keepsConnections));
    this.#response.flushHeaders();
    for await (const chunk of bytes) await this.#write(chunk);
    this.#response.end();
  }

  /** Breaks the connection to the client. */
  cut() {
    this.#incoming.socket.destroy();
  }

  async #write(chunk) {
    // The callback says that the bytes have left: a cut behind them takes none of them back.
    if (chunk.length > 0) await new Promise((resolve) => this.#response.write(chunk, resolve));
  }
}
