// Headers that come from a function.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answerQuestion,
  approveCall,
  createChat,
  denyCall,
  getPendingApprovals,
  getPendingQuestions,
  getSessionHistory,
  sendMessage,
  streamMessage,
} from 'turnwire';
import { answerIn, chatFor } from './chats.mjs';
import { fault } from './faults.mjs';
import { json, startStandIn, stream } from './stand-in-server.mjs';
import { collect, DONE, finished, frame, SESSION } from './turns.mjs';

const HISTORY = { sessionId: 's1', history: [], approvals: [], questions: [] };
const EXPIRED = json({ error: 'token expired' }, 401);

/** A function that gives `t0`, and with each refresh the next token; `asked` is what for. */
function tokens() {
  const asked = [];
  let token = 0;
  const headers = async ({ refresh, ...rest }) => {
    assert.deepEqual(rest, {});
    asked.push(refresh);
    if (refresh) token += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return { authorization: `t${token}` };
  };
  return { headers, asked };
}

/** A server that answers everything, but only with one of these tokens. */
function startGuarded(t, accepted) {
  return startStandIn(t, (response, { method, url, headers }) => {
    if (!accepted.includes(headers.authorization)) return EXPIRED(response);
    if (url.endsWith('/stream')) return stream(frame(SESSION), frame(DONE))(response);
    return json(method === 'GET' ? HISTORY : finished())(response);
  });
}

function carried({ requests }) {
  return requests.map(({ headers }) => headers.authorization);
}

const CALLS = {
  sendMessage: (base, options) => sendMessage(base, 'a', 'hi', options),
  streamMessage: (base, options) => collect(streamMessage(base, 'a', 'hi', options)),
  approveCall: (base, options) => approveCall(base, 'x', options),
  denyCall: (base, options) => denyCall(base, 'x', options),
  answerQuestion: (base, options) => answerQuestion(base, 'x', 'A-1', options),
  getSessionHistory: (base, options) => getSessionHistory(base, 'a', 's', options),
  getPendingApprovals: (base, options) => getPendingApprovals(base, 'a', options),
  getPendingQuestions: (base, options) => getPendingQuestions(base, 'a', options),
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} asks the function, and again where the server says 401`, async (t) => {
    const server = await startGuarded(t, ['t1']);
    const { headers, asked } = tokens();
    await call(server.url, { headers });
    assert.deepEqual(
      [asked, carried(server)],
      [
        [false, true],
        ['t0', 't1'],
      ],
    );
    const [first, second] = server.requests;
    assert.deepEqual([first.url, first.body], [second.url, second.body]);
    await call(server.url, { headers });
    assert.deepEqual([asked, carried(server).at(-1)], [[false, true, false], 't1']);
  });
}

test('a second 401 is the error', async (t) => {
  const server = await startGuarded(t, []);
  const { headers, asked } = tokens();
  await assert.rejects(
    sendMessage(server.url, 'a', 'hi', { headers }),
    fault('http-status', { status: 401, message: 'token expired' }),
  );
  assert.deepEqual(
    [asked, carried(server)],
    [
      [false, true],
      ['t0', 't1'],
    ],
  );
});

test('a 401 to headers that are none of a function is the error', async (t) => {
  const server = await startGuarded(t, []);
  const headers = { authorization: 't0' };
  const refused = fault('http-status', { status: 401 });
  await assert.rejects(sendMessage(server.url, 'a', 'hi', { headers }), refused);
  assert.equal(server.requests.length, 1);
});

const GIVEN = { 'CONTENT-TYPE': 'application/vnd.own+json', authorization: 't0' };

for (const [name, give] of [
  ['a record', () => GIVEN],
  ['a Headers', () => new Headers(GIVEN)],
  ['a list of pairs', () => Object.entries(GIVEN)],
  ['a promise of a Map', async () => new Map(Object.entries(GIVEN))],
]) {
  test(`the function may give ${name}`, async (t) => {
    const server = await startGuarded(t, ['t0']);
    await sendMessage(server.url, 'a', 'hi', { headers: give });
    assert.equal(server.requests[0].headers['content-type'], 'application/vnd.own+json');
  });
}

test('the function may give nothing', async (t) => {
  const server = await startGuarded(t, [undefined]);
  for (const nothing of [undefined, null, {}]) {
    await sendMessage(server.url, 'a', 'hi', { headers: () => nothing });
  }
  assert.equal(server.requests.length, 3);
});

test('what the function gives and cannot be sent is refused', async (t) => {
  const server = await startGuarded(t, []);
  for (const odd of [7, 'a: b', [['a']], [7], { a: 1 }, { 'a b': 'x' }, { a: 'x\r\ny: z' }]) {
    const options = { headers: () => odd };
    const refused = fault('invalid-argument', { retryable: false });
    await assert.rejects(sendMessage(server.url, 'a', 'hi', options), refused);
    await assert.rejects(streamMessage(server.url, 'a', 'hi', options).next(), refused);
  }
  assert.deepEqual(server.requests, []);
});

const TRAP = new Proxy(
  {},
  {
    get: () => {
      throw new RangeError('trap');
    },
  },
);

for (const [name, thrown, reason] of [
  ['an error', new RangeError('the vault\nis closed'), 'the vault is closed'],
  ['a text', 'offline', 'offline'],
  ['nothing', undefined, 'no reason given'],
  ['a symbol', Symbol('x'), 'no reason given'],
  ['a trap', TRAP, 'no reason given'],
]) {
  test(`a function that throws ${name} ends the call unsent`, async (t) => {
    const server = await startGuarded(t, []);
    const message = `the function that gives headers failed: ${reason}`;
    const failed = fault('headers-failed', { message, retryable: true });
    const throws = () => {
      throw thrown;
    };
    for (const headers of [throws, async () => throws()]) {
      await assert.rejects(sendMessage(server.url, 'a', 'hi', { headers }), failed);
      const events = streamMessage(server.url, 'a', 'hi', { headers, httpErrors: 'event' });
      await assert.rejects(events.next(), failed);
    }
    assert.deepEqual(server.requests, []);
  });
}

test('a function that fails to refresh ends the call', async (t) => {
  const server = await startGuarded(t, []);
  const headers = ({ refresh }) => (refresh ? Promise.reject(new Error('signed out')) : {});
  await assert.rejects(sendMessage(server.url, 'a', 'hi', { headers }), fault('headers-failed'));
  assert.equal(server.requests.length, 1);
});

test('waiting for the function ends with the signal or in time', async (t) => {
  const server = await startGuarded(t, []);
  const controller = new AbortController();
  const hangs = new Promise(() => {});
  const headers = () => {
    // What it has begun is under way when the signal aborts.
    setImmediate(() => controller.abort(new RangeError('left')));
    return hangs;
  };
  const { signal } = controller;
  await assert.rejects(sendMessage(server.url, 'a', 'hi', { headers, signal }), RangeError);
  const late = { headers: () => hangs, timeouts: { connectMs: 1 } };
  await assert.rejects(sendMessage(server.url, 'a', 'hi', late), fault('connect-timeout'));
  const events = streamMessage(server.url, 'a', 'hi', late);
  await assert.rejects(events.next(), fault('connect-timeout'));
  assert.deepEqual(server.requests, []);
});

test('a chat asks the function for every request', async (t) => {
  const server = await startGuarded(t, ['t0', 't1']);
  let count = 0;
  const headers = async () => ({ authorization: `t${count++ % 2}` });
  const chat = chatFor(t, server.url, { headers });
  await chat.send('hi');
  await chat.open('s1');
  assert.deepEqual(carried(server), ['t0', 't1', 't0', 't1']);
});

test('calls of one chat that are refused at once share one refresh', async (t) => {
  const refused = [];
  const server = await startStandIn(t, (response, { headers }) => {
    if (headers.authorization === 't1') return json(HISTORY)(response);
    refused.push(response);
    if (refused.length === 2) for (const response of refused) EXPIRED(response);
  });
  const { headers, asked } = tokens();
  const chat = chatFor(t, server.url, { headers });
  const [first, last] = await Promise.allSettled([chat.open('s1'), chat.open('s2')]);
  assert.deepEqual([first.reason?.code, last.status], ['aborted', 'fulfilled']);
  assert.equal(refused.length, 2);
  assert.deepEqual(
    asked.filter((refresh) => refresh),
    [true],
  );
  const later = carried(server).slice(2);
  assert.ok(later.length >= 4 && later.every((token) => token === 't1'), later.join());
});

test('a chat shows that the function failed, and tries again when asked to', async (t) => {
  const server = await startGuarded(t, ['t0']);
  let works = false;
  const headers = async () => {
    if (!works) throw new Error('offline');
    return { authorization: 't0' };
  };
  const chat = chatFor(t, server.url, { headers });
  await assert.rejects(chat.send('hi'), fault('headers-failed'));
  const { lastError, phase } = chat.getState();
  assert.deepEqual([phase, lastError.code, lastError.retryable], ['idle', 'headers-failed', true]);
  works = true;
  await chat.retry();
  assert.equal(answerIn(chat.getState()), DONE.text);
});

test('a chat that joins its turn again carries the new token', async (t) => {
  const server = await startStandIn(t, (response, { method, headers }) => {
    if (method === 'POST') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-turnwire-turn': 't' });
      return response.write(frame(SESSION), () => response.destroy());
    }
    return headers.authorization === 't1' ? stream(frame(DONE))(response) : EXPIRED(response);
  });
  const { headers, asked } = tokens();
  const chat = chatFor(t, server.url, { headers });
  await chat.send('hi');
  assert.equal(answerIn(chat.getState()), DONE.text);
  assert.deepEqual(
    [asked, carried(server)],
    [
      [false, false, true],
      ['t0', 't0', 't1'],
    ],
  );
});

test('options that are none are refused before the function is asked', () => {
  const { headers, asked } = tokens();
  const options = { baseUrl: 'nowhere', agent: 'a', headers };
  assert.throws(() => createChat(options), fault('invalid-argument'));
  assert.deepEqual(asked, []);
});
