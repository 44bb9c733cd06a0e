//! loopengine Protocol v1: the events of a turn, the results of a request, a session's history.
//!
//! The same events come over three transports: server-sent events, the `events` array of a plain
//! HTTP response, and newline-delimited JSON of a command. Unknown event types and unknown fields
//! pass through unchanged, as the protocol's stability rules demand.

pub use decode::{Damaged, Received, decode};
pub use encode::{to_ndjson, to_sse};
pub use event::{
    ActauthDecision, ApprovalPending, ApprovalScope, AssistantText, BudgetAction, BudgetCheck,
    Done, GateVerdict, LoopDenied, LoopDone, LoopEvent, LoopMaxTurns, LoopSkipped, Nudge,
    PromptCompaction, QuestionPending, Session, SkillLoaded, StopReason, ToolResult, ToolStarted,
    ToollaneResult, TurnError, UnknownEvent,
};
pub use history::{Block, Content, HistoryMessage, Role, SessionHistory};
pub use result::{
    Finished, PendingApproval, PendingApprovals, PendingQuestion, PendingQuestions, TurnResult,
};
pub use stream::{EventFrame, NdjsonEvents, SseEvents};

mod decode;
mod encode;
mod event;
mod fields;
mod history;
mod json_object;
mod open_enum;
mod result;
#[cfg(feature = "schema")]
pub mod schema;
mod stream;
