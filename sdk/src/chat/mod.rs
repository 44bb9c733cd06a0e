//! Folds events into a conversation, and keeps what was decided about each pending item.
//!
//! Framework-free and without I/O: [`Conversation`] is a value that events are applied to, and
//! [`Store`] wraps one for a user interface with `subscribe` and `snapshot`. Who sends requests
//! lives in [`client`](crate::client).

pub use conversation::Conversation;
pub use cursor::TurnCursor;
pub(crate) use decide::{Begun, is_final};
pub use diagnostic::Diagnostic;
pub use item::{Decider, DecisionState, ItemKind, PendingItem, Verdict};
pub use message::{Author, Message, MessageStatus, Notice, Part, ToolCall, ToolStatus};
pub use state::{ChatFault, ChatState, Connection, Phase};
pub use store::{Listener, Store, Subscription};

mod conversation;
mod cursor;
mod decide;
mod diagnostic;
mod fold;
mod history;
mod item;
mod merge;
mod message;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod orders;
mod pending_list;
mod queue;
mod state;
mod store;
mod turn;
