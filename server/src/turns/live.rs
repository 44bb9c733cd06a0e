//! A turn that this process drives, as others see it.

use super::log::{Log, Phase};
use crate::engine::{SessionKey, Turn};
use std::sync::Arc;
use tokio::sync::{Notify, watch};
use turnwire::loopengine::LoopEvent;

/// A turn that is being driven.
#[derive(Debug)]
pub(crate) struct LiveTurn {
    id: String,
    session: SessionKey,
    /// What the user wrote.
    message: String,
    pub(super) log: Log,
    /// Rung when a decision on one of its items is stored.
    pub(super) decided: Notify,
    /// Whether it is to stop.
    cancelled: watch::Sender<bool>,
}

/// A reader of a turn's events.
#[derive(Debug)]
pub(crate) struct Follower {
    turn: Arc<LiveTurn>,
    next: usize,
    phase: watch::Receiver<(usize, Phase)>,
}

impl LiveTurn {
    pub(super) fn new(id: String, turn: &Turn, events: Vec<LoopEvent>) -> Self {
        Self {
            id,
            session: turn.session().clone(),
            message: turn.message().to_owned(),
            log: Log::new(events),
            decided: Notify::new(),
            cancelled: watch::Sender::new(false),
        }
    }

    /// A turn that goes on no more, for those who ask about it later.
    pub(super) fn at_rest(id: String, turn: &Turn, events: Vec<LoopEvent>) -> Self {
        let phase = if turn.is_over() { Phase::Over } else { Phase::Left };
        let at_rest = Self::new(id, turn, events);
        at_rest.log.publish(Vec::new(), phase);
        at_rest
    }

    pub(super) fn cancel(&self) {
        self.cancelled.send_replace(true);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        *self.cancelled.borrow()
    }

    /// Done once it is to stop.
    pub(super) async fn cancelled(&self) {
        // The sender lives in this very turn, so it cannot be gone.
        let _ = self.cancelled.subscribe().wait_for(|is_cancelled| *is_cancelled).await;
    }

    /// The turn's id.
    #[must_use]
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The turn's session.
    #[must_use]
    pub(crate) fn session(&self) -> &SessionKey {
        &self.session
    }

    /// What the user wrote.
    #[must_use]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Every event so far.
    #[must_use]
    pub(crate) fn events(&self) -> Vec<LoopEvent> {
        self.log.events()
    }

    /// Where the turn stands.
    #[must_use]
    pub(crate) fn phase(&self) -> Phase {
        self.log.subscribe().borrow().1.clone()
    }

    /// Waits until it has told so many events, or goes on no more.
    ///
    /// # Cancellation
    /// Dropping it only stops the waiting.
    pub(super) async fn reached(&self, events: usize) {
        let mut phase = self.log.subscribe();
        // The sender lives in this very turn, so it cannot be gone.
        let _ = phase.wait_for(|(len, phase)| *len >= events || phase.is_final()).await;
    }

    /// How many events there are and where the turn stands, whenever that changes.
    #[must_use]
    pub(crate) fn changes(&self) -> watch::Receiver<(usize, Phase)> {
        self.log.subscribe()
    }

    /// Waits until the turn is over.
    ///
    /// # Cancellation
    /// Dropping it only stops the waiting.
    pub(crate) async fn over(&self) -> Phase {
        let mut phase = self.log.subscribe();
        let over = phase.wait_for(|(_, phase)| phase.is_final()).await;
        // The sender lives in this very turn, so it cannot be gone.
        over.map_or(Phase::Broken, |over| over.1.clone())
    }

    /// Waits for the first moment behind the decision on `decided`, or of the whole turn, at which
    /// it needs a decision or goes on no more. The answer is the same whenever it is asked for.
    ///
    /// # Cancellation
    /// Dropping it only stops the waiting.
    pub(crate) async fn next_moment(&self, decided: Option<&str>) -> Phase {
        let mut phase = self.log.subscribe();
        loop {
            let now = phase.borrow_and_update().1.clone();
            if let Some(id) = self.log.item_behind(decided) {
                return Phase::Waiting(id);
            }
            if now.is_final() || phase.changed().await.is_err() {
                return now;
            }
        }
    }

    /// Reads the turn's events from number `start` on.
    #[must_use]
    pub(crate) fn follow(self: &Arc<Self>, start: usize) -> Follower {
        Follower { turn: Arc::clone(self), next: start, phase: self.log.subscribe() }
    }
}

impl Follower {
    /// The next event; none when the turn goes on no more.
    ///
    /// # Cancellation
    /// Dropping it loses no event: the next call gives it.
    pub(crate) async fn next(&mut self) -> Option<LoopEvent> {
        let next = self.next;
        let has_news = |(len, phase): &(usize, Phase)| *len > next || phase.is_final();
        self.phase.wait_for(has_news).await.ok()?;
        let event = self.turn.log.event(next)?;
        self.next += 1;
        Some(event)
    }
}
