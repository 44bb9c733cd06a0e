//! The record of one message.

use super::event::TurnEvent;
use super::part::MessagePart;
use super::tool_call::ToolCall;
use crate::agentskit::fields::{Fields, Read};
use crate::agentskit::named::named;
use crate::agentskit::timestamp;
use crate::json::{JsonText, Node};
use serde::Serialize;

/// One message of a conversation.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit@5cb1c6df. No field depends on another: a message of any role
/// may carry any of the optional ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Any text but the empty one; the same in every snapshot.
    pub id: String,
    /// Who wrote it.
    pub role: MessageRole,
    /// The text; an assistant's can be an envelope of [ordered
    /// content](crate::agentskit::which_content).
    pub content: String,
    /// How far it has come.
    pub status: MessageStatus,
    /// When it was written, in milliseconds and UTC.
    pub created_at: String,
    /// Text and attachments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<MessagePart>>,
    /// Tools that the message calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCall>>,
    /// The call that the message is the result of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// An object of any content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonText>,
}

named! {
    /// Who wrote a message.
    MessageRole {
        /// The user.
        User = "user",
        /// The agent.
        Assistant = "assistant",
        /// The application.
        System = "system",
        /// A tool.
        Tool = "tool",
    }
}

named! {
    /// How far a message has come.
    MessageStatus {
        /// It has not begun.
        Pending = "pending",
        /// More of it is to come.
        Streaming = "streaming",
        /// It is whole.
        Complete = "complete",
        /// It failed.
        Error = "error",
    }
}

impl Message {
    /// When it was written.
    ///
    /// # Units
    /// Milliseconds since 1970; nothing where the text is no such instant, which no decoded message
    /// has.
    #[must_use]
    pub fn created_at_ms(&self) -> Option<i64> {
        timestamp::strict_ms(&self.created_at)
    }
}

/// The messages of a snapshot; nothing where the event is none.
#[must_use]
pub fn snapshot_messages(event: &TurnEvent) -> Option<&[Message]> {
    event.snapshot().map(|snapshot| snapshot.messages.as_slice())
}

impl Read for Message {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        let message = Self {
            id: fields.bounded("id", 1..=usize::MAX)?,
            role: fields.field("role")?,
            content: fields.field("content")?,
            status: fields.field("status")?,
            created_at: fields.field("createdAt")?,
            parts: fields.optional("parts")?,
            tool_calls: fields.optional("toolCalls")?,
            tool_call_id: fields.optional("toolCallId")?,
            metadata: fields.optional("metadata")?.map(|PlainObject(object)| object),
        };
        message.created_at_ms().is_some().then_some(message)
    }
}

/// An object of any content; the bounds of all messages hold for it too.
pub(super) struct PlainObject(pub(super) JsonText);

impl Read for PlainObject {
    fn read(node: &Node<'_>) -> Option<Self> {
        node.as_object().map(|_| Self(JsonText::of_node(node)))
    }
}
