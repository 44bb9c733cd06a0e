//! A turn that this process drives, as others see it.

use super::log::{Log, Phase};
use crate::engine::SessionKey;
use std::sync::Arc;
use tokio::sync::{Notify, watch};
use turnwire::loopengine::LoopEvent;

/// A turn that is being driven.
#[derive(Debug)]
pub(crate) struct LiveTurn {
    id: String,
    session: SessionKey,
    pub(super) log: Log,
    /// Rung when a decision on one of its items is stored.
    pub(super) decided: Notify,
}

/// A reader of a turn's events.
#[derive(Debug)]
pub(crate) struct Follower {
    turn: Arc<LiveTurn>,
    next: usize,
    phase: watch::Receiver<(usize, Phase)>,
}

impl LiveTurn {
    pub(super) fn new(id: String, session: SessionKey, events: Vec<LoopEvent>) -> Self {
        Self { id, session, log: Log::new(events), decided: Notify::new() }
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

    /// Every event so far.
    #[must_use]
    pub(crate) fn events(&self) -> Vec<LoopEvent> {
        self.log.events_from(0)
    }

    /// Waits until the turn needs a decision other than the one on `decided`, or goes on no more.
    ///
    /// # Cancellation
    /// Dropping it only stops the waiting.
    pub(crate) async fn next_moment(&self, decided: Option<&str>) -> Phase {
        let mut phase = self.log.subscribe();
        let is_moment = |(_, phase): &(usize, Phase)| match phase {
            Phase::Running => false,
            Phase::Waiting(id) => decided != Some(id),
            Phase::Over | Phase::Broken | Phase::Left => true,
        };
        let moment = phase.wait_for(is_moment).await;
        // The sender lives in this very turn, so it cannot be gone.
        moment.map_or(Phase::Broken, |moment| moment.1.clone())
    }

    /// Reads the turn's events from number `start` on.
    #[must_use]
    pub(crate) fn follow(self: &Arc<Self>, start: usize) -> Follower {
        Follower { turn: Arc::clone(self), next: start, phase: self.log.subscribe() }
    }
}

impl Follower {
    /// The next events, at least one; none when the turn goes on no more.
    ///
    /// # Cancellation
    /// Dropping it loses no event: the next call gives it.
    pub(crate) async fn next(&mut self) -> Option<Vec<LoopEvent>> {
        let next = self.next;
        let has_news = |(len, phase): &(usize, Phase)| *len > next || phase.is_final();
        self.phase.wait_for(has_news).await.ok()?;
        let events = self.turn.log.events_from(next);
        self.next += events.len();
        (!events.is_empty()).then_some(events)
    }
}
