//! The transport over the global `fetch`, in Node: `wasm-pack test --node sdk`.

#![cfg(target_arch = "wasm32")]

#[path = "client_fetch/cases.rs"]
mod cases;
#[path = "client_fetch/stand_in.rs"]
mod stand_in;
