//! Session snapshots: what an application keeps of a session beside its messages.

pub use confirmation::{Confirmation, ConfirmationStatus};
pub use conversation::{Decision, DecisionKind, SessionConversation};
pub use decode::decode_session_snapshot;
pub use snapshot::SessionSnapshot;
pub use turn::{ActiveTurn, TerminalTurn, TurnOutcome};

mod confirmation;
mod conversation;
mod decode;
mod snapshot;
mod turn;

/// The name of the protocol of session snapshots.
pub const SESSION_PROTOCOL: &str = "agentskit.chat.session";
/// The version of [`SESSION_PROTOCOL`] that is written; version 0 is read too.
pub const SESSION_PROTOCOL_VERSION: u32 = 1;
