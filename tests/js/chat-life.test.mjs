import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createChat } from 'turnwire';
import { answerIn, chatFor, firstPending, stateWhere } from './chats.mjs';
import { fault } from './faults.mjs';
import { json, openStream, silence, startStandIn, stream } from './stand-in-server.mjs';
import { APPROVAL, DONE, frame, SESSION, TEXT } from './turns.mjs';

const TURN = stream(frame(SESSION), frame(TEXT), frame(DONE));

test('options that are none are refused', () => {
  for (const options of [
    undefined,
    null,
    {},
    { baseUrl: 'http://127.0.0.1:1' },
    { baseUrl: 'nowhere', agent: 'a' },
    { baseUrl: 'http://127.0.0.1:1', agent: 7 },
    { baseUrl: 'http://127.0.0.1:1', agent: 'a', limits: { maxFrameBytes: 0 } },
  ]) {
    assert.throws(() => createChat(options), fault('invalid-argument'));
  }
});

test('the functions need no `this`', async (t) => {
  const { url } = await startStandIn(t, TURN);
  const { getState, send, subscribe } = chatFor(t, url);
  let calls = 0;
  subscribe(() => {
    calls += 1;
  });
  await send('hi');
  assert.equal(answerIn(getState()), DONE.text);
  assert.ok(calls > 0);
});

test('headers and limits go with every request', async (t) => {
  const { url, requests } = await startStandIn(t, TURN);
  const chat = chatFor(t, url, {
    headers: new Headers({ authorization: 'Bearer x' }),
    limits: { maxMessageBytes: 4 },
  });
  await assert.rejects(chat.send('hello'), fault('invalid-argument'));
  await chat.send('hi');
  assert.equal(requests.length, 1);
  assert.equal(requests[0].headers.authorization, 'Bearer x');
});

test('a listener that was taken off hears no more, also within one change', async (t) => {
  const { url } = await startStandIn(t, TURN);
  const chat = chatFor(t, url);
  const heard = [];
  const off = chat.subscribe(() => {
    heard.push('first');
    off();
    offSecond();
  });
  const offSecond = chat.subscribe(() => heard.push('second'));
  const count = () => heard.push('third');
  const offs = [chat.subscribe(count), chat.subscribe(count)];
  offs[0]();
  offs[0]();
  await chat.send('hi');
  assert.deepEqual([...new Set(heard)], ['first', 'third']);
  assert.equal(heard.filter((name) => name === 'first').length, 1);
});

test('a listener has to be a function', async (t) => {
  const chat = chatFor(t, 'http://127.0.0.1:1');
  assert.throws(() => chat.subscribe({}), fault('invalid-argument'));
});

test('what a listener throws is reported, and the others hear of the change', async (t) => {
  const { url } = await startStandIn(t, TURN);
  const chat = chatFor(t, url);
  let heard = 0;
  const off = chat.subscribe(() => {
    off();
    throw new RangeError('of a listener');
  });
  chat.subscribe(() => {
    heard += 1;
  });
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const thrown = once(process, 'uncaughtException');
  try {
    await chat.send('hi');
    assert.equal((await thrown)[0].message, 'of a listener');
  } finally {
    for (const listener of others) process.on('uncaughtException', listener);
  }
  assert.ok(heard > 1);
  assert.equal(answerIn(chat.getState()), DONE.text);
});

test('a listener may act on the chat that calls it', async (t) => {
  const { url, requests } = await startStandIn(t, (response, { url }) =>
    url.endsWith('/stream')
      ? openStream(frame(SESSION) + frame(APPROVAL))(response)
      : json({ ok: true })(response),
  );
  const chat = chatFor(t, url);
  const done = new Promise((resolve) => {
    chat.subscribe(() => {
      const [item] = chat.getState().pending;
      if (item?.decision.state === 'idle') resolve(chat.approve(item.id));
    });
  });
  chat.send('hi');
  await done;
  assert.equal(requests.filter(({ url }) => url.endsWith('/approve')).length, 1);
});

test('stop closes the connection, and what came stays', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame(SESSION) + frame(APPROVAL)));
  const chat = chatFor(t, url);
  const sent = chat.send('hi');
  await firstPending(chat);
  chat.stop();
  await assert.rejects(sent, fault('aborted', { retryable: false }));
  assert.equal(await requests[0].closed, false);
  assert.equal(chat.getState().messages.length, 2);
});

test('what is begun is in the state when the call returns', async (t) => {
  const { url } = await startStandIn(t, openStream(frame(SESSION)));
  const chat = chatFor(t, url);
  chat.send('hi');
  const { phase, messages } = chat.getState();
  assert.deepEqual([phase, messages[0].parts], ['sending', [{ type: 'text', text: 'hi' }]]);
});

test('a second message is refused while a turn runs', async (t) => {
  const { url } = await startStandIn(t, openStream(frame(SESSION)));
  const chat = chatFor(t, url);
  chat.send('hi');
  await assert.rejects(chat.send('hi'), fault('busy'));
});

test('promises that nobody looks at end no program', async (t) => {
  const { url } = await startStandIn(t, json({ error: 'no' }, 500));
  const chat = chatFor(t, url, { sessionId: 's1' });
  const unhandled = [];
  const note = (reason) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  chat.send('hi');
  chat.approve('nothing');
  chat.open('s1');
  chat.retry();
  await stateWhere(chat, ({ phase, lastError }) => phase === 'idle' && lastError !== null);
  chat.dispose();
  chat.send('hi');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(unhandled, []);
});

test('retry sends a message again that the server did not take', async (t) => {
  let attempts = 0;
  const { url, requests } = await startStandIn(t, (response) => {
    attempts += 1;
    return attempts === 1 ? json({ error: 'try later' }, 503)(response) : TURN(response);
  });
  const chat = chatFor(t, url);
  await assert.rejects(chat.send('hi'), fault('http-status', { status: 503 }));
  const { lastError, phase } = chat.getState();
  assert.deepEqual(
    [phase, lastError.code, lastError.status, lastError.retryable],
    ['idle', 'http-status', 503, true],
  );
  await chat.retry();
  const state = chat.getState();
  assert.equal(state.lastError, null);
  assert.deepEqual(
    state.messages.map(({ author }) => author),
    ['user', 'assistant'],
  );
  assert.deepEqual(
    requests.map(({ body }) => JSON.parse(body)),
    [{ message: 'hi' }, { message: 'hi' }],
  );
});

test('retry without anything to try is refused', async (t) => {
  const chat = chatFor(t, 'http://127.0.0.1:1');
  await assert.rejects(chat.retry(), fault('invalid-argument'));
});

for (const [name, disposal] of [
  ['dispose', 'dispose'],
  ['Symbol.dispose', Symbol.dispose],
]) {
  test(`${name} closes the connection, and everything else fails from then on`, async (t) => {
    const { url, requests } = await startStandIn(t, openStream(frame(SESSION)));
    const chat = createChat({ baseUrl: url, agent: 'a' });
    let heard = 0;
    chat.subscribe(() => {
      heard += 1;
    });
    const sent = chat.send('hi');
    await stateWhere(chat, ({ sessionId }) => sessionId === 's1');
    const before = heard;
    chat[disposal]();
    chat[disposal]();
    await assert.rejects(sent, { name: 'TurnwireError' });
    assert.equal(await requests[0].closed, false);
    assert.equal(heard, before, 'nobody is told of the end');
    for (const call of [chat.getState, chat.stop, () => chat.subscribe(() => {})]) {
      assert.throws(call, fault('closed'));
    }
    const { send, approve, deny, answer, open, retry } = chat;
    for (const call of [send, approve, deny, answer, open, retry]) {
      await assert.rejects(call('x', 'y'), fault('closed'));
    }
  });
}

test('a chat may be disposed of by its own listener', async (t) => {
  const { url, requests } = await startStandIn(t, openStream(frame(SESSION) + frame(TEXT)));
  const chat = createChat({ baseUrl: url, agent: 'a' });
  chat.subscribe(() => {
    if (chat.getState().sessionId !== null) chat.dispose();
  });
  await assert.rejects(chat.send('hi'), { name: 'TurnwireError' });
  assert.equal(await requests[0].closed, false);
  assert.throws(chat.getState, fault('closed'));
});

test('a chat may be disposed of by its own listener while its handle is in use', async (t) => {
  const { url } = await startStandIn(t, TURN);
  const chat = createChat({ baseUrl: url, agent: 'a' });
  chat.subscribe(chat.dispose);
  const sent = chat.send('hi');
  assert.throws(chat.getState, fault('closed'));
  await Promise.allSettled([sent]);
});

test('a chat may be disposed of while a session is being opened', async (t) => {
  const { url, requests } = await startStandIn(t, silence);
  const chat = createChat({ baseUrl: url, agent: 'a', sessionId: 's1' });
  assert.equal(chat.getState().phase, 'loading');
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  chat.dispose();
  assert.equal(await requests[0].closed, false);
});

for (const name of ['stop', 'dispose']) {
  test(`a listener may ${name} the turn that it first hears of, and nothing is sent`, async (t) => {
    const { url, requests } = await startStandIn(t, silence());
    const chat = chatFor(t, url);
    const unsubscribe = chat.subscribe(() => {
      unsubscribe();
      chat[name]();
    });
    await assert.rejects(chat.send('hi'), fault('aborted'));
    assert.equal(requests.length, 0);
  });
}
