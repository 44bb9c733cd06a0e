// The proxy of `tests/faults` itself: a fault that does not happen would prove nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate } from '../faults/gate.mjs';
import * as faults from '../faults/kinds.mjs';
import { DECISIONS, JOINS, MESSAGES, STREAMS, startProxy } from '../faults/proxy.mjs';
import { json, openStream, startStandIn, stream } from './stand-in-server.mjs';

const TURN = '/agents/a/messages/stream';

/** A proxy in front of a stand-in, both as long as the test `t`. */
async function proxied(t, answer) {
  const server = await startStandIn(t, answer);
  const proxy = await startProxy(server.url);
  t.after(() => proxy.close());
  return { server, proxy, post: (path = TURN) => fetch(proxy.url + path, { method: 'POST' }) };
}

/** What comes of a body, and whether it ended as it should. */
async function read(response) {
  let text = '';
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) text += chunk;
  } catch {
    return [text, 'broken'];
  }
  return [text, 'whole'];
}

test('what has no plan passes as it is, and is noted', async (t) => {
  const { server, proxy } = await proxied(t, json({ ok: 1 }, 201, { 'x-own': 'kept' }));
  const headers = { 'x-asked': 'kept' };
  const response = await fetch(`${proxy.url}/a?b`, { method: 'POST', headers, body: 'hi' });
  assert.deepEqual([response.status, response.headers.get('x-own')], [201, 'kept']);
  assert.deepEqual(await response.json(), { ok: 1 });
  const [{ method, path, headers: seen, body: sent }] = proxy.requests;
  assert.deepEqual([method, path, seen['x-asked'], String(sent)], ['POST', '/a?b', 'kept', 'hi']);
  const [asked] = server.requests;
  assert.deepEqual([asked.method, asked.url, asked.body], ['POST', '/a?b', 'hi']);
  assert.equal(asked.headers.host, new URL(proxy.url).host);
});

test('a body is cut after any of its bytes, however it came', async (t) => {
  const { proxy, post } = await proxied(t, openStream('ab', 'cde', 'f'));
  for (let bytes = 0; bytes <= 6; bytes += 1) {
    proxy.plan(MESSAGES, faults.cutAfter(bytes));
    assert.deepEqual(await read(await post()), ['abcdef'.slice(0, bytes), 'broken']);
  }
});

test('a body that ends early looks whole', async (t) => {
  const { proxy, post } = await proxied(t, openStream('ab', 'cde'));
  proxy.plan(MESSAGES, faults.endAfter(3));
  assert.deepEqual(await read(await post()), ['abc', 'whole']);
});

test('a request is refused before the server has it, or its response gets lost', async (t) => {
  const { server, proxy, post } = await proxied(t, json({}));
  proxy.plan(MESSAGES, faults.refuse, faults.lose);
  await assert.rejects(post());
  assert.equal(server.requests.length, 0);
  await assert.rejects(post());
  assert.equal(server.requests.length, 1);
});

test('a half-open connection falls silent and stays', async (t) => {
  const { server, proxy, post } = await proxied(t, openStream('ab', 'cde'));
  proxy.plan(MESSAGES, faults.halfOpenAfter(3));
  const reader = (await post()).body.getReader();
  let text = '';
  while (text.length < 3) text += Buffer.from((await reader.read()).value);
  assert.equal(text, 'abc');
  const rest = reader.read();
  assert.equal(await Promise.race([rest, post().then(() => 'silence')]), 'silence');
  await reader.cancel();
  assert.equal(await server.requests[0].closed, false);
});

test('a body is kept until it is whole', async (t) => {
  const { proxy, post } = await proxied(t, stream('ab', 'cde', 'f'));
  proxy.plan(MESSAGES, faults.buffer);
  const chunks = [];
  for await (const chunk of (await post()).body) chunks.push(String(Buffer.from(chunk)));
  assert.deepEqual(chunks, ['abcdef']);
});

test('a head waits for what the test says', async (t) => {
  const { proxy, post } = await proxied(t, stream('ab', 'cde'));
  const { opened, open } = gate();
  proxy.plan(MESSAGES, faults.holdUntil(opened));
  const asked = post();
  await proxy.arrived(MESSAGES);
  assert.equal(await Promise.race([asked, post().then(() => 'later')]), 'later');
  open();
  assert.deepEqual(await read(await asked), ['abcde', 'whole']);
});

test('each chunk waits for what the test says', async (t) => {
  const { proxy, post } = await proxied(t, stream('ab', 'cde'));
  const { opened, open } = gate();
  let pauses = 0;
  const pause = () => {
    pauses += 1;
    return opened;
  };
  proxy.plan(MESSAGES, faults.delayChunks(pause));
  const response = await post();
  const body = read(response);
  assert.equal(await Promise.race([body, post().then(() => 'later')]), 'later');
  assert.equal(pauses, 1);
  open();
  assert.deepEqual(await body, ['abcde', 'whole']);
});

test('a stream is asked for from its start', async (t) => {
  const { server, proxy } = await proxied(t, stream('ab'));
  proxy.plan(JOINS, faults.replay);
  const headers = { 'last-event-id': '3', 'x-own': 'kept' };
  await fetch(`${proxy.url}/turns/t/stream`, { headers });
  await fetch(`${proxy.url}/turns/t/stream`, { headers });
  assert.deepEqual(
    server.requests.map(({ headers }) => [headers['last-event-id'], headers['x-own']]),
    [
      [undefined, 'kept'],
      ['3', 'kept'],
    ],
  );
});

test('comments are taken out, however they were cut', async (t) => {
  const chunks = [': one\n\nda', 'ta: 1\n\n', ':', ' two\n', '\n', 'data: :2\n\n: three\n\n'];
  const { proxy, post } = await proxied(t, stream(...chunks));
  proxy.plan(MESSAGES, faults.dropComments);
  assert.deepEqual(await read(await post()), ['data: 1\n\ndata: :2\n\n', 'whole']);
});

test('the proxy answers in the server’s place', async (t) => {
  const { server, proxy, post } = await proxied(t, json({}));
  const { badGateway, unavailable, loginPage, unauthorised, forbidden, tooMany } = faults;
  const answers = [badGateway, unavailable, loginPage, unauthorised, forbidden, tooMany(7)];
  proxy.plan(STREAMS, ...answers);
  const seen = [];
  for (const _ of answers) {
    const { status, headers } = await post();
    seen.push([status, headers.get('content-type'), headers.get('retry-after')]);
  }
  assert.deepEqual(seen, [
    [502, 'text/html', null],
    [503, 'application/json', null],
    [200, 'text/html', null],
    [401, 'application/json', null],
    [403, 'application/json', null],
    [429, 'application/json', '7'],
  ]);
  assert.deepEqual(server.requests, []);
});

test('plans are for their kind of request, used up in order, and before what is always so', async (t) => {
  const { proxy, post } = await proxied(t, json({}));
  proxy.always(STREAMS, faults.unavailable);
  proxy.plan(MESSAGES, faults.forbidden, faults.pass);
  const statuses = [];
  for (const path of [TURN, '/approvals/x/approve', TURN, TURN, TURN]) {
    statuses.push((await post(path)).status);
  }
  assert.deepEqual(statuses, [403, 200, 200, 503, 503]);
  assert.equal(proxy.asked(DECISIONS).length, 1);
});

test('all connections are cut at once, and a server that is gone is a broken connection', async (t) => {
  const { proxy, post } = await proxied(t, openStream('ab'));
  const bodies = [read(await post()), read(await post())];
  proxy.cutAll();
  for (const body of bodies) assert.equal((await body)[1], 'broken');
  proxy.target = 'http://127.0.0.1:1';
  await assert.rejects(post());
});

test('closing ends everything', async () => {
  const proxy = await startProxy('http://127.0.0.1:1');
  proxy.always(MESSAGES, faults.holdUntil(new Promise(() => {})));
  await proxy.close();
  await assert.rejects(fetch(proxy.url));
});
