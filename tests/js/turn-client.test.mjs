import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createInteractionEvent,
  createSelectionEvent,
  createTurnClient,
  createTurnSnapshotCursor,
  restoreTurnSnapshotCursor,
} from 'turnwire/agentskit';
import { fault } from './faults.mjs';
import { json, startStandIn } from './stand-in-server.mjs';
import {
  answerIn,
  busy,
  clientFor,
  complete,
  inTurn,
  snapshot,
  stateWhere,
  streaming,
  submissionIn,
  turn,
} from './turn-route.mjs';

const LINES = [streaming(2, ''), streaming(3, 'Är'), complete(4, 'Ärger 📦')];
const QUICK = { baseMs: 1, capMs: 1 };

test('options that are none are refused', () => {
  const url = 'http://127.0.0.1:1/turns';
  const cursor = createTurnSnapshotCursor('s1');
  for (const options of [
    undefined,
    null,
    {},
    { sessionId: 's1' },
    { url },
    { url: 'nowhere', sessionId: 's1' },
    { url, sessionId: 'no id' },
    { url, cursor: {} },
    { url, cursor, sessionId: 's1' },
    { url, sessionId: 's1', limits: { maxFrameBytes: 0 } },
    { url, sessionId: 's1', headers: 7 },
  ]) {
    assert.throws(() => createTurnClient(options), fault('invalid-argument'));
  }
});

test('the functions need no `this`, and a turn is shown as it comes', async (t) => {
  const { url, requests } = await startStandIn(t, turn(LINES));
  const { getSnapshot, subscribe, submit } = clientFor(t, url);
  const heard = [];
  subscribe(() => heard.push(getSnapshot()));
  await submit('hi');
  assert.equal(heard[0].phase, 'submitting');
  const state = getSnapshot();
  assert.equal(state, heard.at(-1));
  assert.deepEqual([state.phase, state.error, answerIn(state)], ['idle', null, 'Ärger 📦']);
  const submitted = submissionIn(requests[0]);
  assert.deepEqual(
    [submitted.event, submitted.payload, submitted.sessionId, submitted.turnId],
    ['client.turn.submit', { input: 'hi' }, 's1', state.turnId],
  );
  assert.ok(Math.abs(Date.parse(submitted.emittedAt) - Date.now()) < 60_000);
  assert.equal(requests[0].headers.accept, 'application/x-ndjson');
});

test('every turn has a name of its own', async (t) => {
  const { url, requests } = await startStandIn(t, turn(LINES));
  const client = clientFor(t, url);
  await client.submit('hi');
  await client.submit('hi');
  const ids = requests.map(submissionIn).flatMap(({ eventId, turnId }) => [eventId, turnId]);
  assert.equal(new Set(ids).size, 4);
});

test('what is done with a component is submitted as its event', async (t) => {
  const { url, requests } = await startStandIn(t, turn(LINES));
  const client = clientFor(t, url);
  const frame = { componentKey: 'choice-list', instanceId: 'c1' };
  const events = [
    createSelectionEvent(frame, 'yes'),
    createInteractionEvent(frame, 'expand', { rows: [2] }),
    createInteractionEvent(frame, 'close'),
  ];
  for (const event of events) await client.submit(event);
  const inputs = requests.map((request) => JSON.parse(submissionIn(request).payload.input));
  assert.deepEqual(inputs, events);
});

test('what is no input is refused unsent', async (t) => {
  const { url, requests } = await startStandIn(t, turn(LINES));
  const client = clientFor(t, url, { limits: { maxMessageBytes: 4 } });
  const before = client.getSnapshot();
  for (const input of [
    undefined,
    null,
    7,
    {},
    '',
    ' \n',
    'hello',
    '\ud800',
    { type: 'render', componentKey: 'a', instanceId: 'b' },
    { type: 'select', componentKey: 'a', instanceId: 'b' },
    { type: 'interact', componentKey: 'a', instanceId: 'b', event: 'x', value: () => {} },
  ]) {
    await assert.rejects(client.submit(input), fault('invalid-argument'));
  }
  assert.equal(requests.length, 0);
  assert.equal(client.getSnapshot(), before);
});

test('messages that did not change are the same objects, and all is frozen', async (t) => {
  const { url } = await startStandIn(t, inTurn(turn(LINES), turn([complete(5, 'else')])));
  const client = clientFor(t, url);
  await client.submit('hi');
  const first = client.getSnapshot();
  await client.submit('hi');
  const second = client.getSnapshot();
  const [before, after] = [first, second].map(({ snapshot }) => snapshot.payload.messages);
  assert.equal(before[0], after[0]);
  assert.notEqual(before[1], after[1]);
  assert.throws(() => before.push(1), TypeError);
  assert.throws(() => {
    after[1].content = 'x';
  }, TypeError);
});

test('a cursor is given, kept and taken', async (t) => {
  const stale = turn([streaming(4, 'stale'), complete(5, 'on')]);
  const { url, requests } = await startStandIn(t, inTurn(turn(LINES), stale));
  const client = clientFor(t, url);
  await client.submit('hi');
  const cursor = client.getCursor();
  assert.deepEqual(cursor.getSnapshot(), client.getSnapshot().snapshot);
  const restored = restoreTurnSnapshotCursor(cursor.save());
  const next = clientFor(t, url, { sessionId: undefined, cursor: restored });
  assert.equal(answerIn(next.getSnapshot()), 'Ärger 📦');
  const answers = new Set();
  next.subscribe(() => answers.add(answerIn(next.getSnapshot())));
  await next.submit('go on');
  assert.deepEqual([...answers], ['Ärger 📦', 'on']);
  assert.equal(submissionIn(requests[1]).sequence, 4);
  assert.equal(restored.getSnapshot().sequence, 4, 'the cursor that was given stays as it was');
});

test('a snapshot that came another way is shown if it is newer', async (t) => {
  const { url } = await startStandIn(t, turn(LINES));
  const client = clientFor(t, url);
  await client.submit('hi');
  let heard = 0;
  client.subscribe(() => {
    heard += 1;
  });
  const { turnId, snapshot: held } = client.getSnapshot();
  const newest = complete(5, 'newest')(turnId);
  const foreign = newest.replace('"s1"', '"s2"');
  for (const inert of [undefined, null, '', '{}', held, LINES[0](turnId), foreign]) {
    assert.equal(client.apply(inert), false);
  }
  assert.equal(heard, 0);
  assert.equal(client.apply(newest), true);
  assert.equal(client.apply(JSON.parse(newest)), false);
  assert.deepEqual([answerIn(client.getSnapshot()), heard], ['newest', 1]);
  assert.equal(client.apply({ ...JSON.parse(newest), sequence: 6, turnId: 'another' }), true);
  const { phase, turnId: own, snapshot } = client.getSnapshot();
  assert.deepEqual([phase, own, snapshot.turnId], ['idle', turnId, 'another']);
  assert.equal(snapshot.payload.messages[0], held.payload.messages[0]);
});

test('damaged lines are shown, and the stream goes on', async (t) => {
  const later = (turnId) =>
    complete(3, '')(turnId).replace('server.turn.snapshot', 'server.turn.later');
  const { url } = await startStandIn(t, turn([() => 'nope\n', later, ...LINES]));
  const client = clientFor(t, url);
  await client.submit('hi');
  const { damaged, damagedLines, phase } = client.getSnapshot();
  assert.deepEqual([phase, damagedLines], ['idle', 2]);
  assert.deepEqual(damaged, [
    {
      code: 'PROTOCOL_INVALID_PAYLOAD',
      message: 'Turn event is not valid JSON.',
      retryable: false,
      line: 1,
      offset: 0,
    },
    {
      code: 'PROTOCOL_UNKNOWN_EVENT',
      message: 'Turn event kind is unknown.',
      retryable: false,
      eventId: 'e3',
      line: 2,
      offset: 5,
    },
  ]);
});

test('a turn that fails at the server is in the state', async (t) => {
  const payload = { version: 1, code: 'SERVER_TIMEOUT', message: 'Too late.', retryable: true };
  const failure = (turnId) =>
    `${JSON.stringify({
      ...JSON.parse(streaming(9, '')(turnId)),
      event: 'server.turn.diagnostic',
      payload,
    })}\n`;
  const { url } = await startStandIn(t, turn([streaming(2, 'x'), failure]));
  const client = clientFor(t, url);
  await client.submit('hi');
  const state = client.getSnapshot();
  assert.deepEqual([state.phase, state.failure, state.error], ['idle', payload, null]);

  const { url: other } = await startStandIn(t, turn([snapshot(2, 'error', 'x')]));
  const failing = clientFor(t, other);
  await failing.submit('hi');
  assert.equal(failing.getSnapshot().snapshot.payload.status, 'error');
});

/** How many bytes there are up to each line's end, and to the middle of each line. */
function cuts() {
  const lengths = LINES.map((line) => Buffer.byteLength(line('0'.repeat(28))));
  const ends = lengths.map((_, index) => lengths.slice(0, index + 1).reduce((a, b) => a + b));
  return [0, ...ends.slice(0, -1), ...ends.map((end, index) => end - (lengths[index] >> 1))];
}

test('a turn that is given again after a break comes to the same snapshot', async (t) => {
  for (const end of ['destroy', 'end']) {
    for (const bytes of cuts()) {
      const answers = inTurn(turn(LINES, { bytes, end }), turn(LINES));
      const { url, requests } = await startStandIn(t, answers);
      const client = clientFor(t, url, { reconnect: QUICK });
      await client.submit('hi');
      const { phase, ...state } = client.getSnapshot();
      assert.deepEqual([phase, answerIn(state)], ['idle', 'Ärger 📦'], `${end} after ${bytes}`);
      assert.deepEqual(requests.length, 2);
      assert.equal(requests[0].body, requests[1].body);
    }
  }
});

test('a turn that the server will not give again is interrupted', async (t) => {
  for (const [end, codes] of [
    ['destroy', ['network']],
    ['end', ['stream-interrupted', 'frame-truncated']],
  ]) {
    for (const bytes of cuts()) {
      const { url, requests } = await startStandIn(t, inTurn(turn(LINES, { bytes, end }), busy));
      const client = clientFor(t, url, { reconnect: QUICK });
      const error = await client.submit('hi').catch((error) => error);
      assert.ok(codes.includes(error.code), `${error.code}: ${end} after ${bytes}`);
      const { phase, error: shown } = client.getSnapshot();
      assert.deepEqual([phase, shown.code, requests.length], ['interrupted', error.code, 2]);
    }
  }
});

test('a session that is busy is told, and nothing is sent again', async (t) => {
  const { url, requests } = await startStandIn(t, inTurn(busy, turn(LINES)));
  const client = clientFor(t, url, { reconnect: QUICK });
  const error = await client.submit('hi').catch((error) => error);
  fault('http-status', { status: 409 })(error);
  assert.equal(error.http.code, 'SESSION_BUSY');
  const { phase, error: shown } = client.getSnapshot();
  assert.deepEqual([phase, shown.status, requests.length], ['idle', 409, 1]);
  await client.submit('hi');
  assert.equal(client.getSnapshot().error, null);
});

test('headers come from a function, and a 401 asks it once more', async (t) => {
  const { url, requests } = await startStandIn(t, inTurn(json({}, 401), turn(LINES)));
  const headers = ({ refresh }) => ({ authorization: refresh ? 'fresh' : 'old' });
  await clientFor(t, url, { headers }).submit('hi');
  const sent = requests.map(({ headers }) => headers.authorization);
  assert.deepEqual(sent, ['old', 'fresh']);
});

test('stop closes the connection, and what came stays', async (t) => {
  const { url, requests } = await startStandIn(t, turn([streaming(2, 'x')], { end: 'open' }));
  const client = clientFor(t, url);
  const submitted = client.submit('hi');
  await stateWhere(client, ({ snapshot }) => snapshot !== null);
  await assert.rejects(client.submit('hi'), fault('busy'));
  client.stop();
  await assert.rejects(submitted, fault('aborted'));
  assert.equal(await requests[0].closed, false);
  const state = client.getSnapshot();
  assert.deepEqual([state.phase, answerIn(state), state.error], ['stopped', 'x', null]);
});

test('a listener may submit the next turn when it hears of the end', async (t) => {
  const { url, requests } = await startStandIn(t, inTurn(turn(LINES), turn([complete(9, 'next')])));
  const client = clientFor(t, url);
  const next = new Promise((resolve, reject) => {
    const off = client.subscribe(() => {
      if (client.getSnapshot().phase !== 'idle') return;
      off();
      client.submit('next').then(resolve, reject);
    });
  });
  await client.submit('hi');
  await next;
  assert.deepEqual([answerIn(client.getSnapshot()), requests.length], ['next', 2]);
});

test('dispose closes the connection, keeps the last state and refuses the rest', async (t) => {
  const { url, requests } = await startStandIn(t, turn([streaming(2, 'x')], { end: 'open' }));
  const client = clientFor(t, url);
  const submitted = client.submit('hi');
  let heard = 0;
  client.subscribe(() => {
    heard += 1;
  });
  await stateWhere(client, ({ snapshot }) => snapshot !== null);
  const before = heard;
  client.dispose();
  client.dispose();
  await assert.rejects(submitted, fault('aborted'));
  assert.equal(await requests[0].closed, false);
  assert.equal(heard, before);
  assert.equal(client.getSnapshot(), client.getSnapshot());
  assert.equal(answerIn(client.getSnapshot()), 'x');
  await assert.rejects(client.submit('hi'), fault('closed'));
  for (const use of [
    client.stop,
    client.getCursor,
    () => client.apply(''),
    () => client.subscribe(() => {}),
  ]) {
    assert.throws(use, fault('closed'));
  }
});

test('promises that nobody looks at end no program', async (t) => {
  const { url } = await startStandIn(t, busy);
  const client = clientFor(t, url);
  const unhandled = [];
  const note = (reason) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  client.submit('');
  client.submit('hi');
  await stateWhere(client, ({ error }) => error !== null);
  client.dispose();
  client.submit('hi');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(unhandled, []);
});
