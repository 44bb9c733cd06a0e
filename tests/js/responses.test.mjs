import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveCall, getPendingApprovals, getSessionHistory, sendMessage } from 'turnwire';
import { fault } from './faults.mjs';
import { body, json, startStandIn } from './stand-in-server.mjs';
import { APPROVAL, DONE, finished, SESSION, TEXT, waiting } from './turns.mjs';

/** What `sendMessage` makes of an answer. */
async function sent(t, answer, options) {
  const { url } = await startStandIn(t, answer);
  return sendMessage(url, 'a', 'hi', options);
}

test('a turn that is over comes exactly as sent', async (t) => {
  const turn = { ...finished(TEXT), text: '', stopReason: 'later:reason', more: { a: [null] } };
  assert.deepEqual(await sent(t, json(turn)), turn);
});

test('a turn that waits comes exactly as sent', async (t) => {
  assert.deepEqual(await sent(t, json(waiting(TEXT), 202)), waiting(TEXT));
});

test('what comes is plain and can be cloned', async (t) => {
  const turn = { ...finished(), map: { a: null }, seq: 9007199254740991 };
  const result = await sent(t, json(turn));
  assert.deepEqual(structuredClone(result), turn);
  assert.equal(Object.getPrototypeOf(result.map), Object.prototype);
  assert.equal('stopReason' in result, false);
});

test('a decision may be answered with an acknowledgement, a message may not', async (t) => {
  const { url } = await startStandIn(t, json({ ok: true }));
  assert.deepEqual(await approveCall(url, 'a1'), { ok: true });
  await assert.rejects(sendMessage(url, 'a', 'hi'), fault('invalid-response'));
});

test('a login page with status 200 is an error that shows its start', async (t) => {
  const page = body('<!doctype html>\n<title>Log in</title>', 'Text/HTML; charset=utf-8');
  await assert.rejects(sent(t, page), (error) => {
    fault('unexpected-content-type', { status: 200, retryable: false })(error);
    assert.deepEqual(error.http, {
      status: 200,
      redirected: false,
      mediaType: 'text/html',
      excerpt: '<!doctype html> <title>Log in</title>',
    });
    return true;
  });
});

test('a redirect to a page is told', async (t) => {
  const { url } = await startStandIn(t, (response, request) => {
    if (request.url === '/login') return body('<h1>Log in</h1>', 'text/html')(response);
    response.writeHead(303, { location: '/login' });
    response.end();
  });
  await assert.rejects(sendMessage(url, 'a', 'hi'), (error) => {
    assert.equal(error.http.redirected, true);
    return fault('unexpected-content-type')(error);
  });
});

for (const [name, answer] of [
  ['null', json(null)],
  ['a number', json(42)],
  ['a list', json([])],
  ['an object without the fields', json({ text: 'x' })],
  ['fields of a wrong type', json({ ...finished(), text: 7 })],
  ['events that are no list', json({ ...finished(), events: {} })],
  ['no JSON', body('{"text":')],
  ['nothing', body('')],
  ['nothing, with status 204', body(undefined, null, 204)],
]) {
  test(`a success that holds ${name} is an invalid response`, async (t) => {
    const status = name.endsWith('204') ? 204 : 200;
    await assert.rejects(sent(t, answer), fault('invalid-response', { status, retryable: false }));
  });
}

test('a success without a media type is read for what it is', async (t) => {
  assert.deepEqual(await sent(t, body(JSON.stringify(finished()), null)), finished());
});

test('histories and lists that are none are invalid responses too', async (t) => {
  const { url } = await startStandIn(t, json({ history: 'x', approvals: {} }));
  await assert.rejects(getSessionHistory(url, 'a', 's'), fault('invalid-response'));
  await assert.rejects(getPendingApprovals(url, 'a'), fault('invalid-response'));
});

test('JSON that nests too deep is refused', async (t) => {
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  const text = JSON.stringify(finished()).replace('}', `,"deep":${deep}}`);
  await assert.rejects(sent(t, body(text)), fault('nesting-too-deep'));
});

test('a response over the limit is refused', async (t) => {
  const options = { limits: { maxResponseBytes: 1000 } };
  const large = json(finished({ ...TEXT, text: 'x'.repeat(1000) }));
  await assert.rejects(sent(t, large, options), fault('response-too-large'));
});

for (const [name, answer, status, message, more] of [
  ['a text', json({ error: 'out of stock' }, 409), 409, 'out of stock', {}],
  [
    'an object',
    json({ error: { code: 'quota', message: 'limit reached' } }, 402),
    402,
    'limit reached',
    { code: 'quota' },
  ],
  [
    'a problem',
    json({ type: 'urn:p', title: 'Gone away' }, 410),
    410,
    'Gone away',
    { code: 'urn:p' },
  ],
  ['null', json(null, 500), 500, 'HTTP 500', {}],
  ['a list', json([1], 400), 400, 'HTTP 400', {}],
  [
    'a page',
    body('<h1>Bad gateway</h1>', 'text/html', 502),
    502,
    'HTTP 502',
    { excerpt: '<h1>Bad gateway</h1>' },
  ],
  ['nothing', body('', 'text/plain', 503), 503, 'HTTP 503', {}],
]) {
  test(`an error status whose body is ${name} keeps what the server said`, async (t) => {
    await assert.rejects(sent(t, answer), (error) => {
      fault('http-status', { status, message })(error);
      const { code, excerpt } = error.http;
      assert.deepEqual(JSON.parse(JSON.stringify({ code, excerpt })), more);
      return true;
    });
  });
}

test('headers that help are kept, and only some statuses can be tried again', async (t) => {
  const headers = {
    'retry-after': '7',
    'www-authenticate': 'Basic realm="x"',
    'x-request-id': 'r-1',
  };
  await assert.rejects(sent(t, json({}, 503, headers)), (error) => {
    const { retryAfterMs, wwwAuthenticate, requestId } = error.http;
    assert.deepEqual([retryAfterMs, wwwAuthenticate, requestId], [7000, 'Basic realm="x"', 'r-1']);
    return fault('http-status', { retryable: true })(error);
  });
  for (const status of [400, 401, 404]) {
    await assert.rejects(sent(t, json({}, status)), fault('http-status', { retryable: false }));
  }
});

test('a server that is not there is a network fault that names no address', async (t) => {
  const { url } = await startStandIn(t, (response) => response.destroy());
  await assert.rejects(sendMessage(url, 'a', 'hi'), (error) => {
    assert.doesNotMatch(error.message, /127\.0\.0\.1/);
    return fault('network', { retryable: true })(error);
  });
});

test('events of unknown types and with unknown fields pass through', async (t) => {
  const odd = [
    { type: 'later:event', n: 1.5, deep: { a: [null] } },
    { ...TEXT, lang: 'en' },
  ];
  const { events } = await sent(t, json(finished(...odd)));
  assert.deepEqual(events, [SESSION, ...odd, DONE]);
});

test('a damaged event ends the call', async (t) => {
  const answer = json(finished({ type: 'tool:result', id: 'c1' }));
  await assert.rejects(sent(t, answer), fault('invalid-event', { retryable: false }));
});

test('damaged events are told to onDecodeError, and the rest is handed out', async (t) => {
  const damaged = [{ type: 'done' }, 7, null];
  const told = [];
  const options = { onDecodeError: (error, raw) => told.push([error, raw]) };
  const result = await sent(t, json(waiting(damaged[0], TEXT, ...damaged.slice(1)), 202), options);
  assert.deepEqual(result.events, [SESSION, TEXT, APPROVAL]);
  assert.deepEqual(
    told.map(([, raw]) => JSON.parse(raw)),
    damaged,
  );
  for (const [error] of told) fault('invalid-event')(error);
});

test('integers that JavaScript rounds are noticed', async (t) => {
  const text = JSON.stringify(finished()).replace('}', ',"seq":9007199254740993}');
  const notices = [];
  const result = await sent(t, body(text), { onNotice: (notice) => notices.push(notice) });
  assert.equal(result.events[0].seq, 9007199254740992);
  assert.deepEqual(
    notices.map(({ code, integers, offset }) => ({ code, integers, offset })),
    [{ code: 'precision-loss', integers: ['9007199254740993'], offset: undefined }],
  );
});

test('integers that JavaScript holds are not', async (t) => {
  const notices = [];
  const onNotice = (notice) => notices.push(notice);
  const held = { n: [9007199254740991, -9007199254740991, 1.5], text: 'no 9007199254740993' };
  await sent(t, json({ ...finished(), ...held }), { onNotice });
  assert.deepEqual(notices, []);
});
