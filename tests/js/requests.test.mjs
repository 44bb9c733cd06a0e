import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answerQuestion,
  approveCall,
  denyCall,
  getPendingApprovals,
  getPendingQuestions,
  getSessionHistory,
  sendMessage,
  streamMessage,
} from 'turnwire';
import { fault } from './faults.mjs';
import { json, startStandIn, stream } from './stand-in-server.mjs';
import { collect, DONE, finished, frame } from './turns.mjs';

const HISTORY = { sessionId: 's1', history: [], approvals: [], questions: [] };

/** What a call sent, to a server that answers each in a way that fits. */
async function requestOf(t, call) {
  const { url, requests } = await startStandIn(t, (response, { method, url }) => {
    if (url.endsWith('/stream')) return stream(frame(DONE))(response);
    return json(method === 'GET' ? HISTORY : finished())(response);
  });
  await call(url);
  assert.equal(requests.length, 1);
  return requests[0];
}

for (const [name, call, method, url, sent] of [
  [
    'sendMessage',
    (base) => sendMessage(base, 'a', 'hi'),
    'POST',
    '/agents/a/messages',
    { message: 'hi' },
  ],
  [
    'streamMessage',
    (base) => collect(streamMessage(base, 'a', 'hi')),
    'POST',
    '/agents/a/messages/stream',
    { message: 'hi' },
  ],
  ['approveCall', (base) => approveCall(base, 'x'), 'POST', '/approvals/x/approve'],
  ['denyCall', (base) => denyCall(base, 'x'), 'POST', '/approvals/x/deny'],
  [
    'answerQuestion',
    (base) => answerQuestion(base, 'x', 'A-1'),
    'POST',
    '/questions/x/answer',
    { answer: 'A-1' },
  ],
  ['getSessionHistory', (base) => getSessionHistory(base, 'a', 's'), 'GET', '/agents/a/sessions/s'],
  ['getPendingApprovals', (base) => getPendingApprovals(base, 'a'), 'GET', '/agents/a/approvals'],
  ['getPendingQuestions', (base) => getPendingQuestions(base, 'a'), 'GET', '/agents/a/questions'],
]) {
  test(`${name} asks the protocol's address`, async (t) => {
    const request = await requestOf(t, call);
    assert.equal(`${request.method} ${request.url}`, `${method} ${url}`);
    assert.deepEqual(request.body === '' ? undefined : JSON.parse(request.body), sent);
    assert.equal(
      request.headers['content-type'],
      method === 'POST' ? 'application/json' : undefined,
    );
  });
}

test('a list is of one session where the options name one', async (t) => {
  const options = { sessionId: 's/1' };
  const approvals = await requestOf(t, (base) => getPendingApprovals(base, 'a', options));
  assert.equal(approvals.url, '/agents/a/sessions/s%2F1/approvals');
  const questions = await requestOf(t, (base) => getPendingQuestions(base, 'a', options));
  assert.equal(questions.url, '/agents/a/sessions/s%2F1/questions');
});

test('names and ids are encoded as encodeURIComponent does it', async (t) => {
  const name = "désk / ü?#%&+ !'()*~那🌍";
  const { url } = await requestOf(t, (base) => getSessionHistory(base, name, name));
  const encoded = encodeURIComponent(name);
  assert.equal(url, `/agents/${encoded}/sessions/${encoded}`);
});

test('a name or id that would change the path is refused before anything is sent', async (t) => {
  const { url, requests } = await startStandIn(t, json(finished()));
  for (const name of ['', '.', '..']) {
    await assert.rejects(sendMessage(url, name, 'hi'), fault('invalid-argument'));
    await assert.rejects(approveCall(url, name), fault('invalid-argument'));
    await assert.rejects(getSessionHistory(url, 'a', name), fault('invalid-argument'));
    await assert.rejects(streamMessage(url, name, 'hi').next(), fault('invalid-argument'));
  }
  assert.deepEqual(requests, []);
});

test('slashes at the end of the base address do not matter, its path stays', async (t) => {
  const { url } = await requestOf(t, (base) => sendMessage(`${base}/api/v1//`, 'a', 'hi'));
  assert.equal(url, '/api/v1/agents/a/messages');
});

test('an address that is none is refused', async () => {
  for (const base of [
    'ftp://x',
    'http://',
    'x',
    'http://h/?q',
    'http://h/#f',
    7,
    undefined,
    null,
  ]) {
    await assert.rejects(sendMessage(base, 'a', 'hi'), fault('invalid-argument'), String(base));
  }
});

test('sessionId goes into the body, and fields of the option body win', async (t) => {
  const body = { tenant: 't', message: 'other', deep: { a: [null, 1.5] } };
  for (const call of [sendMessage, (...given) => collect(streamMessage(...given))]) {
    const request = await requestOf(t, (base) => call(base, 'a', 'hi', { sessionId: 's', body }));
    assert.deepEqual(JSON.parse(request.body), { ...body, sessionId: 's' });
  }
});

test('an empty sessionId is not sent', async (t) => {
  const request = await requestOf(t, (base) => sendMessage(base, 'a', 'hi', { sessionId: '' }));
  assert.deepEqual(JSON.parse(request.body), { message: 'hi' });
});

test('decisions carry the option body', async (t) => {
  const body = { tenant: 't' };
  const approved = await requestOf(t, (base) => approveCall(base, 'x', { body }));
  assert.deepEqual(JSON.parse(approved.body), body);
  const answered = await requestOf(t, (base) => answerQuestion(base, 'x', 'A-1', { body }));
  assert.deepEqual(JSON.parse(answered.body), { answer: 'A-1', ...body });
});

const GIVEN = { 'CONTENT-TYPE': 'application/vnd.own+json', authorization: 'Bearer x' };

for (const [name, headers] of [
  ['a record', GIVEN],
  ['a Headers', new Headers(GIVEN)],
  ['a list of pairs', Object.entries(GIVEN)],
  ['a Map', new Map(Object.entries(GIVEN))],
]) {
  test(`headers may be ${name}, in any case`, async (t) => {
    const request = await requestOf(t, (base) => sendMessage(base, 'a', 'hi', { headers }));
    assert.equal(request.headers['content-type'], 'application/vnd.own+json');
    assert.equal(request.headers.authorization, 'Bearer x');
  });
}

test('headers that cannot be sent are refused before anything is sent', async (t) => {
  const { url, requests } = await startStandIn(t, json(finished()));
  for (const headers of [{ 'a b': 'x' }, { a: 'x\r\ny: z' }, { a: 1 }, [['a']], 'a: b', [7]]) {
    const sent = sendMessage(url, 'a', 'hi', { headers });
    await assert.rejects(sent, fault('invalid-argument'), JSON.stringify(headers));
  }
  assert.deepEqual(requests, []);
});

test('arguments that are no text, empty or lone surrogates are refused', async (t) => {
  const { url, requests } = await startStandIn(t, json(finished()));
  const refused = fault('invalid-argument', { retryable: false });
  for (const text of [undefined, null, 7, {}, 'a\ud83d']) {
    await assert.rejects(sendMessage(url, 'a', text), refused);
    await assert.rejects(sendMessage(url, text, 'hi'), refused);
    await assert.rejects(answerQuestion(url, 'q', text), refused);
    await assert.rejects(streamMessage(url, 'a', text).next(), refused);
  }
  await assert.rejects(sendMessage(url, 'a', ''), refused);
  await assert.rejects(sendMessage(url, 'a', 'hi', { sessionId: 'a\udc00' }), refused);
  await assert.rejects(sendMessage(url, 'a', 'hi', { body: { text: 'a\udc00' } }), refused);
  assert.deepEqual(requests, []);
});

test('whole surrogate pairs and a sent U+FFFD arrive as they are', async (t) => {
  const text = 'a\ud83c\udf0d\ufffd';
  const request = await requestOf(t, (base) => sendMessage(base, 'a', text));
  assert.equal(JSON.parse(request.body).message, text);
});

test('a message over the limit is refused before anything is sent', async (t) => {
  const { url, requests } = await startStandIn(t, json(finished()));
  const options = { limits: { maxMessageBytes: 4 } };
  await assert.rejects(sendMessage(url, 'a', 'ünü', options), fault('invalid-argument'));
  await assert.rejects(answerQuestion(url, 'q', 'hello', options), fault('invalid-argument'));
  assert.deepEqual(requests, []);
  await sendMessage(url, 'a', 'four', options);
});

test('options that are none are refused', async (t) => {
  const { url, requests } = await startStandIn(t, json(finished()));
  const cycle = {};
  cycle.self = cycle;
  for (const options of [
    7,
    { sessionId: 7 },
    { body: [] },
    { body: cycle },
    { body: { big: 1n } },
    { timeouts: { idleMs: 0 } },
    { timeouts: { idleMs: Number.NaN } },
    { timeouts: { connectMs: '5' } },
    { limits: { maxResponseBytes: -1 } },
    { signal: 'now' },
  ]) {
    await assert.rejects(sendMessage(url, 'a', 'hi', options), fault('invalid-argument'));
    await assert.rejects(streamMessage(url, 'a', 'hi', options).next(), fault('invalid-argument'));
  }
  assert.deepEqual(requests, []);
});

test('null stands for options that are not given', async (t) => {
  const options = { sessionId: null, headers: null, body: null, signal: null, limits: null };
  const { url, requests } = await startStandIn(t, json(finished()));
  await sendMessage(url, 'a', 'hi', null);
  await sendMessage(url, 'a', 'hi', { ...options, timeouts: null });
  assert.equal(requests.length, 2);
});
