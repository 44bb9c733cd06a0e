//! A running turn's events in memory, which any number of readers follow by index.
//!
//! Readers hold a place in the one shared list and nothing else: a slow one, or one that is gone,
//! neither holds the turn up nor makes memory grow.

use jiff::Timestamp;
use std::sync::{PoisonError, RwLock};
use tokio::sync::watch;
use turnwire::loopengine::LoopEvent;

/// Where a turn stands, for those who follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It goes on by itself.
    Running,
    /// It waits for a decision on the item of this id.
    Waiting(String),
    /// It is over.
    Over,
    /// The server cannot go on with it; the log has the reason.
    Broken,
    /// The server is stopping; the turn goes on when it is back.
    Left,
}

/// The events so far and the phase.
#[derive(Debug)]
pub(super) struct Log {
    events: RwLock<Vec<LoopEvent>>,
    phase: watch::Sender<(usize, Phase)>,
}

impl Phase {
    /// Whether nothing more will come.
    #[must_use]
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Over | Self::Broken | Self::Left)
    }
}

impl Log {
    pub(super) fn new(events: Vec<LoopEvent>) -> Self {
        let phase = watch::Sender::new((events.len(), Phase::Running));
        Self { events: RwLock::new(events), phase }
    }

    /// Adds events that are stored, and tells everybody.
    pub(super) fn publish(&self, events: Vec<LoopEvent>, phase: Phase) {
        let mut all = self.events.write().unwrap_or_else(PoisonError::into_inner);
        all.extend(events);
        let len = all.len();
        drop(all);
        self.phase.send_replace((len, phase));
    }

    /// The id of the first item that became pending behind the item `after`, or at all.
    pub(super) fn item_behind(&self, after: Option<&str>) -> Option<String> {
        let events = self.events.read().unwrap_or_else(PoisonError::into_inner);
        let mut items = events.iter().filter_map(item_id);
        match after {
            Some(after) => items.skip_while(|id| *id != after).nth(1),
            None => items.next(),
        }
        .map(str::to_owned)
    }

    /// When a pending item expires.
    pub(super) fn deadline(&self, id: &str) -> Option<Timestamp> {
        let events = self.events.read().unwrap_or_else(PoisonError::into_inner);
        let event = events.iter().find(|event| item_id(event) == Some(id))?;
        let text = match event {
            LoopEvent::ApprovalPending(item) => item.expires_at.as_deref(),
            LoopEvent::QuestionPending(item) => item.expires_at.as_deref(),
            _ => None,
        };
        text?.parse().ok()
    }

    pub(super) fn events(&self) -> Vec<LoopEvent> {
        self.events.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The event of this number, if it is there already.
    pub(super) fn event(&self, number: usize) -> Option<LoopEvent> {
        self.events.read().unwrap_or_else(PoisonError::into_inner).get(number).cloned()
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<(usize, Phase)> {
        self.phase.subscribe()
    }
}

/// The id of the item that an event makes pending.
fn item_id(event: &LoopEvent) -> Option<&str> {
    match event {
        LoopEvent::ApprovalPending(item) => Some(&item.id),
        LoopEvent::QuestionPending(item) => Some(&item.id),
        _ => None,
    }
}
