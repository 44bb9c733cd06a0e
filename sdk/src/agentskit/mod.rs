//! AgentsKit turn protocol v1: turn events and their snapshots, ordered assistant content,
//! component frames, session snapshots.
//!
//! Everything here is pure: text or values in, typed values or a [`Diagnostic`] out. A decoder takes
//! any input in linear time; what it refuses changes nothing, and what it says of it is a fixed code
//! and a fixed text.
//!
//! Results serialise to the very bytes that the protocol's own JavaScript gives. What JavaScript
//! can hold and Rust cannot is a surrogate without its partner: in JSON of any shape (props,
//! metadata, arguments) it stays as an escape, in typed strings it becomes U+FFFD.

pub use content::{
    ASSISTANT_CONTENT_MAX_BYTES, ASSISTANT_CONTENT_MAX_RECORDS, ASSISTANT_CONTENT_PREFIX,
    ASSISTANT_CONTENT_PROTOCOL, ASSISTANT_CONTENT_PROTOCOL_VERSION, AssistantContent,
    AssistantContentEncoder, AssistantPart, ContentDecoder, ContentFailure,
    decode_assistant_content, fallback_text, is_assistant_content_candidate, merge_texts,
};
pub use diagnostic::{Diagnostic, DiagnosticCode};
pub use frame::{
    COMPONENT_PROTOCOL, COMPONENT_PROTOCOL_VERSION, ComponentFrame, Fallback,
    decode_component_frame, is_component_frame_candidate,
};
pub use input::Input;
pub use interaction::{ComponentEvent, InteractionEvent, SelectionEvent, read_component_event};
pub use reader::ContentReader;
pub use registry::ComponentRegistry;
pub use result::{Decoded, ResultObject};
pub use scalar::{ComponentKey, ErrorCode, SafeId, Timestamp};
pub use session::{
    ActiveTurn, Confirmation, ConfirmationStatus, Decision, DecisionKind, SESSION_PROTOCOL,
    SESSION_PROTOCOL_VERSION, SessionConversation, SessionSnapshot, TerminalTurn, TurnOutcome,
    decode_session_snapshot,
};
pub use turn::{
    Derivation, DetailLevel, ImageDetail, Lineage, Message, MessagePart, MessageRole,
    MessageStatus, Snapshot, SnapshotCursor, SnapshotOptions, Submission, TURN_PROTOCOL,
    TURN_PROTOCOL_VERSION, TokenUsage, ToolCall, ToolCallStatus, TurnDiagnostic, TurnEvent,
    TurnPayload, TurnStatus, create_snapshot_event, decode_turn_event, encode_turn_event,
    snapshot_messages,
};
pub use which::{ContentKind, which_content};

mod bounds;
mod content;
mod diagnostic;
mod encode;
mod fields;
mod frame;
mod input;
mod interaction;
mod named;
mod reader;
mod registry;
mod result;
mod scalar;
mod session;
mod timestamp;
mod turn;
mod which;
