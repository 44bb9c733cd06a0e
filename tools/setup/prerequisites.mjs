import { canInstallPackages, installPackages } from '../machine/apt.mjs';
import { capture, findProgram } from '../machine/command.mjs';
import { readProject } from '../project/paths.mjs';
import { isAtLeast, reportedVersion, requiredRust } from '../project/versions.mjs';
import { Failure } from '../report/failure.mjs';

const NODE = '20.0';

function checkNode() {
  if (isAtLeast(process.versions.node, NODE)) return;
  throw new Failure(
    `Turnwire needs Node ${NODE} or newer; this is ${process.versions.node}: install a newer one.`,
  );
}

async function checkRust() {
  const wanted = requiredRust(readProject('Cargo.toml'));
  const { stdout } = await capture('rustc', ['--version']);
  const version = reportedVersion(stdout);
  if (!version || !findProgram('cargo')) {
    throw new Failure(
      `Turnwire needs Rust ${wanted} or newer: install it with rustup (https://rustup.rs).`,
    );
  }
  if (isAtLeast(version, wanted)) return;
  throw new Failure(
    `Turnwire needs Rust ${wanted} or newer; this is ${version}: run \`rustup update stable\`.`,
  );
}

async function checkLinker() {
  if (findProgram('cc')) return;
  const sentence =
    'Rust needs a C compiler to link with: install one (on Debian: apt-get install build-essential; on macOS: xcode-select --install).';
  if (!(await canInstallPackages())) throw new Failure(sentence);
  await installPackages(['build-essential'], sentence);
}

/** Ends in one sentence where something is missing that the set-up cannot bring itself. */
export async function checkPrerequisites() {
  checkNode();
  await checkRust();
  await checkLinker();
}
