//! The snapshot of a session.

use super::confirmation::Confirmation;
use super::conversation::SessionConversation;
use super::turn::{ActiveTurn, TerminalTurn};
use super::{SESSION_PROTOCOL, SESSION_PROTOCOL_VERSION};
use crate::agentskit::fields::{Fields, are_unique};
use crate::agentskit::result::Decoded;
use crate::agentskit::scalar::{SafeId, Timestamp};
use crate::json::Members;
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeStruct, Serializer};

const MAX_TERMINAL_TURNS: usize = 64;
const MAX_CONFIRMATIONS: usize = 1000;

/// What an application keeps of a session beside its messages.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963. It serialises to its canonical JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSnapshot {
    /// The session.
    pub session_id: SafeId,
    /// What the session runs.
    pub definition_id: SafeId,
    /// Which revision of it, from 1 on.
    pub definition_revision: u64,
    /// When it was saved.
    pub updated_at: Timestamp,
    /// How often it was saved; the number of the last snapshot event.
    pub cursor: u64,
    /// The turn that is running.
    pub active_turn: Option<ActiveTurn>,
    /// The last turns that are over: at most 64, each once.
    pub terminal_turns: Option<Vec<TerminalTurn>>,
    /// Where a conversation of fixed routes stands.
    pub conversation: Option<SessionConversation>,
    /// What waits for somebody's consent, or had it: at most 1000, each token and each call once.
    pub confirmations: Vec<Confirmation>,
}

impl SessionSnapshot {
    /// The snapshot that an object holds, whichever version and protocol it names.
    pub(super) fn of(fields: &Members<'_>) -> Option<Self> {
        let revision: u64 = fields.field("definitionRevision")?;
        let snapshot = Self {
            session_id: fields.field("sessionId")?,
            definition_id: fields.field("definitionId")?,
            definition_revision: Some(revision).filter(|revision| *revision > 0)?,
            updated_at: fields.field("updatedAt")?,
            cursor: fields.field("cursor")?,
            active_turn: fields.optional("activeTurn")?,
            terminal_turns: fields.optional("terminalTurns")?,
            conversation: fields.optional("conversation")?,
            confirmations: fields.field("confirmations")?,
        };
        snapshot.is_consistent().then_some(snapshot)
    }

    fn is_consistent(&self) -> bool {
        let turns = self.terminal_turns.as_deref().unwrap_or_default();
        let confirmations = &self.confirmations;
        turns.len() <= MAX_TERMINAL_TURNS
            && confirmations.len() <= MAX_CONFIRMATIONS
            && are_unique(turns.iter().map(|turn| &*turn.turn_id))
            && are_unique(confirmations.iter().map(|confirmation| &*confirmation.token))
            && are_unique(confirmations.iter().map(|confirmation| &*confirmation.tool_call_id))
    }
}

impl Decoded for SessionSnapshot {
    fn serialize_members<M: SerializeMap>(&self, members: &mut M) -> Result<(), M::Error> {
        members.serialize_entry("snapshot", self)
    }
}

impl Serialize for SessionSnapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("SessionSnapshot", 11)?;
        object.serialize_field("protocol", SESSION_PROTOCOL)?;
        object.serialize_field("version", &SESSION_PROTOCOL_VERSION)?;
        object.serialize_field("sessionId", &self.session_id)?;
        object.serialize_field("definitionId", &self.definition_id)?;
        object.serialize_field("definitionRevision", &self.definition_revision)?;
        object.serialize_field("updatedAt", &self.updated_at)?;
        object.serialize_field("cursor", &self.cursor)?;
        if let Some(turn) = &self.active_turn {
            object.serialize_field("activeTurn", turn)?;
        }
        if let Some(turns) = &self.terminal_turns {
            object.serialize_field("terminalTurns", turns)?;
        }
        if let Some(conversation) = &self.conversation {
            object.serialize_field("conversation", conversation)?;
        }
        object.serialize_field("confirmations", &self.confirmations)?;
        object.end()
    }
}
