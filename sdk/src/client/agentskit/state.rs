//! What a user interface draws of a session: one immutable value, and what it is made from.

use super::repeat::may_have_run;
use super::stream::TurnLine;
use crate::agentskit::{
    Diagnostic, Message, SafeId, SnapshotCursor, TurnDiagnostic, TurnEvent, TurnPayload,
    TurnStatus, snapshot_messages,
};
use crate::chat::ChatFault;
use crate::store::Model;
use crate::{Error, ErrorKind, Result};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// How many damaged lines of a turn are kept one by one.
const MAX_DAMAGED: usize = 256;

/// Everything about a session at one moment.
#[derive(Debug, Clone)]
pub struct TurnState {
    /// What the session is doing.
    pub phase: TurnPhase,
    /// The turn that was submitted last.
    pub turn_id: Option<SafeId>,
    /// The newest snapshot event; the same `Arc` until a newer one comes.
    pub snapshot: Option<Arc<TurnEvent>>,
    /// The snapshot's messages, oldest first. One that did not change is the same `Arc` in the next
    /// state.
    pub messages: Vec<Arc<Message>>,
    /// What the server says went wrong with the turn, beside the snapshot, until the next one.
    pub failure: Option<TurnDiagnostic>,
    /// What went wrong between the server and this client, until the next turn.
    pub error: Option<ChatFault>,
    /// Lines of the turn that were no event, the first 256 of them, until the next turn.
    pub damaged: Vec<DamagedLine>,
    /// How many there were in all.
    pub damaged_lines: u64,
}

/// What a session is doing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "phase", rename_all = "camelCase")]
pub enum TurnPhase {
    /// No turn is under way: none was submitted, or the last one is over or was refused.
    #[default]
    Idle,
    /// A turn was submitted; nothing of it came yet.
    Submitting,
    /// The turn's events come.
    Streaming,
    /// The submission broke off and is repeated.
    Reconnecting {
        /// Attempts since the last new snapshot, from 1.
        attempt: u32,
    },
    /// The last turn broke off: whether it ran, and to what end, only the server knows.
    Interrupted,
    /// The last turn was stopped here.
    Stopped,
}

/// A line that was no event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DamagedLine {
    /// Why it is none.
    #[serde(flatten)]
    pub diagnostic: Diagnostic,
    /// Its number among all lines of its response, the first being 1.
    pub line: u64,
    /// Bytes from the start of its response.
    #[serde(rename = "offset")]
    pub position: u64,
}

/// A session as its events have made it.
#[derive(Debug)]
pub(super) struct Progress {
    pub(super) cursor: SnapshotCursor,
    messages: Vec<Arc<Message>>,
    phase: TurnPhase,
    turn_id: Option<SafeId>,
    failure: Option<TurnDiagnostic>,
    error: Option<ChatFault>,
    damaged: Vec<DamagedLine>,
    damaged_lines: u64,
    /// Whether the server may have begun the turn.
    may_have_run: bool,
}

impl PartialEq for TurnState {
    /// Whether both draw the same. Comparing messages would cost more than drawing them: snapshots
    /// are the same only as the same `Arc`, and damaged lines are only ever added.
    fn eq(&self, other: &Self) -> bool {
        self.snapshot.as_ref().map(Arc::as_ptr) == other.snapshot.as_ref().map(Arc::as_ptr)
            && self.phase == other.phase
            && self.turn_id == other.turn_id
            && self.failure == other.failure
            && self.error == other.error
            && self.damaged_lines == other.damaged_lines
    }
}

impl Progress {
    pub(super) fn new(cursor: SnapshotCursor) -> Self {
        let messages = cursor.snapshot().map_or_else(Vec::new, |event| shared(&[], event));
        Self {
            cursor,
            messages,
            phase: TurnPhase::Idle,
            turn_id: None,
            failure: None,
            error: None,
            damaged: Vec::new(),
            damaged_lines: 0,
            may_have_run: false,
        }
    }

    /// The number of the newest snapshot.
    pub(super) fn sequence(&self) -> u64 {
        self.cursor.snapshot().map_or(0, |event| event.sequence)
    }

    pub(super) fn begin(&mut self, turn_id: &SafeId) {
        self.phase = TurnPhase::Submitting;
        self.turn_id = Some(turn_id.clone());
        self.failure = None;
        self.error = None;
        self.damaged.clear();
        self.damaged_lines = 0;
        self.may_have_run = false;
    }

    /// The session is looked at: what went wrong before is history.
    pub(super) fn begin_look(&mut self) {
        self.failure = None;
        self.error = None;
        self.may_have_run = false;
    }

    pub(super) fn is_reconnecting(&self) -> bool {
        matches!(self.phase, TurnPhase::Reconnecting { .. })
    }

    pub(super) fn set_phase(&mut self, phase: TurnPhase) {
        self.phase = phase;
    }

    /// Takes a line of the turn's stream; true if it is a newer snapshot.
    pub(super) fn take(&mut self, line: TurnLine) -> bool {
        match line.event {
            Ok(event) => self.take_event(event),
            Err(diagnostic) => {
                let (line, position) = (line.number, line.position);
                self.damaged_lines += 1;
                if self.damaged.len() < MAX_DAMAGED {
                    self.damaged.push(DamagedLine { diagnostic, line, position });
                }
                false
            }
        }
    }

    fn take_event(&mut self, event: TurnEvent) -> bool {
        let is_own = event.session_id == *self.cursor.session_id()
            && Some(&event.turn_id) == self.turn_id.as_ref();
        if is_own {
            self.phase = TurnPhase::Streaming;
        }
        if let (true, TurnPayload::Diagnostic(diagnostic)) = (is_own, &event.payload) {
            self.failure = Some(diagnostic.clone());
        }
        self.apply(event)
    }

    /// Holds an event if it is a newer snapshot; true if it is.
    pub(super) fn apply(&mut self, event: TurnEvent) -> bool {
        let is_newer = self.cursor.apply_event(event);
        if let (true, Some(event)) = (is_newer, self.cursor.snapshot()) {
            self.messages = shared(&self.messages, event);
        }
        is_newer
    }

    /// Takes the newest snapshot that a look got; true while its turn goes on.
    pub(super) fn look(&mut self, event: TurnEvent) -> bool {
        let is_news = |held: &Arc<TurnEvent>| {
            (held.sequence, &held.session_id) == (event.sequence, &event.session_id)
                && held.payload != event.payload
        };
        if self.cursor.snapshot().is_some_and(is_news) {
            self.cursor.let_go();
        }
        self.apply(event);
        let snapshot = self.cursor.snapshot().and_then(|event| event.snapshot());
        self.may_have_run = snapshot.is_some_and(|held| held.status == TurnStatus::Streaming);
        if self.may_have_run {
            self.phase = TurnPhase::Streaming;
        }
        self.may_have_run
    }

    /// An attempt failed.
    pub(super) fn note(&mut self, error: &Error) {
        self.may_have_run |= may_have_run(error);
    }

    pub(super) fn end(&mut self, outcome: &Result<()>) {
        let error = outcome.as_ref().err();
        let is_stopped = error.is_some_and(|error| error.kind() == ErrorKind::Aborted);
        self.phase = match error {
            Some(_) if is_stopped => TurnPhase::Stopped,
            Some(_) if self.may_have_run => TurnPhase::Interrupted,
            _ => TurnPhase::Idle,
        };
        self.error = error.filter(|_| !is_stopped).map(ChatFault::from);
    }
}

impl Model for Progress {
    type State = TurnState;

    fn state(&self) -> TurnState {
        TurnState {
            phase: self.phase,
            turn_id: self.turn_id.clone(),
            snapshot: self.cursor.snapshot().cloned(),
            messages: self.messages.clone(),
            failure: self.failure.clone(),
            error: self.error.clone(),
            damaged: self.damaged.clone(),
            damaged_lines: self.damaged_lines,
        }
    }
}

/// The messages of a snapshot; those that are as before keep their identity.
fn shared(before: &[Arc<Message>], event: &TurnEvent) -> Vec<Arc<Message>> {
    let known: HashMap<&str, &Arc<Message>> =
        before.iter().map(|message| (message.id.as_str(), message)).collect();
    let same = |message: &Message| match known.get(message.id.as_str()) {
        Some(known) if ***known == *message => Arc::clone(known),
        _ => Arc::new(message.clone()),
    };
    snapshot_messages(event).unwrap_or_default().iter().map(same).collect()
}
