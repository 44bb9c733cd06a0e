import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { listFiles } from '../project/paths.mjs';
import { formatTable } from '../report/table.mjs';

const CODE = /\.(wasm|js|css|html)$/;

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function sizesOf(content) {
  return [
    content.length,
    gzipSync(content, { level: 9 }).length,
    brotliCompressSync(content).length,
  ];
}

/** Prints how large a folder's code is, as it is and as servers send it. */
export function printSizes(folder) {
  const rows = listFiles(folder, CODE).map((path) => {
    return [relative(folder, path), ...sizesOf(readFileSync(path)).map(kilobytes)];
  });
  process.stdout.write(`${formatTable(['file', 'raw', 'gzip', 'brotli'], rows)}\n`);
}
