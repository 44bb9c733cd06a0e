import { formatDuration } from '../report/step.mjs';
import { formatTable } from '../report/table.mjs';
import { add } from './count.mjs';

/** The line that machines read. */
export function countsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The table of the runs and, last, the counts of all. */
export function summarise(runs) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const rows = runs.map((run) => {
    add(total, run);
    return [run.name, run.passed, run.failed, run.skipped, formatDuration(run.ms), run.note];
  });
  const table = formatTable(['tests', 'passed', 'failed', 'skipped', 'time', ''], rows);
  return { total, text: `\n${table}\n\n${countsLine(total)}\n` };
}
