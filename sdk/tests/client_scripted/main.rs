//! The client against a scripted transport on a virtual clock.

#![cfg(not(target_arch = "wasm32"))]

mod chat;
mod degraded;
mod diagnostics;
mod failures;
mod header_source;
mod joining;
mod limits;
mod outbox;
mod pace;
mod requests;
mod run_turn;
mod script;
mod stopping;
mod streams;
mod timeouts;
mod turns;
mod windows;
