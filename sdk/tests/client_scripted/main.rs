//! The client against a scripted transport on a virtual clock.

#![cfg(not(target_arch = "wasm32"))]

mod agentskit_cuts;
mod agentskit_follow;
mod agentskit_repeats;
mod agentskit_state;
mod agentskit_streams;
mod agentskit_turns;
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
