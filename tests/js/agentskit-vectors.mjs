// The calls of `tests/vectors/agentskit.ndjson`; its first line says what the fields mean.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

function linesOf(name) {
  const text = readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const numbered = (value, index) => {
  if (typeof value === 'string') return value.replaceAll('{i}', index);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => numbered(item, index));
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([key, v]) => [numbered(key, index), numbered(v, index)]));
};

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** What each generator makes of its fields. */
const GENERATORS = {
  repeat: ({ s, n }) => expand(s).repeat(n),
  concat: ({ parts }) => parts.map(expand).join(''),
  utf16: ({ units }) => String.fromCharCode(...units),
  json: ({ value }) => JSON.stringify(expand(value)),
  items: ({ item, n }) => times(n, (index) => numbered(expand(item), index)),
  keys: ({ key, value, n }) =>
    Object.fromEntries(times(n, (index) => [numbered(key, index), numbered(expand(value), index)])),
  nest: ({ key, leaf, n }) =>
    times(n, () => key).reduce(
      (inner, key) => (key === null ? [inner] : { [key]: inner }),
      expand(leaf),
    ),
  lines: ({ s, n }) => times(n, (index) => numbered(expand(s), index)).join(''),
};

function expand(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(expand);
  if (Object.hasOwn(value, '$g')) return GENERATORS[value.$g](value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
}

const deviating = new Set(linesOf('agentskit-deviations.ndjson').map(({ id }) => id));

/** All vectors, with what each must give: `digest`, or `text` where the result deviates. */
export const VECTORS = linesOf('agentskit.ndjson')
  .filter(({ id }) => id !== undefined)
  .map(({ id, fn, input, expectedSha256, expectedText }) => ({
    id,
    fn,
    input: expand(input),
    ...(deviating.has(id)
      ? { text: expectedText.replace(/\\{1,2}ud[89a-f]../g, '\ufffd') }
      : { digest: expectedSha256 }),
  }));

/** Whether the text of a result is what the vector says. */
export function isRight({ digest, text }, result) {
  if (text !== undefined) return result === text;
  return createHash('sha256').update(result).digest('hex') === digest;
}

/**
 * What the package gives for a vector, as text. `form` is what a value is handed over as: `value`
 * or `text`. Pages run it too, so it needs nothing outside itself.
 */
export function runVector(agentskit, { fn, input }, form) {
  const thrown = { throws: true };
  const attempt = (call) => {
    try {
      return call();
    } catch {
      return thrown;
    }
  };
  const given = (value) =>
    form === 'text' && typeof value !== 'string' ? JSON.stringify(value) : value;
  const runs = {
    encodeAssistantContent() {
      const encoder = agentskit.createAssistantContentEncoder();
      return input.map((part) => attempt(() => encoder.encode(part)));
    },
    cursor: () =>
      attempt(() => {
        const cursor = agentskit.createTurnSnapshotCursor(input.sessionId);
        const applied = input.events.map((event) => cursor.apply(given(event)));
        return { applied, snapshot: cursor.getSnapshot() ?? null };
      }),
    encodeTurnEvent: () => attempt(() => ({ text: agentskit.encodeTurnEvent(input) })),
    createSnapshotEvent: () => attempt(() => ({ event: agentskit.createSnapshotEvent(input) })),
    createSelectionEvent: () =>
      attempt(() => ({ event: agentskit.createSelectionEvent(input.frame, input.choiceId) })),
    createInteractionEvent: () =>
      attempt(() => ({
        event: agentskit.createInteractionEvent(input.frame, input.event, input.value),
      })),
  };
  return JSON.stringify(runs[fn]?.() ?? agentskit[fn](given(input)));
}
