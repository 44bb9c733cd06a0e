// biome-ignore lint/suspicious/noControlCharactersInRegex: colours start with this very character
const COLOUR = /\u001b\[[0-9;]*m/g;
const RUST = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm;
const NODE = /^(?:#|ℹ) (pass|fail|cancelled|skipped|todo) (\d+)$/gm;
const NODE_COUNTS = {
  pass: 'passed',
  fail: 'failed',
  cancelled: 'failed',
  skipped: 'skipped',
  todo: 'skipped',
};

/** Sums up what `cargo test`, `wasm-pack test` and `node --test` say of their tests. */
export function countTests(output) {
  const text = output.replace(COLOUR, '');
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [, passed, failed, ignored] of text.matchAll(RUST)) {
    add(counts, { passed: Number(passed), failed: Number(failed), skipped: Number(ignored) });
  }
  for (const [, name, count] of text.matchAll(NODE)) counts[NODE_COUNTS[name]] += Number(count);
  return counts;
}

/** Adds the counts of `more` to those of `counts`. */
export function add(counts, more) {
  for (const name of ['passed', 'failed', 'skipped']) counts[name] += more[name];
  return counts;
}

/**
 * What one run of tests amounts to. A run that ended badly without a failed test, or that ran no
 * test at all, counts as one failure, and `note` says so: neither may look like a success.
 */
export function judgeRun(code, output) {
  const counts = countTests(output);
  if (code !== 0 && counts.failed === 0)
    return { ...counts, failed: 1, note: `ended with code ${code}` };
  if (counts.passed + counts.failed === 0) return { ...counts, failed: 1, note: 'ran no test' };
  return { ...counts, note: '' };
}
