// The event streams of `tests/vectors/sse.ndjson`; its first line says what the fields mean.
import { readFileSync } from 'node:fs';

const FILE = new URL('../vectors/sse.ndjson', import.meta.url);

const bytesOf = (chunk) =>
  typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.b64, 'base64');

/** What stays in force after a frame or after the stream. */
const stateOf = ({ lastEventId = '', retry } = {}) => ({ lastEventId, retryMs: retry });

function vectorOf({ id, chunks, expected, end }) {
  return {
    id,
    bytes: Buffer.concat(chunks.map(bytesOf)),
    frames: expected.map(({ event, data }) => ({ event, data })),
    /** After each frame, when bytes come one by one. */
    states: expected.map(stateOf),
    end: stateOf(end),
  };
}

/** All vectors: `id`, `bytes`, and the `frames`, `states` and `end` that they must give. */
export const VECTORS = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .filter(({ kind }) => kind !== 'header')
  .map(vectorOf);
