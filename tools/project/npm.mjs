import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withLock } from '../machine/cache.mjs';
import { mustRun } from '../machine/command.mjs';
import { ensureStep } from '../report/step.mjs';
import { inProject, root } from './paths.mjs';

const MANIFESTS = ['package.json', 'package-lock.json', 'bindings/package.json'];
const STAMP = inProject('node_modules', '.turnwire-stamp');

/** One hash of all that decides what npm installs. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const name of MANIFESTS) {
    hash.update(existsSync(inProject(name)) ? readFileSync(inProject(name)) : '-').update('\0');
  }
  return hash.digest('hex');
}

function findInstalled() {
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== fingerprint()) return undefined;
  return { value: undefined };
}

async function install() {
  const command = existsSync(inProject('package-lock.json')) ? 'ci' : 'install';
  await mustRun(
    'npm',
    [command, '--no-audit', '--no-fund'],
    { cwd: root },
    'npm could not install the packages: see its message above; if package-lock.json is out of step, run `npm install` and commit the result.',
  );
  writeFileSync(STAMP, fingerprint());
}

/** Installs the npm packages if the manifests changed since the last time. */
export function ensurePackages() {
  return ensureStep('npm packages', findInstalled, () =>
    withLock('npm', async () => findInstalled() ?? install()),
  );
}
