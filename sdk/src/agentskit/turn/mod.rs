//! Turn events: what a client submits, and the snapshots and diagnostics that a server answers with.

pub use cursor::SnapshotCursor;
pub use decode::decode_turn_event;
pub use encode::{SnapshotOptions, create_snapshot_event, encode_turn_event};
pub use event::{Submission, TurnDiagnostic, TurnEvent, TurnPayload};
pub use message::{Message, MessageRole, MessageStatus, snapshot_messages};
pub use part::{DetailLevel, ImageDetail, MessagePart};
pub use snapshot::{Derivation, Lineage, Snapshot, TokenUsage, TurnStatus};
pub use tool_call::{ToolCall, ToolCallStatus};

mod cursor;
mod decode;
mod encode;
mod event;
mod message;
mod part;
mod snapshot;
mod tool_call;

/// The name of the protocol of turn events.
pub const TURN_PROTOCOL: &str = "agentskit.chat.turn";
/// The one version of [`TURN_PROTOCOL`].
pub const TURN_PROTOCOL_VERSION: u32 = 1;
