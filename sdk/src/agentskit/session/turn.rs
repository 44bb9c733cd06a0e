//! The turns that a session remembers.

use crate::agentskit::fields::{Fields, Read};
use crate::agentskit::named::named;
use crate::agentskit::scalar::SafeId;
use crate::json::Node;
use serde::Serialize;

/// The turn that is running, and until when it may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ActiveTurn {
    /// The turn.
    pub turn_id: SafeId,
    /// From when on another turn may take its place, in milliseconds since 1970.
    pub expires_at: u64,
}

/// A turn that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TerminalTurn {
    /// The turn.
    pub turn_id: SafeId,
    /// What became of it.
    pub outcome: TurnOutcome,
}

named! {
    /// What became of a turn.
    TurnOutcome {
        /// It ended and was stored.
        Completed = "completed",
        /// Nobody knows how much of it was stored.
        Indeterminate = "indeterminate",
    }
}

impl Read for ActiveTurn {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        Some(Self { turn_id: fields.field("turnId")?, expires_at: fields.field("expiresAt")? })
    }
}

impl Read for TerminalTurn {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        Some(Self { turn_id: fields.field("turnId")?, outcome: fields.field("outcome")? })
    }
}
