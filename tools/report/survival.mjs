import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { inProject, listFiles, root } from '../project/paths.mjs';
import { Failure } from './failure.mjs';

// Directly above a test: `// Survives: <what happens> → <what holds then>`, in Rust with `///`.
const NOTE = /^\s*\/\/\/? Survives: (.+?) → (.+)$/;
const MENTION = /\/\/\/? ?survives:/i;

const NODE_TEST = /^\s*(?:test|chatTest)\(\s*(['"`])(.+?)\1,/s;
const RUST_TEST = /^\s*#\[(?:\w+::)?(?:test|wasm_bindgen_test)\b[^\n]*\]$/m;
const RUST_FUNCTION = /^(?:\s*(?:#\[|\/\/)[^\n]*\n)*\s*(?:async )?fn (\w+)\(/;

const LANGUAGES = [
  { files: /\.test\.mjs$/, titleOf: nodeTitle },
  { files: /\.rs$/, titleOf: rustTitle },
];
const FOLDERS = ['bindings', 'demo-leptos', 'sdk', 'server', 'tests'];

const START = '<!-- survival -->\n\n';
const END = '\n<!-- /survival -->';

/** What the project's tests say that they survive: `{ fault, outcome, title, path }` each. */
export function collectSurvivals() {
  return FOLDERS.flatMap((folder) =>
    LANGUAGES.flatMap(({ files }) => listFiles(inProject(folder), files)),
  ).flatMap((path) =>
    survivalsIn(relative(root, path).replaceAll(sep, '/'), readFileSync(path, 'utf8')),
  );
}

/** What the tests in one file say that they survive. */
export function survivalsIn(path, text) {
  const { titleOf } = LANGUAGES.find(({ files }) => files.test(path));
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!MENTION.test(line)) return [];
    const place = `${path}:${index + 1}`;
    const [, fault, outcome] = NOTE.exec(line) ?? [];
    if (fault === undefined)
      throw new Failure(`${place}: expected "Survives: <what happens> → <what holds then>".`);
    const title = titleOf(lines.slice(index + 1).join('\n'));
    if (title === undefined) throw new Failure(`${place}: expected a test directly below.`);
    return [{ fault, outcome, title, path }];
  });
}

function nodeTitle(text) {
  return NODE_TEST.exec(text)?.[2].replace(/\$\{.+?\}/g, '…');
}

function rustTitle(text) {
  const [head, name] = RUST_FUNCTION.exec(text) ?? [];
  return head !== undefined && RUST_TEST.test(head) && !head.includes('#[ignore')
    ? name
    : undefined;
}

/** The table of what survives what: what can happen in order, each with the tests that show it. */
export function survivalTable(survivals) {
  const rows = [['what happens', 'what holds then', 'shown by']];
  for (const [fault, { outcome, proofs }] of byFault(survivals)) {
    const [first, ...more] = proofs;
    rows.push([fault, outcome, first], ...more.map((proof) => ['', '', proof]));
  }
  return aligned(rows);
}

function byFault(survivals) {
  const faults = new Map();
  for (const { fault, outcome, title, path } of survivals) {
    const known = faults.get(fault) ?? { outcome, proofs: new Set() };
    if (known.outcome !== outcome)
      throw new Failure(`${path}: "${fault}" leads to "${known.outcome}", not to "${outcome}".`);
    faults.set(fault, known);
    known.proofs.add(`[${escaped(title)}](${path})`);
  }
  return [...faults].sort(([a], [b]) => (a < b ? -1 : 1));
}

function escaped(title) {
  return title.replace(/[|[\]]/g, '\\$&');
}

// As the formatter has it.
function aligned([head, ...body]) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...body].map((row) => row[column].length)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return `${[head, rule, ...body].map(line).join('\n')}\n`;
}

/** A text with this table between its two marks. */
export function withTable(text, table) {
  const start = text.indexOf(START);
  const end = text.indexOf(END);
  if (start < 0 || end < start) throw new Failure(`Expected ${START.trim()} … ${END.trim()}.`);
  return text.slice(0, start + START.length) + table + text.slice(end);
}
