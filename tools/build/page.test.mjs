import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAttributes, rewritePage } from './page.mjs';

test('attributes are read in each of the three ways to quote them', () => {
  const attributes = parseAttributes(` data-trunk rel="css" href='style.css' media=print /`);
  assert.deepEqual(attributes, { 'data-trunk': '', rel: 'css', href: 'style.css', media: 'print' });
});

test('the program link becomes a module script, with both files loaded early', () => {
  const source = '<head>\n  <link data-trunk rel="rust" data-wasm-opt="z" />\n</head>';
  const { html, files } = rewritePage(source, 'demo');
  assert.match(html, /^ {2}<link rel="modulepreload" href="\.\/demo\.js" \/>$/m);
  assert.match(html, /^ {2}<link rel="preload" href="\.\/demo_bg\.wasm" as="fetch"/m);
  assert.match(html, /<script type="module">import init from '\.\/demo\.js'; init\(\);<\/script>/);
  assert.doesNotMatch(html, /data-trunk/);
  assert.deepEqual(files, []);
});

test('a style sheet becomes a plain link beside the page and is named for copying', () => {
  const { html, files } = rewritePage('<link rel="css" data-trunk href="css/style.css">', 'demo');
  assert.equal(html, '<link rel="stylesheet" href="./style.css" />');
  assert.deepEqual(files, ['css/style.css']);
});

test('a link over several lines is rewritten whole', () => {
  const { html } = rewritePage('<link\n  data-trunk\n  rel="css"\n  href="a.css"\n/>', 'demo');
  assert.equal(html, '<link rel="stylesheet" href="./a.css" />');
});

test("links that are not Trunk's stay as they are", () => {
  const source = '<link rel="icon" href="data:,">';
  assert.equal(rewritePage(source, 'demo').html, source);
});

test('an unknown kind of link is a failure, not a broken page', () => {
  assert.throws(
    () => rewritePage('<link data-trunk rel="sass" href="a.scss">', 'demo'),
    /rel="sass"/,
  );
});
