import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inProject, readProject } from '../project/paths.mjs';
import { settle } from '../report/step.mjs';
import { copyInto, replaceFolder } from './folder.mjs';
import { rewritePage } from './page.mjs';
import { printSizes } from './sizes.mjs';
import { buildWasm } from './wasm.mjs';

const NAME = 'turnwire-demo';
const CRATE = { package: NAME, kind: ['--bin', NAME], artifact: `${NAME}.wasm`, outName: NAME };

/** Builds the demo into `demo-leptos/dist/`, ready to be served as static files. */
export async function buildDemo(machine) {
  const output = await buildWasm(CRATE, machine);
  const dist = inProject('demo-leptos', 'dist');
  const { html, files } = rewritePage(readProject('demo-leptos', 'index.html'), NAME);
  await replaceFolder(dist, (folder) => {
    copyInto(output, folder, (path) => basename(path) !== '.stamp' && !path.endsWith('.d.ts'));
    copyInto(inProject('demo-leptos', 'public'), folder);
    for (const file of files)
      copyInto(inProject('demo-leptos', file), join(folder, basename(file)));
    writeFileSync(join(folder, 'index.html'), html);
  });
  settle('demo', 'demo-leptos/dist');
  printSizes(dist);
}
