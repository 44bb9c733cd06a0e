/** Lays rows of cells out in columns; every column after the first is aligned to the right. */
export function formatTable(header, rows) {
  const lines = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const pad = (cell, column) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}
