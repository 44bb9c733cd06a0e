//! The call of a tool, as a message carries it.

use super::message::PlainObject;
use crate::agentskit::fields::{Fields, Read};
use crate::agentskit::named::named;
use crate::json::{JsonText, Node};
use serde::Serialize;

/// The call of a tool and what came of it.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit@5cb1c6df.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolCall {
    /// Any text but the empty one.
    pub id: String,
    /// The tool; any text but the empty one.
    pub name: String,
    /// An object of any content.
    pub args: JsonText,
    /// How far it has come.
    pub status: ToolCallStatus,
    /// What the tool gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Why the tool failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

named! {
    /// How far the call of a tool has come.
    ToolCallStatus {
        /// It has not begun.
        Pending = "pending",
        /// The tool is at work.
        Running = "running",
        /// The tool is done.
        Complete = "complete",
        /// The tool failed.
        Error = "error",
        /// Somebody has to agree first.
        RequiresConfirmation = "requires_confirmation",
    }
}

impl Read for ToolCall {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        let PlainObject(args) = fields.field("args")?;
        Some(Self {
            id: fields.bounded("id", 1..=usize::MAX)?,
            name: fields.bounded("name", 1..=usize::MAX)?,
            args,
            status: fields.field("status")?,
            result: fields.optional("result")?,
            error: fields.optional("error")?,
        })
    }
}
