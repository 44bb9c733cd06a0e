//! The envelope of a turn event and its three payloads.

use super::snapshot::Snapshot;
use super::{TURN_PROTOCOL, TURN_PROTOCOL_VERSION};
use crate::agentskit::fields::{Fields, Read};
use crate::agentskit::result::Decoded;
use crate::agentskit::scalar::{ErrorCode, SafeId, Timestamp};
use crate::json::{Members, Node, trim};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

/// One event of a turn.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963. It serialises to its canonical JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnEvent {
    /// The event's own identifier.
    pub event_id: SafeId,
    /// The session that the turn belongs to.
    pub session_id: SafeId,
    /// The turn.
    pub turn_id: SafeId,
    /// Its place in the session's line of events.
    pub sequence: u64,
    /// When it was sent.
    pub emitted_at: Timestamp,
    /// What it says.
    pub payload: TurnPayload,
}

/// What a turn event says.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "nearly all are snapshots, so a box would only cost")]
pub enum TurnPayload {
    /// The user's message.
    Submit(Submission),
    /// The whole conversation as it stands.
    Snapshot(Snapshot),
    /// Something went wrong on the server.
    Diagnostic(TurnDiagnostic),
}

/// A user's message on its way to the application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Submission {
    /// The text, as typed; not blank.
    pub input: String,
}

/// What a server says of something that went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnDiagnostic {
    /// What went wrong, for programs.
    pub code: ErrorCode,
    /// What went wrong, for people; not empty.
    pub message: String,
    /// Whether trying again can help.
    pub retryable: bool,
}

impl TurnEvent {
    /// The conversation, where the event is a snapshot.
    #[must_use]
    pub fn snapshot(&self) -> Option<&Snapshot> {
        match &self.payload {
            TurnPayload::Snapshot(snapshot) => Some(snapshot),
            TurnPayload::Submit(_) | TurnPayload::Diagnostic(_) => None,
        }
    }

    /// An event with the identifiers and the time that the object holds.
    pub(super) fn of(fields: &Members<'_>, payload: TurnPayload) -> Option<Self> {
        Some(Self {
            event_id: fields.field("eventId")?,
            session_id: fields.field("sessionId")?,
            turn_id: fields.field("turnId")?,
            sequence: fields.field("sequence")?,
            emitted_at: fields.field("emittedAt")?,
            payload,
        })
    }
}

impl TurnPayload {
    pub(super) const SUBMIT: &'static str = "client.turn.submit";
    pub(super) const SNAPSHOT: &'static str = "server.turn.snapshot";
    pub(super) const DIAGNOSTIC: &'static str = "server.turn.diagnostic";

    /// The name of the event.
    #[must_use]
    pub fn event(&self) -> &'static str {
        match self {
            Self::Submit(_) => Self::SUBMIT,
            Self::Snapshot(_) => Self::SNAPSHOT,
            Self::Diagnostic(_) => Self::DIAGNOSTIC,
        }
    }

    /// Whether an event of that name exists.
    pub(super) fn is_event(name: &str) -> bool {
        [Self::SUBMIT, Self::SNAPSHOT, Self::DIAGNOSTIC].contains(&name)
    }

    fn read(event: &str, payload: &Node<'_>) -> Option<Self> {
        match event {
            Self::SUBMIT => Submission::read(payload).map(Self::Submit),
            Self::SNAPSHOT => Snapshot::read(payload).map(Self::Snapshot),
            Self::DIAGNOSTIC => TurnDiagnostic::read(payload).map(Self::Diagnostic),
            _ => None,
        }
    }
}

impl Read for TurnEvent {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        let is_known = fields.is("protocol", TURN_PROTOCOL)
            && fields.number("version") == Some(f64::from(TURN_PROTOCOL_VERSION));
        let event = fields.get("event")?.as_text().filter(|_| is_known)?;
        Self::of(fields, TurnPayload::read(event, fields.get("payload")?)?)
    }
}

impl Read for Submission {
    fn read(node: &Node<'_>) -> Option<Self> {
        let input: String = node.as_object()?.field("input")?;
        (!trim(&input).is_empty()).then_some(Self { input })
    }
}

impl Read for TurnDiagnostic {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        let is_known = fields.number("version") == Some(f64::from(TURN_PROTOCOL_VERSION));
        let diagnostic = Self {
            code: fields.field("code")?,
            message: fields.bounded("message", 1..=usize::MAX)?,
            retryable: fields.field("retryable")?,
        };
        is_known.then_some(diagnostic)
    }
}

impl Decoded for TurnEvent {
    fn serialize_members<M: SerializeMap>(&self, members: &mut M) -> Result<(), M::Error> {
        members.serialize_entry("event", self)
    }
}

impl Serialize for TurnEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("TurnEvent", 9)?;
        object.serialize_field("protocol", TURN_PROTOCOL)?;
        object.serialize_field("version", &TURN_PROTOCOL_VERSION)?;
        object.serialize_field("eventId", &self.event_id)?;
        object.serialize_field("sessionId", &self.session_id)?;
        object.serialize_field("turnId", &self.turn_id)?;
        object.serialize_field("sequence", &self.sequence)?;
        object.serialize_field("emittedAt", &self.emitted_at)?;
        object.serialize_field("event", self.payload.event())?;
        object.serialize_field("payload", &self.payload)?;
        object.end()
    }
}

impl Serialize for TurnPayload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Submit(submission) => submission.serialize(serializer),
            Self::Snapshot(snapshot) => snapshot.serialize(serializer),
            Self::Diagnostic(diagnostic) => diagnostic.serialize(serializer),
        }
    }
}

impl Serialize for TurnDiagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("TurnDiagnostic", 4)?;
        object.serialize_field("version", &TURN_PROTOCOL_VERSION)?;
        object.serialize_field("code", &self.code)?;
        object.serialize_field("message", &self.message)?;
        object.serialize_field("retryable", &self.retryable)?;
        object.end()
    }
}
