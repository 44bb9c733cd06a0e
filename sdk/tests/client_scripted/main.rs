//! The client against a scripted transport on a virtual clock.

#![cfg(not(target_arch = "wasm32"))]

mod chat;
mod failures;
mod header_source;
mod limits;
mod requests;
mod run_turn;
mod script;
mod stopping;
mod streams;
mod timeouts;
