//! The transport over the global `fetch`, in a browser's dedicated worker.

#![cfg(target_arch = "wasm32")]

#[path = "client_fetch/cases.rs"]
mod cases;
#[path = "client_fetch/stand_in.rs"]
mod stand_in;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);
