//! The arrows of the architecture, and the habits of the files, as tests.

#![cfg(not(target_arch = "wasm32"))]

mod crates;
mod files;
mod layers;
mod readme;
mod source;

use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("the crate is a folder of the workspace").into()
}

/// A file of the repository as text, if it is there.
fn text_of(path: &str) -> Option<String> {
    std::fs::read_to_string(root().join(path)).ok()
}
