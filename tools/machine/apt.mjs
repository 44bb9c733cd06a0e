import { Failure } from '../report/failure.mjs';
import { capture, findProgram, stream } from './command.mjs';

/** How to get root's rights without asking: `[]` as root, `['sudo', '-n']`, or `undefined`. */
export async function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  if (!findProgram('sudo')) return undefined;
  const { code } = await capture('sudo', ['-n', 'true']);
  return code === 0 ? ['sudo', '-n'] : undefined;
}

/** Whether packages can be installed with apt here and now. */
export async function canInstallPackages() {
  return findProgram('apt-get') !== undefined && (await rootPrefix()) !== undefined;
}

/** Runs a program as root; the caller has made sure that this is possible. */
export async function streamAsRoot(program, args) {
  const [first, ...rest] = [...(await rootPrefix()), program, ...args];
  return stream(first, rest);
}

/** Installs Debian packages, or fails with `sentence`. */
export async function installPackages(packages, sentence) {
  if (!(await canInstallPackages())) throw new Failure(sentence);
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0'];
  await streamAsRoot('apt-get', ['update', ...quiet]);
  const install = [
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    'install',
    '-y',
    '--no-install-recommends',
  ];
  const code = await streamAsRoot('env', [...install, ...quiet, ...packages]);
  if (code !== 0) throw new Failure(sentence);
}
