import { basename } from 'node:path';
import { Failure } from '../report/failure.mjs';

const LINK = /^([ \t]*)<link\b([^>]*\bdata-trunk\b[^>]*)>/gm;

/** The attributes of a tag's inside, such as `rel="css" href="style.css"`. */
export function parseAttributes(text) {
  const attributes = {};
  for (const [, name, , double, single, bare] of text.matchAll(
    /([\w-]+)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+)))?/g,
  )) {
    attributes[name] = double ?? single ?? bare ?? '';
  }
  return attributes;
}

function programTags(name) {
  return [
    `<link rel="modulepreload" href="./${name}.js" />`,
    `<link rel="preload" href="./${name}_bg.wasm" as="fetch" type="application/wasm" crossorigin />`,
    `<script type="module">import init from './${name}.js'; init();</script>`,
  ];
}

/** The tags that stand for one of Trunk's asset links in the finished page. */
function tagsFor({ rel, href }, name) {
  const own = `./${basename(href ?? '')}`;
  if (rel === 'rust') return programTags(name);
  if (rel === 'css') return [`<link rel="stylesheet" href="${own}" />`];
  if (rel === 'icon') return [`<link rel="icon" href="${own}" />`];
  if (rel === 'copy-file' || rel === 'copy-dir') return [];
  throw new Failure(
    `demo-leptos/index.html has a data-trunk link with rel="${rel}", which tools/build/page.mjs does not know.`,
  );
}

/**
 * Turns the page that Trunk builds from into the finished one, as Trunk would: `html`, and `files`,
 * what the page names besides the program. `name` is that of the program's JS file.
 */
export function rewritePage(source, name) {
  const files = [];
  const html = source.replace(LINK, (_, indent, inside) => {
    const attributes = parseAttributes(inside);
    if (attributes.rel !== 'rust' && attributes.href) files.push(attributes.href);
    return tagsFor(attributes, name)
      .map((tag) => indent + tag)
      .join('\n');
  });
  return { html, files };
}
