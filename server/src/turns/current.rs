//! The turn that a session is at, for those who read the session.

use super::{Phase, Turns, drive};
use crate::engine::SessionKey;
use crate::store::{ItemKind, Moment, Standing, StoreError};
use turnwire::loopengine::{HistoryMessage, LoopEvent};

/// The first turn of a session that is not over, else the last one, at the moment at which the
/// session was read.
#[derive(Debug)]
pub(crate) struct Current {
    /// Its id.
    pub id: String,
    /// Where it stood.
    pub phase: Phase,
    /// How many events it had.
    pub events: usize,
    /// The last one of them.
    pub last: LoopEvent,
    /// Where the user's message stands in the session; none where it is not there.
    pub user_at: Option<usize>,
}

impl Turns {
    /// A session's messages, oldest first, and its current turn.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn history(
        &self,
        key: &SessionKey,
    ) -> Result<(Vec<HistoryMessage>, Option<Current>), StoreError> {
        Ok(self.split(self.store().history(key).await?).await)
    }

    /// A session's pending items, oldest first, and its current turn.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn pending(
        &self,
        kind: ItemKind,
        key: &SessionKey,
    ) -> Result<(Vec<LoopEvent>, Option<Current>), StoreError> {
        Ok(self.split(self.store().pending_of(kind, key).await?).await)
    }

    async fn split<T>(
        &self,
        Moment { content, mut turns }: Moment<T>,
    ) -> (Vec<T>, Option<Current>) {
        let first_open = turns.iter().position(|standing| self.goes_on(standing));
        let last = turns.len().checked_sub(1);
        let Some(at) = first_open.or(last) else { return (content, None) };
        (content, self.current(turns.swap_remove(at)).await)
    }

    /// None where its events are no longer kept: nobody can join it any more.
    async fn current(&self, standing: Standing) -> Option<Current> {
        let phase = match self.goes_on(&standing) || standing.turn.is_over() {
            true => drive::phase(&standing.turn),
            false => Phase::Left,
        };
        let Standing { id, turn, events, last, .. } = standing;
        if let Some(live) = self.live_turn(&id) {
            // Whoever is told of an event can join behind it at once.
            live.reached(events).await;
        }
        Some(Current { id, phase, events, last: last?, user_at: turn.user_at() })
    }

    /// Whether somebody may still see it end: not over, and driven by this server.
    pub(super) fn goes_on(&self, standing: &Standing) -> bool {
        standing.is_served && !standing.turn.is_over() && !self.broken().contains(&standing.id)
    }
}
