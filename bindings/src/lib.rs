//! The wasm side of the npm package `turnwire`.
//!
//! No logic lives here: every exported method converts in, calls `turnwire`, converts out. What
//! JavaScript users see is `js/`, whose files wrap these exports; `js/types.d.ts` describes it.
//!
//! Plain data crosses as JSON text, which JavaScript's own parser turns into plain objects, exactly
//! as the server sent them. Classes exist only for what lives on: a call under way, a stream, a
//! chat, a decoder. Their methods take `&self`, and futures own what they need, so that freeing a
//! handle is safe at any time.

// Without a JavaScript host there is nothing to bind to.
#![cfg(target_arch = "wasm32")]

mod agentskit;
mod answer;
mod call;
mod chat;
mod decoder;
mod error;
mod events;
mod header_function;
mod settings;
mod shared_list;
mod snapshot;
mod text;
mod turn_session;
mod turn_state;

pub use agentskit::{
    ContentDecoderHandle, ContentEncoderHandle, SnapshotCursorHandle, check_key,
    create_interaction, create_selection, create_snapshot, decode_content, decode_frame,
    decode_session, decode_turn, encode_event, is_content, is_frame, read_event, which, words,
};
pub use call::Call;
pub use chat::ChatHandle;
pub use decoder::{EventDecoderHandle, SseDecoderHandle, decode_event};
pub use error::{error_of_kind, set_error_factory};
pub use events::TurnEvents;
pub use turn_session::TurnSessionHandle;
