//! Where a conversation of fixed routes stands.

use crate::agentskit::fields::{Fields, Read, are_unique};
use crate::agentskit::named::named;
use crate::agentskit::scalar::SafeId;
use crate::json::Node;
use serde::Serialize;

const MAX_DECISIONS: usize = 1000;
const MAX_INPUT_UNITS: usize = 16_384;
const MAX_CONTENT_UNITS: usize = 65_536;
const MAX_STATE_UNITS: usize = 128;

/// Where a conversation of fixed routes stands, and how it got there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionConversation {
    /// Where it stands, in 1 to 128 UTF-16 units.
    pub state: String,
    /// How it got there: at most 1000, each message once.
    pub decisions: Vec<Decision>,
}

/// One message and the route that it took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The message.
    pub message_id: SafeId,
    /// What it said, in up to 16,384 UTF-16 units.
    pub input: String,
    /// The route.
    pub route_id: SafeId,
    /// How the route was found.
    pub kind: DecisionKind,
    /// The answer, in up to 65,536 UTF-16 units.
    pub content: String,
    /// Where the conversation stood, in 1 to 128 UTF-16 units.
    pub from_state: String,
    /// Where it stands since, in 1 to 128 UTF-16 units.
    pub to_state: String,
}

named! {
    /// How a route was found.
    DecisionKind {
        /// It matched.
        Deterministic = "deterministic",
        /// It matched after a repair.
        Repaired = "repaired",
        /// None matched.
        Fallback = "fallback",
    }
}

impl Read for SessionConversation {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        let decisions: Vec<Decision> = fields.field("decisions")?;
        let is_consistent = decisions.len() <= MAX_DECISIONS
            && are_unique(decisions.iter().map(|decision| &*decision.message_id));
        let state = fields.bounded("state", 1..=MAX_STATE_UNITS)?;
        is_consistent.then_some(Self { state, decisions })
    }
}

impl Read for Decision {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        Some(Self {
            message_id: fields.field("messageId")?,
            input: fields.bounded("input", 0..=MAX_INPUT_UNITS)?,
            route_id: fields.field("routeId")?,
            kind: fields.field("kind")?,
            content: fields.bounded("content", 0..=MAX_CONTENT_UNITS)?,
            from_state: fields.bounded("fromState", 1..=MAX_STATE_UNITS)?,
            to_state: fields.bounded("toState", 1..=MAX_STATE_UNITS)?,
        })
    }
}
