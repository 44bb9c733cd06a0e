// A server that answers whatever a test wants, down to the byte, and tells what it was asked.
import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Starts one that lives as long as the test `t` and passes each request to `answer`.
 *
 * `requests` holds what arrived, in order; `closed` of each resolves, to whether the response had
 * been ended before, once its connection is given up or its response is through.
 */
export async function startStandIn(t, answer) {
  const requests = [];
  const server = createServer(async (incoming, response) => {
    const { method, url, headers } = incoming;
    const closed = once(response, 'close').then(() => response.writableFinished);
    const request = { method, url, headers, body: await textOf(incoming), closed };
    requests.push(request);
    await answer(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, requests };
}

/** Answers with these bytes; without a media type where `type` is null. */
export function body(content, type = 'application/json', status = 200, headers = {}) {
  return (response) => {
    response.writeHead(status, type === null ? headers : { 'content-type': type, ...headers });
    response.end(content);
  };
}

/** Answers with this value as JSON. */
export function json(value, status = 200, headers = {}) {
  return body(JSON.stringify(value), 'application/json', status, headers);
}

/** Answers with an event stream in these chunks. */
export function stream(...chunks) {
  return streamOf(chunks, (response) => response.end());
}

/** Answers with an event stream that stays open after these chunks. */
export function openStream(...chunks) {
  return streamOf(chunks, () => {});
}

/** Answers with an event stream whose connection breaks after these chunks. */
export function brokenStream(...chunks) {
  return streamOf(chunks, (response) => response.destroy());
}

/** Never answers. */
export function silence() {}

function streamOf(chunks, end) {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const chunk of chunks) {
      // Every write is a chunk of its own in HTTP/1.1; an empty one would be the last.
      if (chunk.length > 0) await new Promise((resolve) => response.write(chunk, resolve));
    }
    end(response);
  };
}

async function textOf(incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
