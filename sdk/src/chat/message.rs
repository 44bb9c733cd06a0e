//! One message of a conversation and its parts, in the order in which they came.

use super::item::PendingItem;
use crate::json::JsonObject;
use crate::loopengine::StopReason;
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Author {
    /// The person.
    User,
    /// The agent, with everything it did in that turn.
    Assistant,
}

/// One message: what a person wrote, or one whole turn of the agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Unique within the conversation and stable, for lists that are drawn by key.
    pub key: u64,
    /// Who wrote it.
    pub author: Author,
    /// Its parts in order.
    pub parts: Vec<Part>,
    /// How far it got.
    pub status: MessageStatus,
    /// Why the turn ended without an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
}

/// How far a message got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MessageStatus {
    /// Waits for the network, or for the turn before it; until it is sent it can be withdrawn.
    Queued,
    /// Being sent, or its turn is running.
    Active,
    /// Whole.
    Complete,
    /// The request or the turn failed.
    Failed,
    /// The stream broke off; the turn may go on at the server.
    Interrupted,
    /// The person stopped it.
    Stopped,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Part {
    /// Text of the author.
    Text {
        /// The text.
        text: String,
    },
    /// A tool call.
    Tool(ToolCall),
    /// A pending item, and later what was decided.
    Item {
        /// The item.
        item: Arc<PendingItem>,
    },
    /// Something the engine says, not the agent.
    Notice(Notice),
}

/// Something the engine says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "notice", rename_all = "camelCase")]
pub enum Notice {
    /// A skill was loaded.
    Skill {
        /// Its name.
        skill: String,
    },
    /// The conversation was shortened for the model.
    Compaction {
        /// Messages before.
        from: u64,
        /// Messages after.
        to: u64,
    },
    /// The context is getting full.
    Budget {
        /// Share of the budget in use; 1 is all of it.
        ratio: f64,
    },
    /// The turn ended without an answer.
    Stopped {
        /// The server's text; empty where the person stopped it.
        text: String,
    },
    /// The turn failed.
    Error {
        /// The server's text.
        text: String,
    },
    /// A part of the stream could not be read.
    Damaged {
        /// What was wrong with it.
        text: String,
    },
}

/// One tool call of the timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The model's id of the call; unique within its message only.
    pub id: String,
    /// Name of the tool.
    pub tool: String,
    /// Its arguments, once known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<JsonObject>,
    /// Why it may run, or why it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Its result as JSON text, or `ERROR: …`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// How far it got.
    pub status: ToolStatus,
    /// Whether an event about it came damaged.
    pub damaged: bool,
}

/// How far a call got.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolStatus {
    /// The model asked for it; nothing else is known yet.
    Requested,
    /// Decided, and not ended yet.
    Started,
    /// Ended well.
    Done,
    /// Ended with an error.
    Failed,
    /// Denied by a rule or a person.
    Denied,
    /// Not run because another call of its batch was denied.
    Skipped,
    /// The turn ended without a result of it.
    Interrupted,
    /// A status text that this version does not know.
    Other(String),
}

impl ToolCall {
    /// A call of which nothing but its name is known.
    pub(super) fn new(id: &str, tool: &str, status: ToolStatus) -> Self {
        Self {
            id: id.to_owned(),
            tool: tool.to_owned(),
            args: None,
            detail: None,
            summary: None,
            status,
            damaged: false,
        }
    }
}

impl ToolStatus {
    /// The status behind a `statusText`.
    ///
    /// # Protocol
    /// Observed in loopengine 8f93a10: `Approved.`, `Error.`, `Denied.`, `Skipped.`
    #[must_use]
    pub fn from_status_text(text: &str) -> Self {
        match text {
            "Approved." => Self::Done,
            "Error." => Self::Failed,
            "Denied." => Self::Denied,
            "Skipped." => Self::Skipped,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The name that user interfaces match on.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Requested => "requested",
            Self::Started => "started",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Denied => "denied",
            Self::Skipped => "skipped",
            Self::Interrupted => "interrupted",
            Self::Other(text) => text,
        }
    }
}

impl Serialize for ToolStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Message {
    /// A message with one text.
    pub(super) fn text(key: u64, author: Author, text: String, status: MessageStatus) -> Self {
        Self { key, author, parts: vec![Part::Text { text }], status, stop_reason: None }
    }

    /// An agent's turn without parts yet.
    pub(super) fn turn(key: u64, status: MessageStatus) -> Self {
        Self { key, author: Author::Assistant, parts: Vec::new(), status, stop_reason: None }
    }

    /// Its first text.
    #[must_use]
    pub fn first_text(&self) -> Option<&str> {
        self.parts.iter().find_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            Part::Tool(_) | Part::Item { .. } | Part::Notice(_) => None,
        })
    }

    /// Its pending items, decided ones too.
    pub fn items(&self) -> impl Iterator<Item = &Arc<PendingItem>> {
        self.parts.iter().filter_map(|part| match part {
            Part::Item { item } => Some(item),
            Part::Text { .. } | Part::Tool(_) | Part::Notice(_) => None,
        })
    }

    /// Its tool calls in order.
    pub fn tools(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::Tool(call) => Some(call),
            Part::Text { .. } | Part::Item { .. } | Part::Notice(_) => None,
        })
    }

    pub(super) fn items_mut(&mut self) -> impl Iterator<Item = &mut PendingItem> {
        self.parts.iter_mut().filter_map(|part| match part {
            Part::Item { item } => Some(Arc::make_mut(item)),
            Part::Text { .. } | Part::Tool(_) | Part::Notice(_) => None,
        })
    }

    pub(super) fn tools_mut(&mut self) -> impl Iterator<Item = &mut ToolCall> {
        self.parts.iter_mut().filter_map(|part| match part {
            Part::Tool(call) => Some(call),
            Part::Text { .. } | Part::Item { .. } | Part::Notice(_) => None,
        })
    }

    pub(super) fn say(&mut self, text: String) {
        if !text.is_empty() {
            self.parts.push(Part::Text { text });
        }
    }

    pub(super) fn note(&mut self, notice: Notice) {
        self.parts.push(Part::Notice(notice));
    }
}
