import assert from 'node:assert/strict';
import { test } from 'node:test';
import { survivalsIn, survivalTable, withTable } from './survival.mjs';

const NOTE = 'Survives: the line is cut → the turn goes on';

function titles(path, ...lines) {
  return survivalsIn(path, lines.join('\n')).map(({ title }) => title);
}

test('a note is about the test below it', () => {
  const text = `test('other', f);\n  // ${NOTE}\n  test('a cut', async (t) => {});\n`;
  const [survival, ...rest] = survivalsIn('tests/js/x.test.mjs', text);
  assert.deepEqual(rest, []);
  assert.deepEqual(survival, {
    fault: 'the line is cut',
    outcome: 'the turn goes on',
    title: 'a cut',
    path: 'tests/js/x.test.mjs',
  });
});

test('titles are found however they are written', () => {
  const found = titles(
    'x.test.mjs',
    `// ${NOTE}`,
    'chatTest(',
    "  'one',",
    '  OPTIONS,',
    `// ${NOTE}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a title as it stands in a test
    'test(`two ${name} and ${more}`, f);',
    `// ${NOTE}`,
    'test("it\'s three", f);',
  );
  assert.deepEqual(found, ['one', 'two … and …', "it's three"]);
});

test('in Rust a note stands above the attributes', () => {
  const found = titles(
    'x.rs',
    `/// ${NOTE}`,
    '#[tokio::test(flavor = "multi_thread")]',
    'async fn one() {',
    `    /// ${NOTE}`,
    '    #[test]',
    '    #[cfg(unix)]',
    '    fn two() {',
  );
  assert.deepEqual(found, ['one', 'two']);
});

test('a note without a test is refused', () => {
  for (const [path, ...lines] of [
    ['x.test.mjs', `// ${NOTE}`, 'const url = 1;'],
    ['x.test.mjs', `// ${NOTE}`],
    ['x.test.mjs', `// ${NOTE}`, "test.skip('one', f);"],
    ['x.rs', `/// ${NOTE}`, 'async fn one() {'],
    ['x.rs', `/// ${NOTE}`, '#[test]', '#[ignore]', 'fn one() {'],
    ['x.rs', `/// ${NOTE}`, 'const ONE: u8 = 1;', '#[test]', 'fn one() {'],
  ]) {
    assert.throws(() => titles(path, ...lines), /:1: expected a test/, lines.join());
  }
});

test('a note that says only half is refused', () => {
  for (const note of ['// Survives: a cut', '// survives: a → b', '//Survives: a → b']) {
    assert.throws(() => titles('x.test.mjs', note, "test('one', f);"), /:1: expected "Survives:/);
  }
});

test('what happens is told once, with everything that shows it', () => {
  const survival = (fault, title, path) => ({ fault, outcome: 'it holds', title, path });
  const table = survivalTable([
    survival('b', 'one', 'x.rs'),
    survival('a', 'two', 'y.rs'),
    survival('b', '[3|3]', 'y.rs'),
    survival('b', '[3|3]', 'y.rs'),
  ]);
  assert.deepEqual(table.split('\n'), [
    '| what happens | what holds then | shown by         |',
    '| ------------ | --------------- | ---------------- |',
    '| a            | it holds        | [two](y.rs)      |',
    '| b            | it holds        | [one](x.rs)      |',
    '|              |                 | [\\[3\\|3\\]](y.rs) |',
    '',
  ]);
});

test('one thing cannot lead to two', () => {
  const survival = { fault: 'a', outcome: 'b', title: 'one', path: 'x.rs' };
  const other = { ...survival, outcome: 'c' };
  assert.throws(() => survivalTable([survival, other]), /"a" leads to "b", not to "c"/);
});

test('the table takes the place of the old one', () => {
  const text = 'before\n<!-- survival -->\n\nold\n\n<!-- /survival -->\nafter\n';
  const written = withTable(text, 'new\n');
  assert.equal(written, text.replace('old', 'new'));
  assert.equal(withTable(written, 'new\n'), written);
  assert.throws(() => withTable('nothing', 'new\n'), /Expected <!-- survival -->/);
});
