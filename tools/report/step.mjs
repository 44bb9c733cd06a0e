/** Formats milliseconds as people read them. */
export function formatDuration(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Says what is being done now, on a line of its own. */
export function announce(text) {
  process.stdout.write(`\n▸ ${text}\n`);
}

/** Says how a step ended: its name, an optional detail and an optional time. */
export function settle(name, detail, ms) {
  const time = ms === undefined ? '' : ` (${formatDuration(ms)})`;
  process.stdout.write(`✓ ${name}${detail ? `: ${detail}` : ''}${time}\n`);
}

/**
 * Brings one thing about. `find` returns what is there already or `undefined`; only in the latter
 * case is `make` called, announced and timed. Both return `{ value, detail }`.
 */
export async function ensureStep(name, find, make) {
  const found = await find();
  if (found) {
    settle(name, found.detail ?? 'already there');
    return found.value;
  }
  announce(name);
  const startedAt = Date.now();
  const made = await make();
  settle(name, made?.detail, Date.now() - startedAt);
  return made?.value;
}
