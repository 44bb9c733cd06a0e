// The built package as plain files, for browsers.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the built package. */
export const DIST = new URL('../../bindings/dist/', import.meta.url);
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
const PAGE = '<!doctype html><title>turnwire</title><link rel="icon" href="data:,">';

/**
 * Serves them, beside an empty page at `/`, for as long as the test `t` lives.
 *
 * `answers` has functions for paths that are to be answered otherwise; `pageHeaders` are the
 * page's. Resolves to the server's address.
 */
export async function serveDist(t, { answers = {}, pageHeaders = {} } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (Object.hasOwn(answers, pathname)) return answers[pathname](response);
    if (pathname !== '/') return sendFile(response, pathname);
    response.writeHead(200, { 'content-type': 'text/html', ...pageHeaders });
    response.end(PAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

function sendFile(response, pathname) {
  const file = createReadStream(fileURLToPath(new URL(`.${pathname}`, DIST)));
  file.once('open', () => {
    response.writeHead(200, { 'content-type': TYPES[extname(pathname)] ?? 'text/plain' });
    file.pipe(response);
  });
  file.once('error', () => {
    response.writeHead(404);
    response.end();
  });
}
