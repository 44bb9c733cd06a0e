//! A snapshot: the whole conversation, how the turn stands, what it cost.

use super::event::TurnDiagnostic;
use super::message::Message;
use crate::agentskit::bounds::MESSAGES;
use crate::agentskit::fields::{Fields, Read};
use crate::agentskit::named::named;
use crate::agentskit::scalar::SafeId;
use crate::json::{Members, Node};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// The whole conversation as it stands; each snapshot replaces the one before.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Snapshot {
    /// All messages, oldest first.
    pub messages: Vec<Message>,
    /// How the turn stands.
    pub status: TurnStatus,
    /// What the turn cost.
    pub usage: TokenUsage,
    /// What went wrong, if anything did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<TurnDiagnostic>,
    /// Where the turn came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lineage: Option<Lineage>,
}

named! {
    /// How a turn stands.
    TurnStatus {
        /// Nothing has happened yet.
        Idle = "idle",
        /// More is to come.
        Streaming = "streaming",
        /// It is over.
        Complete = "complete",
        /// It failed.
        Error = "error",
    }
}

/// How many tokens a turn took; nothing says that the total is the sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenUsage {
    /// Tokens sent to the model.
    pub prompt_tokens: u64,
    /// Tokens that the model sent.
    pub completion_tokens: u64,
    /// Tokens in all.
    pub total_tokens: u64,
}

/// Where a turn came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lineage {
    /// A new message.
    Submit,
    /// An earlier turn, done anew.
    Derived {
        /// In which way.
        operation: Derivation,
        /// The earlier turn.
        parent_turn_id: SafeId,
        /// The message that it starts from.
        source_message_id: SafeId,
    },
}

named! {
    /// How a turn was made from an earlier one.
    Derivation {
        /// The same message once more.
        Retry = "retry",
        /// The message with another text.
        Edit = "edit",
        /// Another answer to the same message.
        Regenerate = "regenerate",
    }
}

impl Snapshot {
    /// A snapshot of what the object holds, whatever else is in it.
    pub(super) fn of(fields: &Members<'_>) -> Option<Self> {
        Some(Self {
            messages: MESSAGES
                .admit(fields.get("messages")?)
                .then(|| fields.field("messages"))??,
            status: fields.field("status")?,
            usage: fields.field("usage")?,
            error: fields.optional("error")?,
            lineage: fields.optional("lineage")?,
        })
    }
}

impl Read for Snapshot {
    fn read(node: &Node<'_>) -> Option<Self> {
        Self::of(node.as_object()?)
    }
}

impl Read for TokenUsage {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        Some(Self {
            prompt_tokens: fields.field("promptTokens")?,
            completion_tokens: fields.field("completionTokens")?,
            total_tokens: fields.field("totalTokens")?,
        })
    }
}

impl Read for Lineage {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        if fields.is("operation", "submit") {
            return Some(Self::Submit);
        }
        Some(Self::Derived {
            operation: fields.field("operation")?,
            parent_turn_id: fields.field("parentTurnId")?,
            source_message_id: fields.field("sourceMessageId")?,
        })
    }
}

impl Serialize for Lineage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self::Derived { operation, parent_turn_id, source_message_id } = self else {
            let mut object = serializer.serialize_struct("Lineage", 1)?;
            object.serialize_field("operation", "submit")?;
            return object.end();
        };
        let mut object = serializer.serialize_struct("Lineage", 3)?;
        object.serialize_field("operation", operation)?;
        object.serialize_field("parentTurnId", parent_turn_id)?;
        object.serialize_field("sourceMessageId", source_message_id)?;
        object.end()
    }
}
