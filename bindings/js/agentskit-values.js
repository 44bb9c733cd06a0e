// JavaScript values → the JSON text that the wasm side judges.
//
// The decoders take values as well as text, and a value can hold what JSON cannot. `JSON.stringify`
// would drop it or make something else of it, and so turn what is refused into what is taken. Here
// it becomes something that every decoder refuses wherever it looks, and that is harmless where it
// does not look. Only the fields that the protocol knows are read at all.

/** JSON text of what no field takes: an array of a number beyond every number's range. */
const REFUSED = '[1e400]';
/** A number, but none that JSON has: as a version it is another version. */
const NOT_FINITE = '1e400';

const MAX_FREE_NODES = 1000;
const MAX_FREE_DEPTH = 20;
const MAX_MESSAGE_NODES = 10000;
const MAX_MESSAGE_DEPTH = 32;

/** A string, a number, a boolean or null; anything else is refused. */
function scalar(value) {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : NOT_FINITE;
    default:
      return value === null ? 'null' : REFUSED;
  }
}

/** An object of which these fields are read, each with its own reader; undefined is absent. */
function record(fields) {
  const readers = Object.entries(fields);
  return (value) => {
    if (typeof value !== 'object' || value === null) return scalar(value);
    if (Array.isArray(value)) return REFUSED;
    const members = [];
    for (const [name, read] of readers) {
      const text = attempt(() => read(value[name]));
      if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${members.join(',')}}`;
  };
}

/** An array, each item of which is read so. */
function list(read) {
  return (value) => {
    if (!Array.isArray(value)) return scalar(value);
    return `[${Array.from(value, (item) => attempt(() => read(item)) ?? REFUSED).join(',')}]`;
  };
}

/** JSON of any shape, of plain objects and with no object twice. */
function free(value) {
  if (value === undefined) return undefined;
  return isFree(value) ? JSON.stringify(value) : REFUSED;
}

/** The same, but the object is rebuilt, which loses `__proto__`. */
function rebuilt(value) {
  if (typeof value !== 'object' || value === null || !isPlain(value)) return free(value);
  return free(Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__')));
}

/** A list of messages: a copy is looked at, so each getter is read once. */
function messages(value) {
  if (value === undefined) return undefined;
  const copy = structuredClone(value);
  return isMessageTree(copy) ? JSON.stringify(copy) : REFUSED;
}

function isFree(root) {
  const seen = new Set();
  let nodes = 0;
  const admits = (value, depth) => {
    nodes += 1;
    if (nodes > MAX_FREE_NODES || depth > MAX_FREE_DEPTH) return false;
    if (typeof value !== 'object' || value === null) return isScalar(value);
    if (seen.has(value)) return false;
    seen.add(value);
    if (Array.isArray(value)) return value.every((item) => admits(item, depth + 1));
    return isPlain(value) && Object.values(value).every((item) => admits(item, depth + 1));
  };
  return admits(root, 0);
}

function isMessageTree(root) {
  let nodes = 0;
  const admits = (value, depth) => {
    nodes += 1;
    if (nodes > MAX_MESSAGE_NODES || depth > MAX_MESSAGE_DEPTH) return false;
    if (typeof value !== 'object' || value === null) return isScalar(value);
    const items = Object.values(value);
    const isWhole = Array.isArray(value) ? items.length === value.length : isPlain(value);
    return isWhole && items.every((item) => admits(item, depth + 1));
  };
  return admits(root, 0);
}

function isScalar(value) {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** What cannot be read is refused. */
function attempt(read) {
  try {
    return read();
  } catch {
    return REFUSED;
  }
}

/** A reader for what a decoder is given: a string is text already. */
function input(read) {
  return (value) => (typeof value === 'string' ? value : valueText(read, value));
}

function valueText(read, value) {
  return attempt(() => read(value)) ?? REFUSED;
}

const scalars = (...names) => Object.fromEntries(names.map((name) => [name, scalar]));

const diagnosticFields = scalars('version', 'code', 'message', 'retryable');
const diagnostic = record(diagnosticFields);
const usage = record(scalars('promptTokens', 'completionTokens', 'totalTokens'));
const lineage = record(scalars('operation', 'parentTurnId', 'sourceMessageId'));
const identity = scalars('eventId', 'sessionId', 'turnId', 'sequence', 'emittedAt');

const turnEvent = record({
  ...scalars('protocol', 'version'),
  ...identity,
  event: scalar,
  payload: record({
    ...diagnosticFields,
    ...scalars('input', 'status'),
    messages,
    usage,
    error: diagnostic,
    lineage,
  }),
});

const frame = record({
  ...scalars('protocol', 'version', 'type', 'componentKey', 'instanceId'),
  props: free,
  fallback: record(scalars('kind', 'summary')),
});

const componentEvent = record({
  ...scalars('protocol', 'version', 'type', 'componentKey', 'instanceId', 'choiceId', 'event'),
  value: free,
});

const sessionSnapshot = record({
  ...scalars('protocol', 'version', 'sessionId', 'definitionId', 'definitionRevision'),
  ...scalars('updatedAt', 'cursor'),
  activeTurn: record(scalars('turnId', 'expiresAt')),
  terminalTurns: list(record(scalars('turnId', 'outcome'))),
  conversation: record({
    state: scalar,
    decisions: list(
      record(scalars('messageId', 'input', 'routeId', 'kind', 'content', 'fromState', 'toState')),
    ),
  }),
  confirmations: list(
    record({
      ...scalars('token', 'action'),
      input: rebuilt,
      ...scalars('toolCallId', 'expiresAt', 'status'),
    }),
  ),
});

const part = record({ ...scalars('kind', 'text'), frame });
const parts = list(part);

const snapshotOptions = record({
  ...identity,
  // What dates, undefined and numbers that are not finite are in JSON, they are here.
  messages: (value) => JSON.stringify(value),
  status: scalar,
  usage,
  lineage,
  error: diagnostic,
});

export const textOfTurnEvent = input(turnEvent);
export const textOfFrame = input(frame);
export const textOfComponentEvent = input(componentEvent);
export const textOfCandidate = input(record({ protocol: scalar }));
export const textOfSession = input(sessionSnapshot);
export const jsonOfTurnEvent = (value) => valueText(turnEvent, value);
export const jsonOfPart = (value) => valueText(part, value);
export const jsonOfParts = (value) => valueText(parts, value);
export const jsonOfSnapshotOptions = (value) => valueText(snapshotOptions, value);

/** JSON of an interaction's value; nothing where there is none, null where it is refused. */
export function jsonOfInteraction(value) {
  const text = valueText(free, value === undefined ? null : value);
  if (text === REFUSED) return null;
  return value === undefined ? undefined : text;
}
