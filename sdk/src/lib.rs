//! Client core for AI-agent servers.
//!
//! Turnwire parses streamed turn events, shows and settles an agent's pending approvals and
//! questions, and folds both into a conversation that a user interface can draw. It runs natively
//! and on wasm32 from the same source.
//!
//! Data flows one way: bytes → frames ([`wire`]) → events ([`loopengine`], [`agentskit`]) → state
//! ([`chat`]). Nothing does I/O below [`client`].
//!
//! What this crate refuses to do: drop bytes in silence, panic on input, hold unbounded memory,
//! show a stream that broke off as a turn that ended.

// No input may panic: what is indexed or unwrapped here would one day be out of range.
#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

#[cfg(target_arch = "wasm32")]
pub mod adapters;
pub mod agentskit;
pub mod chat;
pub mod client;
pub mod error;
pub mod json;
pub mod limits;
pub mod loopengine;
pub mod store;
pub mod wire;

pub use error::{Error, ErrorKind, Result};
pub use limits::Limits;
