import { basename, join } from 'node:path';
import { inProject } from '../project/paths.mjs';
import { settle } from '../report/step.mjs';
import { copyInto, replaceFolder } from './folder.mjs';
import { printSizes } from './sizes.mjs';
import { buildWasm } from './wasm.mjs';

const CRATE = {
  package: 'turnwire-js',
  kind: ['--lib'],
  artifact: 'turnwire_js.wasm',
  outName: 'turnwire_js',
};

const LICENCES = ['LICENSE-APACHE', 'LICENSE-MIT'];

/** Builds the npm package into `bindings/dist/`: the module, its glue and the hand-written loaders. */
export async function buildPackage(machine) {
  const output = await buildWasm(CRATE, machine);
  const dist = inProject('bindings', 'dist');
  await replaceFolder(dist, (folder) => {
    copyInto(output, folder, (path) => basename(path) !== '.stamp');
    copyInto(inProject('bindings', 'js'), folder);
    for (const name of LICENCES) copyInto(inProject(name), join(folder, name));
  });
  settle('npm package', 'bindings/dist');
  printSizes(dist);
}
