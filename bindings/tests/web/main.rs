//! What JavaScript holds of the wasm side, in a browser's page.

#![cfg(target_arch = "wasm32")]

mod calls;
mod chats;
mod decoders;
mod errors;
mod header_function;
mod scripted_fetch;
mod turn_sessions;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
