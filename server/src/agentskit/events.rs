//! The events that a turn is told in.

use super::Fault;
use super::session::{Session, now};
use super::view::View;
use crate::turns::Turns;
use turnwire::agentskit::{
    Lineage, SafeId, SnapshotOptions, Timestamp, TokenUsage, TurnEvent, TurnPayload, TurnStatus,
    create_snapshot_event, encode_turn_event,
};

/// What the events of a turn have in common.
#[derive(Debug)]
pub(super) struct Events<'a> {
    pub(super) turns: &'a Turns,
    pub(super) session: &'a Session,
    pub(super) turn: &'a SafeId,
}

impl Events<'_> {
    /// The line of a snapshot, under the number that the session has counted to.
    ///
    /// # Protocol
    /// As observed in AgentsKit-io/agentskit-chat@9836963: the lineage is always a submission, and of
    /// what failed nothing is told but that it did. No usage is counted: the engine only estimates
    /// how full its context is.
    ///
    /// # Errors
    /// `Internal` where the conversation exceeds what a snapshot can hold.
    pub(super) fn snapshot(&self, view: &View) -> Result<String, Fault> {
        let failed = view.status == TurnStatus::Error;
        let error = failed.then(|| Fault::Turn.to_diagnostic()).transpose()?;
        let event = create_snapshot_event(&SnapshotOptions {
            event_id: SafeId::new(self.turns.new_id())?,
            session_id: self.session.id().clone(),
            turn_id: self.turn.clone(),
            sequence: self.session.cursor(),
            emitted_at: Timestamp::new(now())?,
            messages: view.messages.clone(),
            status: view.status,
            usage: TokenUsage::default(),
            lineage: Some(Lineage::Submit),
            error,
        })?;
        line(&event)
    }

    /// The line of what went wrong, under the next number, which is not counted.
    ///
    /// # Protocol
    /// As observed in AgentsKit-io/agentskit-chat@9836963: in a stream every fault is retryable.
    ///
    /// # Errors
    /// None for the faults that there are.
    pub(super) fn diagnostic(&self, fault: Fault) -> Result<String, Fault> {
        let mut diagnostic = fault.to_diagnostic()?;
        diagnostic.retryable = true;
        line(&TurnEvent {
            event_id: SafeId::new(self.turns.new_id())?,
            session_id: self.session.id().clone(),
            turn_id: self.turn.clone(),
            sequence: self.session.cursor() + 1,
            emitted_at: Timestamp::new(now())?,
            payload: TurnPayload::Diagnostic(diagnostic),
        })
    }
}

fn line(event: &TurnEvent) -> Result<String, Fault> {
    Ok(encode_turn_event(event)? + "\n")
}
