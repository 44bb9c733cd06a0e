//! Taking turns up again that were not over when the server stopped.

use super::drive::CANCELLED;
use super::{Job, LiveTurn, Turns};
use crate::engine::{Effect, Outcome};
use crate::store::{StoreError, Unfinished};
use std::sync::Arc;

impl Turns {
    /// Goes on with every unfinished turn: waiting ones wait on, and a call that had started but
    /// has no result is not run again.
    ///
    /// # Errors
    /// [`StoreError`] where they cannot be read or stored.
    pub(crate) async fn resume(&self) -> Result<(), StoreError> {
        for unfinished in self.store().unfinished().await? {
            self.take_up(unfinished).await?;
        }
        Ok(())
    }

    async fn take_up(&self, mut unfinished: Unfinished) -> Result<(), StoreError> {
        let name = unfinished.turn.session().scope.agent.clone();
        let Some(agent) = self.agents().get(&name).cloned() else {
            let text = format!("the server no longer has the agent '{name}'");
            return self.settle(&mut unfinished, Outcome::Failed(text)).await;
        };
        if matches!(unfinished.turn.effect(), Effect::RunTool(_)) {
            self.settle(&mut unfinished, Outcome::Interrupted).await?;
        }
        if unfinished.is_cancelled && !unfinished.turn.is_over() {
            self.settle(&mut unfinished, Outcome::Failed(CANCELLED.into())).await?;
        }
        if unfinished.turn.is_over() {
            return Ok(());
        }
        let Unfinished { id, row, turn, events, .. } = unfinished;
        tracing::info!(turn = id, "taking a turn up again");
        let place = self.inner.queue.take_place(turn.session());
        let live = Arc::new(LiveTurn::new(id, &turn, events));
        live.log.publish(Vec::new(), super::drive::phase(&turn));
        self.drive(Job { turn, row, agent, live, place });
        Ok(())
    }

    /// Applies and stores an outcome before anybody follows the turn.
    async fn settle(
        &self,
        unfinished: &mut Unfinished,
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        let stamps = &*self.inner.parts.stamps;
        let progress = unfinished
            .turn
            .apply(outcome, stamps)
            .map_err(|error| StoreError::Corrupt(error.to_string()))?;
        self.store().commit(unfinished.row, &unfinished.turn, &progress).await?;
        unfinished.events.extend(progress.events);
        Ok(())
    }
}
