// What values can hold and JSON text cannot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAssistantContentEncoder,
  createInteractionEvent,
  createSelectionEvent,
  createSnapshotEvent,
  createTurnSnapshotCursor,
  decodeAssistantContent,
  decodeComponentFrame,
  decodeSessionSnapshot,
  decodeTurnEvent,
  encodeTurnEvent,
  fallbackText,
  isAssistantContentCandidate,
  isComponentFrameCandidate,
  readComponentEvent,
  restoreTurnSnapshotCursor,
  snapshotMessages,
  TurnwireError,
} from 'turnwire/agentskit';

class Holder {
  constructor(fields) {
    Object.assign(this, fields);
  }
}

const message = (more) => ({
  id: 'm-1',
  role: 'assistant',
  content: 'fine',
  status: 'complete',
  createdAt: '2031-03-04T05:06:07.089Z',
  ...more,
});

const options = (messages = [], more = {}) => ({
  eventId: 'evt-7',
  sessionId: 'room:42',
  turnId: 'turn.9',
  sequence: 3,
  emittedAt: '2031-03-04T05:06:07.089Z',
  messages,
  status: 'complete',
  usage: { promptTokens: 11, completionTokens: 7, totalTokens: 18 },
  ...more,
});

const turn = (payload, more) => ({
  protocol: 'agentskit.chat.turn',
  version: 1,
  eventId: 'evt-7',
  sessionId: 'room:42',
  turnId: 'turn.9',
  sequence: 3,
  emittedAt: '2031-03-04T05:06:07.089Z',
  event: 'server.turn.snapshot',
  payload: { ...payload },
  ...more,
});

const snapshot = (messages, more) => {
  const { status, usage } = options();
  return turn({ messages, status, usage, ...more });
};

const frame = (props, more) => ({
  protocol: 'agentskit.chat.component',
  version: 1,
  type: 'render',
  componentKey: 'poll-card',
  instanceId: 'p1',
  props,
  fallback: { kind: 'poll', summary: 'Tea?' },
  ...more,
});

const session = (input) => ({
  version: 0,
  sessionId: 'room:42',
  definitionId: 'helpdesk',
  definitionRevision: 4,
  updatedAt: '2031-03-04T05:06:07.089Z',
  cursor: 12,
  confirmations: [
    { token: 't', action: 'a', input, toolCallId: 'c', expiresAt: 99, status: 'pending' },
  ],
});

const codeOf = (result) => result.diagnostic?.code ?? 'ok';
const cycle = () => {
  const value = {};
  value.self = value;
  return value;
};
const sparse = () => {
  const value = [1, 2, 3];
  delete value[1];
  return value;
};

/** What neither JSON nor the protocol has. */
const foreign = {
  undefined: () => undefined,
  'a function': () => () => 1,
  'a symbol': () => Symbol('s'),
  'a BigInt': () => 1n,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  'a date': () => new Date(0),
  'a map': () => new Map([[1, 2]]),
  'a typed array': () => new Uint8Array(2),
  'a cycle': cycle,
};

for (const [name, make] of Object.entries(foreign)) {
  test(`${name} is refused in props, messages, inputs and values`, () => {
    assert.equal(codeOf(decodeComponentFrame(frame({ a: make() }))), 'COMPONENT_INVALID_FRAME');
    assert.equal(codeOf(decodeSessionSnapshot(session({ a: make() }))), 'SESSION_INVALID_SNAPSHOT');
    const messages = [message({ metadata: { a: make() } })];
    assert.equal(codeOf(decodeTurnEvent(snapshot(messages))), 'PROTOCOL_INVALID_PAYLOAD');
    const unknown = [message({ future: make() })];
    assert.equal(codeOf(decodeTurnEvent(snapshot(unknown))), 'PROTOCOL_INVALID_PAYLOAD');
    assert.throws(() => encodeTurnEvent(snapshot(messages)), TurnwireError);
    assert.throws(() => createInteractionEvent(frame(1), 'change', [make()]), TurnwireError);
    const part = { kind: 'component', frame: frame([make()]) };
    assert.throws(() => createAssistantContentEncoder().encode(part), TurnwireError);
  });

  test(`${name} is harmless where nobody looks`, () => {
    assert.equal(codeOf(decodeTurnEvent({ ...snapshot([]), future: make() })), 'ok');
    assert.equal(codeOf(decodeTurnEvent(snapshot([], { future: make() }))), 'ok');
    assert.equal(codeOf(decodeComponentFrame(frame(1, { future: make() }))), 'ok');
  });

  test(`${name} decodes to a diagnostic and never throws`, () => {
    const value = make();
    assert.equal(codeOf(decodeTurnEvent(value)), 'PROTOCOL_INVALID_PAYLOAD');
    assert.equal(codeOf(decodeComponentFrame(value)), 'COMPONENT_INVALID_FRAME');
    assert.equal(codeOf(decodeSessionSnapshot(value)), 'SESSION_INVALID_SNAPSHOT');
    assert.equal(codeOf(decodeAssistantContent(value)), 'ASSISTANT_CONTENT_INVALID_RECORD');
    assert.equal(isComponentFrameCandidate(value), false);
    assert.equal(isAssistantContentCandidate(value), false);
    assert.equal(createTurnSnapshotCursor('s').apply(value), false);
    assert.equal(readComponentEvent(value), undefined);
    const interaction = createInteractionEvent(frame(1), 'change');
    assert.equal(readComponentEvent({ ...interaction, value: [make()] }), undefined);
    assert.deepEqual(readComponentEvent({ ...interaction, future: make() }), interaction);
    assert.throws(() => fallbackText(value), TurnwireError);
    assert.throws(() => fallbackText([value]), TurnwireError);
  });
}

test('a version that is a number but not 1 is another version, NaN too', () => {
  for (const version of [Number.NaN, Number.POSITIVE_INFINITY, -0, 2]) {
    assert.equal(codeOf(decodeTurnEvent(turn({}, { version }))), 'PROTOCOL_UNSUPPORTED_VERSION');
  }
  for (const version of [1n, '2', null, undefined]) {
    assert.equal(codeOf(decodeTurnEvent(turn({}, { version }))), 'PROTOCOL_INVALID_PAYLOAD');
  }
});

test('undefined is absent in what the protocol defines, but null is not', () => {
  const absent = snapshot([], { error: undefined, lineage: undefined });
  assert.equal(codeOf(decodeTurnEvent(absent)), 'ok');
  assert.equal(codeOf(decodeTurnEvent(snapshot([], { error: null }))), 'PROTOCOL_INVALID_PAYLOAD');
  const messages = [message({ parts: undefined })];
  assert.equal(codeOf(decodeTurnEvent(snapshot(messages))), 'PROTOCOL_INVALID_PAYLOAD');
});

test('an object that stands twice is refused in props and taken in messages', () => {
  const shared = { a: 1 };
  assert.equal(codeOf(decodeComponentFrame(frame([shared, shared]))), 'COMPONENT_INVALID_FRAME');
  assert.equal(codeOf(decodeComponentFrame(JSON.stringify(frame([shared, shared])))), 'ok');
  const messages = [message({ metadata: { one: shared, two: shared } })];
  assert.equal(codeOf(decodeTurnEvent(snapshot(messages))), 'ok');
});

test('an instance of a class is refused in props and is plain in messages', () => {
  assert.equal(codeOf(decodeComponentFrame(frame(new Holder({})))), 'COMPONENT_INVALID_FRAME');
  const result = decodeTurnEvent(snapshot([new Holder(message())]));
  assert.deepEqual(result.event.payload.messages, [message()]);
  assert.equal(codeOf(decodeTurnEvent(new Holder(snapshot([])))), 'ok');
  assert.equal(codeOf(decodeComponentFrame(frame(Object.create(null)))), 'ok');
});

test('a hole is null in props and refused in messages', () => {
  assert.deepEqual(decodeComponentFrame(frame(sparse())).frame.props, [1, null, 3]);
  const messages = [message({ metadata: { a: sparse() } })];
  assert.equal(codeOf(decodeTurnEvent(snapshot(messages))), 'PROTOCOL_INVALID_PAYLOAD');
});

test('own __proto__ members are data, but for the top of an input', () => {
  const odd = () => JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":2}}');
  const text = JSON.stringify(odd());
  assert.equal(JSON.stringify(decodeComponentFrame(frame(odd())).frame.props), text);
  const { snapshot } = decodeSessionSnapshot(session(odd()));
  assert.equal(JSON.stringify(snapshot.confirmations[0].input), '{"b":{"__proto__":2}}');
});

test('a getter that throws refuses the event; its id is told if it can be read', () => {
  const hostile = (name) =>
    Object.defineProperty(snapshot([]), name, {
      get() {
        throw new Error('no');
      },
    });
  const { diagnostic } = decodeTurnEvent(hostile('payload'));
  assert.equal(diagnostic.code, 'PROTOCOL_INVALID_PAYLOAD');
  assert.equal(diagnostic.eventId, 'evt-7');
  assert.equal(decodeTurnEvent(hostile('eventId')).diagnostic.eventId, undefined);
});

test('a getter of a message is read once', () => {
  let reads = 0;
  const counted = Object.defineProperty(message(), 'content', {
    enumerable: true,
    get() {
      reads += 1;
      return `read ${reads}`;
    },
  });
  const { event } = decodeTurnEvent(snapshot([counted]));
  assert.equal(event.payload.messages[0].content, 'read 1');
});

test('lone surrogates survive in JSON of any shape and become U+FFFD in text', () => {
  assert.equal(decodeComponentFrame(frame(['\udfff'])).frame.props[0], '\udfff');
  const result = decodeTurnEvent(snapshot([message({ content: 'a\ud800' })]));
  assert.equal(result.event.payload.messages[0].content, 'a\ufffd');
});

test('a snapshot event is made of the JSON of its messages', () => {
  const date = new Date('2031-03-04T05:06:07.089Z');
  const messages = [
    message({ createdAt: date, parts: undefined, metadata: { a: Number.NaN, b: () => 1 } }),
  ];
  const event = createSnapshotEvent(options(messages, { lineage: undefined }));
  assert.deepEqual(event.payload.messages, [message({ metadata: { a: null } })]);
  assert.deepEqual(snapshotMessages(event)[0].createdAt, date);
  for (const wrong of [
    [message({ createdAt: new Date(Number.NaN) })],
    [message({ metadata: { a: 1n } })],
    undefined,
    cycle(),
  ]) {
    assert.throws(() => createSnapshotEvent({ ...options(), messages: wrong }), TurnwireError);
  }
  assert.throws(() => createSnapshotEvent(options([], { sequence: Number.NaN })), TurnwireError);
});

test('encoders take no text', () => {
  const event = snapshot([]);
  const text = encodeTurnEvent(event);
  assert.deepEqual(decodeTurnEvent(text).event, event);
  assert.throws(() => encodeTurnEvent(text), TurnwireError);
  assert.throws(() => snapshotMessages(text), TurnwireError);
  assert.throws(
    () => snapshotMessages(turn({ input: 'hi' }, { event: 'client.turn.submit' })),
    TurnwireError,
  );
});

test('events of components need a component and an id', () => {
  for (const wrong of [undefined, null, {}, { componentKey: 1, instanceId: 'a' }]) {
    assert.throws(() => createSelectionEvent(wrong, 'a'), TurnwireError);
    assert.throws(() => createInteractionEvent(wrong, 'a'), TurnwireError);
  }
  assert.equal('value' in createInteractionEvent(frame(1), 'change', undefined), false);
  assert.equal(createInteractionEvent(frame(1), 'change', null).value, null);
});

test('what was done with a component is read from its value and from its text', () => {
  const deep = (depth) => (depth === 0 ? 0 : [deep(depth - 1)]);
  for (const event of [
    createSelectionEvent(frame(1), 'yes'),
    createInteractionEvent(frame(1), 'change'),
    createInteractionEvent(frame(1), 'change', null),
    createInteractionEvent(frame(1), 'change', JSON.parse('{"b":1,"1":{"__proto__":"\\ud800"}}')),
    createInteractionEvent(frame(1), 'change', deep(20)),
  ]) {
    const text = JSON.stringify(event);
    assert.equal(JSON.stringify(readComponentEvent(event)), text);
    assert.equal(JSON.stringify(readComponentEvent(text)), text);
    assert.equal(JSON.stringify(readComponentEvent(new Holder({ ...event, future: 1 }))), text);
    assert.equal(readComponentEvent(JSON.stringify(text)), undefined, 'text is parsed once');
    for (const wrong of [
      { protocol: 'agentskit.chat.turn' },
      { version: 2 },
      { type: 'render' },
      { componentKey: 'Poll' },
      { instanceId: '' },
    ]) {
      assert.equal(readComponentEvent({ ...event, ...wrong }), undefined);
      assert.equal(readComponentEvent(JSON.stringify({ ...event, ...wrong })), undefined);
    }
  }
  const interaction = createInteractionEvent(frame(1), 'change');
  const shared = {};
  for (const value of [deep(21), [shared, shared], new Holder({})]) {
    assert.equal(readComponentEvent({ ...interaction, value }), undefined);
  }
  const throwing = Object.defineProperty({ ...interaction }, 'event', {
    get() {
      throw new Error('no');
    },
  });
  assert.equal(readComponentEvent(throwing), undefined);
  assert.equal(readComponentEvent('yes, please'), undefined);
});

test('parts are said in words', () => {
  const text = (text) => ({ kind: 'text', text });
  const component = { kind: 'component', frame: frame({ percent: 40 }) };
  assert.equal(fallbackText([]), '');
  const parts = [text('On its '), text('way 📦'), component, component, text('Bye')];
  assert.equal(fallbackText(parts), 'On its way 📦\n\nTea?\n\nTea?\n\nBye');
  const encoder = createAssistantContentEncoder();
  const content = parts.map((part) => encoder.encode(part)).join('');
  assert.equal(fallbackText(decodeAssistantContent(content).parts), fallbackText(parts));
  const rows = Array.from({ length: 900 }, () => 'x'.repeat(500));
  const large = { kind: 'component', frame: frame(rows) };
  assert.equal(fallbackText([large]), 'Tea?', 'larger than an envelope may be');
  const hostile = Object.defineProperty({ kind: 'text' }, 'text', {
    get() {
      throw new Error('no');
    },
  });
  const unreadable = new Proxy([], {
    get() {
      throw new Error('no');
    },
  });
  for (const wrong of [
    'Bye',
    text('Bye'),
    JSON.stringify(parts),
    ['Bye'],
    [text('')],
    [text('Bye'), null],
    new Array(1),
    [{ ...component, frame: { ...component.frame, fallback: undefined } }],
    [hostile],
    unreadable,
  ]) {
    assert.throws(() => fallbackText(wrong), TurnwireError);
  }
});

test('a cursor holds one frozen event until a newer one comes, and can be saved', () => {
  const cursor = createTurnSnapshotCursor('room:42');
  assert.equal(cursor.getSnapshot(), undefined);
  assert.ok(cursor.apply(snapshot([message({ metadata: { a: { b: 1 } } })])));
  const held = cursor.getSnapshot();
  assert.equal(cursor.getSnapshot(), held);
  assert.ok(Object.isFrozen(held) && Object.isFrozen(held.payload.messages[0].metadata.a));
  const restored = restoreTurnSnapshotCursor(cursor.save());
  assert.deepEqual(restored.getSnapshot(), held);
  assert.equal(restored.apply(held), false);
  assert.ok(restored.apply({ ...held, sequence: 4 }));
  assert.throws(() => restoreTurnSnapshotCursor('{}'), TurnwireError);
  assert.throws(() => createTurnSnapshotCursor(undefined), TurnwireError);
});
