//! A chatbox on the `turnwire` crate, in Leptos.
//!
//! `model` decides what is shown and allowed and is tested natively; `ui` draws it in a browser.

pub mod model;
#[cfg(target_arch = "wasm32")]
pub mod ui;
