//! Push parsers that turn bytes into frames, whatever the cuts between the chunks.
//!
//! All have the same four verbs: `push` takes bytes, `poll` hands out what is complete, `finish`
//! says that no more bytes come, `reset` starts over. What comes out depends on the bytes alone,
//! never on where they were cut.

pub mod ndjson;
pub mod sse;
mod utf8;
