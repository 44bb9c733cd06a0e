import { parseArgs } from 'node:util';
import { capture } from '../machine/command.mjs';
import { Failure } from '../report/failure.mjs';

const DEFAULTS = { streams: '1000', turns: '200' };

/** Three people decide each turn at once. */
const CONNECTIONS_A_TURN = 3;

/** What a process has open beside its connections. */
const OTHER_FILES = 100;

/** How many streams and turns the arguments ask for. */
export function parseSize(args) {
  const options = { streams: { type: 'string' }, turns: { type: 'string' } };
  let values;
  try {
    ({ values } = parseArgs({ args, options }));
  } catch (error) {
    throw new Failure(`${error.message}; a soak takes --streams N and --turns N.`);
  }
  const { streams, turns } = { ...DEFAULTS, ...values };
  const size = { streams: count('streams', streams), turns: count('turns', turns) };
  if (size.streams >= size.turns) return size;
  throw new Failure(
    `Every turn has a stream at least: ${size.streams} streams are too few for ${size.turns} turns.`,
  );
}

function count(name, text) {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Failure(`--${name} has to be a whole number from 1 on, not "${text}".`);
}

/** How many files each of the two processes may have open at once. */
export function filesNeeded({ streams, turns }) {
  return streams + CONNECTIONS_A_TURN * turns + OTHER_FILES;
}

/** Ends in one sentence where a process may not have so many files open. */
export async function checkOpenFiles(size) {
  // Node raises its own limit as far as it may, and what it starts has the same.
  const limit = (await capture('sh', ['-c', 'ulimit -n'])).stdout.trim();
  const needed = filesNeeded(size);
  if (limit === 'unlimited' || Number(limit) >= needed) return;
  throw new Failure(
    `A soak of ${size.streams} streams and ${size.turns} turns opens up to ${needed} files a process, and the limit is ${limit}: raise it (ulimit -n ${needed}) or choose fewer streams.`,
  );
}
