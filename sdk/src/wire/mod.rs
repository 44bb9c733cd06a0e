//! Push parsers that turn bytes into frames, whatever the cuts between the chunks.
//!
//! All have the same four verbs: `push` takes bytes, `poll` hands out what is complete, `finish`
//! says that no more bytes come, `reset` starts over. What comes out depends on the bytes alone,
//! never on where they were cut.
//!
//! ```text
//! chunk   chunk  chunk            frames
//! ──┬───────┬──────┬──   push ▶  ┌───┐┌─────┐┌──┐   ▶ poll
//!   cut anywhere                 └───┘└─────┘└──┘
//! ```
//!
//! Each byte is looked at a fixed number of times and what is held is bounded by one limit a
//! parser, so neither a frame that comes in many small chunks nor one that never ends is dear.
//!
//! # Protocol
//! The rules have ids (`FRAME-…`, `LINE-…`); the ledger with their sources and tests is
//! `sdk/PROTOCOL.md`.

pub mod ndjson;
pub mod sse;
mod utf8;
