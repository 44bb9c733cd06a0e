/**
 * The three-step ladder to a Rust that compiles to wasm32, as a decision over what was found.
 *
 * - `path`: the Rust on PATH has the target.
 * - `rustup`: rustup may be able to add it.
 * - `debian`: Debian's Rust in `/usr/bin` has it.
 * - `debian-install`: Debian's Rust can be installed and given the target.
 * - `none`: nothing of this is possible.
 */
export function chooseToolchain({
  wanted,
  pathHasTarget,
  rustupMayAdd,
  debianHasTarget,
  debianMayInstall,
}) {
  if (wanted !== 'debian') {
    if (pathHasTarget) return 'path';
    // Trying rustup costs time, so it is skipped where Debian's Rust is ready.
    if (rustupMayAdd && (wanted === 'path' || !debianHasTarget)) return 'rustup';
  }
  if (wanted !== 'path') {
    if (debianHasTarget) return 'debian';
    if (debianMayInstall) return 'debian-install';
  }
  return 'none';
}
