import { Failure } from '../report/failure.mjs';

/** The version that a Cargo.lock has of a package. */
export function lockedVersion(lock, name) {
  const entry = lock.split('[[package]]').find((part) => part.includes(`\nname = "${name}"\n`));
  const version = entry && /^version = "([^"]+)"$/m.exec(entry)?.[1];
  if (!version)
    throw new Failure(`Cargo.lock has no package ${name}; restore the committed Cargo.lock.`);
  return version;
}

/** The oldest Rust that the workspace's Cargo.toml accepts. */
export function requiredRust(manifest) {
  return /^rust-version = "([^"]+)"$/m.exec(manifest)?.[1] ?? '1.0';
}

/** The `1.95.0` in `rustc 1.95.0 (…)`. */
export function reportedVersion(text) {
  return /(\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1];
}

/** Whether a version is the wanted one or a later one. */
export function isAtLeast(version, wanted) {
  const have = version.split('.').map(Number);
  const want = wanted.split('.').map(Number);
  for (const [index, part] of want.entries()) {
    const own = have[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
