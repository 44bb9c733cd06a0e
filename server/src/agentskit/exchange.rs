//! Telling of a turn, from its claim of the session to its release.

use super::Fault;
use super::desk::CLEANUP;
use super::events::Events;
use super::outlet::Outlet;
use super::session::Session;
use super::view::View;
use crate::turns::{LiveTurn, Phase, Turns};
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::{Instant, timeout, timeout_at};
use turnwire::agentskit::{SafeId, TurnOutcome, TurnStatus};

/// A turn of the protocol that is being told of.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) turns: Turns,
    pub(super) session: Session,
    /// The client's id of the turn.
    pub(super) turn: SafeId,
    /// The engine's turn, unless nothing goes on.
    pub(super) live: Option<Arc<LiveTurn>>,
    pub(super) outlet: Outlet,
    pub(super) deadline: Instant,
}

impl Exchange {
    /// Tells of the turn until it rests, breaks off or takes too long.
    ///
    /// The session is given back before the last snapshot is told: whoever reads that can send the
    /// next message at once. After a fault it is told first, as cleaning up may take its time.
    ///
    /// # Cancellation
    /// None: it runs on a task of its own.
    pub(super) async fn run(mut self) {
        match self.tell().await {
            Ok(last) => {
                self.release(TurnOutcome::Completed).await;
                self.outlet.snapshot(last);
            }
            // The turn goes on when the server is back, and keeps its session until then.
            Err(Fault::Stopping) => self.break_off(Fault::Stopping),
            Err(fault) => {
                self.break_off(fault);
                let outcome = self.clean_up(fault).await;
                self.release(outcome).await;
            }
        }
    }

    /// Tells of every change but the last, which comes back.
    async fn tell(&mut self) -> Result<String, Fault> {
        let mut changes = self.live.as_ref().map(|live| live.changes());
        let mut told = None;
        loop {
            // What is read of the store is at least as new as this.
            let phase = changes.as_mut().map(|changes| changes.borrow_and_update().1.clone());
            let (view, is_begun) = self.view().await?;
            let is_over = view.status != TurnStatus::Streaming;
            let Some(changes) = changes.as_mut().filter(|_| !is_over) else {
                return self.snapshot(&view).await;
            };
            if phase == Some(Phase::Left) {
                return Err(Fault::Stopping);
            }
            if is_begun && told.as_ref() != Some(&view) {
                let line = self.snapshot(&view).await?;
                self.outlet.snapshot(line);
                told = Some(view);
            }
            self.change(changes).await?;
        }
    }

    /// The conversation as it stands, and whether the turn's own message is in it.
    async fn view(&self) -> Result<(View, bool), Fault> {
        let id = self.live.as_ref().map(|live| live.id());
        let conversation = self.turns.conversation(self.session.key(), id).await?;
        let turn = conversation.turn.as_ref();
        let is_begun = turn.is_none_or(|standing| standing.turn.user_at().is_some());
        Ok((View::of(&conversation)?, is_begun))
    }

    async fn change(&self, changes: &mut watch::Receiver<(usize, Phase)>) -> Result<(), Fault> {
        match timeout_at(self.deadline, changes.changed()).await {
            Ok(Ok(())) => Ok(()),
            // The sender lives in the turn, which this holds.
            Ok(Err(_)) => Err(Fault::Internal),
            Err(_) => Err(Fault::Timeout),
        }
    }

    /// The line of a snapshot, once the session has counted it.
    async fn snapshot(&mut self, view: &View) -> Result<String, Fault> {
        self.session.advance().await?;
        self.events().snapshot(view)
    }

    fn events(&self) -> Events<'_> {
        Events { turns: &self.turns, session: &self.session, turn: &self.turn }
    }

    /// Says what went wrong, and nothing more.
    fn break_off(&self, fault: Fault) {
        match self.events().diagnostic(fault) {
            Ok(line) => self.outlet.diagnostic(line),
            Err(fault) => tracing::error!(?fault, "a diagnostic cannot be told"),
        }
    }

    /// Stops what took too long, and says what is known of it.
    async fn clean_up(&self, fault: Fault) -> TurnOutcome {
        let Some(live) = self.live.as_ref().filter(|_| fault == Fault::Timeout) else {
            return TurnOutcome::Indeterminate;
        };
        let stopped = async { self.turns.cancel(live).await.ok().map(|()| live.over()) };
        let ended = async { Some(stopped.await?.await) };
        match timeout(CLEANUP, ended).await {
            Ok(Some(Phase::Over)) => TurnOutcome::Completed,
            _ => TurnOutcome::Indeterminate,
        }
    }

    async fn release(&mut self, outcome: TurnOutcome) {
        if let Err(fault) = self.session.release(outcome).await {
            tracing::warn!(
                ?fault,
                session = self.session.key().id,
                "a session could not be given back"
            );
        }
    }
}
