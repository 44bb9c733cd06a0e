//! Ordered assistant content: prose and components in one message, one JSON record a line.

pub use decode::{AssistantContent, decode_assistant_content, is_assistant_content_candidate};
pub use decoder::{ContentDecoder, ContentFailure};
pub use encode::AssistantContentEncoder;
pub use part::{AssistantPart, fallback_text, merge_texts};

mod decode;
mod decoder;
mod encode;
mod part;
mod prefix;

/// The name of the protocol of ordered assistant content.
pub const ASSISTANT_CONTENT_PROTOCOL: &str = "agentskit.chat.content";
/// The one version of [`ASSISTANT_CONTENT_PROTOCOL`].
pub const ASSISTANT_CONTENT_PROTOCOL_VERSION: u32 = 1;
/// What every envelope begins with.
pub const ASSISTANT_CONTENT_PREFIX: &str = "\u{1e}agentskit.chat.content/1\n";
/// How long an envelope may be in bytes, its prefix and an unfinished record included.
pub const ASSISTANT_CONTENT_MAX_BYTES: usize = 262_144;
/// How many finished records an envelope may hold.
pub const ASSISTANT_CONTENT_MAX_RECORDS: usize = 512;
