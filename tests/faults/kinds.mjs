// What may become of a request: each fault is a function of its exchange.

/** Nothing at all. */
export async function pass(exchange) {
  const answer = await exchange.ask();
  await exchange.send(answer, answer);
}

/** The request never reaches the server. */
export function refuse(exchange) {
  exchange.cut();
}

/** The server gets the request, and its response gets lost. */
export async function lose(exchange) {
  await exchange.ask();
  exchange.cut();
}

/** The connection breaks after this many bytes of the body. */
export function cutAfter(bytes) {
  return async (exchange) => {
    const answer = await exchange.ask();
    await exchange.send(answer, brokenAfter(answer, bytes));
  };
}

/** The response ends after this many bytes of the body, as if it were whole. */
export function endAfter(bytes) {
  return async (exchange) => {
    const answer = await exchange.ask();
    await exchange.send(answer, firstOf(answer, bytes));
  };
}

/** After this many bytes nothing more comes, and nobody says that the connection is dead. */
export function halfOpenAfter(bytes) {
  return async (exchange) => {
    const answer = await exchange.ask();
    await exchange.send(answer, silentAfter(answer, bytes, exchange.closed));
  };
}

/** The whole body is kept until it has ended, and then comes at once. */
export async function buffer(exchange) {
  const answer = await exchange.ask();
  await exchange.send(answer, wholeOf(answer));
}

/** The server's response waits for `promise`. */
export function holdUntil(promise) {
  return async (exchange) => {
    const answer = await exchange.ask();
    await promise;
    await exchange.send(answer, answer);
  };
}

/** Each chunk waits for what `pause` returns. */
export function delayChunks(pause) {
  return async (exchange) => {
    const answer = await exchange.ask();
    await exchange.send(answer, pausing(answer, pause));
  };
}

/** A stream begins again from its start, whatever the client has seen. */
export async function replay(exchange) {
  const answer = await exchange.ask({ without: ['last-event-id'] });
  await exchange.send(answer, answer);
}

/** Comments, which servers send to show that they are still there, are taken out. */
export async function dropComments(exchange) {
  const answer = await exchange.ask();
  await exchange.send(answer, withoutComments(answer));
}

/** The proxy answers in the server's place, which is not asked. */
export function reply(status, type, text, headers = {}) {
  const body = Buffer.from(text);
  const all = { 'content-type': type, 'content-length': body.length, ...headers };
  return (exchange) => exchange.send({ statusCode: status, headers: all }, [body]);
}

export const badGateway = reply(502, 'text/html', '<html><h1>502 Bad Gateway</h1></html>');
export const unavailable = reply(503, 'application/json', '{"error":"try later"}');
export const loginPage = reply(200, 'text/html', '<!doctype html><title>Sign in</title>');
export const unauthorised = reply(401, 'application/json', '{"error":"the token has expired"}');
export const forbidden = reply(403, 'application/json', '{"error":"not yours"}');

/** Too many requests, which may come again in so many seconds. */
export function tooMany(seconds) {
  return reply(429, 'application/json', '{"error":"slow down"}', { 'retry-after': seconds });
}

async function* firstOf(chunks, bytes) {
  let left = bytes;
  // Not even a byte may be waited for that is not to be handed on.
  if (left === 0) return;
  // What is left of the response stays open: a server hears nothing of a connection that is dead.
  for await (const chunk of chunks.iterator({ destroyOnReturn: false })) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

async function* brokenAfter(chunks, bytes) {
  yield* firstOf(chunks, bytes);
  throw new Error('cut as planned');
}

async function* silentAfter(chunks, bytes, end) {
  yield* firstOf(chunks, bytes);
  await end;
}

async function* wholeOf(chunks) {
  const whole = [];
  for await (const chunk of chunks) whole.push(chunk);
  yield Buffer.concat(whole);
}

async function* pausing(chunks, pause) {
  for await (const chunk of chunks) {
    await pause();
    yield chunk;
  }
}

async function* withoutComments(chunks) {
  let rest = '';
  for await (const text of chunks.setEncoding('utf8')) {
    // A comment's blank line goes with it: each byte says that the server is there.
    const blocks = (rest + text).split(/(?<=\n\n)/);
    rest = blocks.at(-1).endsWith('\n\n') ? '' : blocks.pop();
    yield Buffer.from(blocks.filter((block) => !block.startsWith(':')).join(''));
  }
  yield Buffer.from(rest);
}
