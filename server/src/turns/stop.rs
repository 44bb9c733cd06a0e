//! Stopping: turns are left where they stand, which is stored, and go on after a restart.

use super::Turns;
use std::time::Duration;
use tokio::time::timeout;

/// How long a tool that runs is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

impl Turns {
    /// Whether the turns are being let go of.
    #[must_use]
    pub(crate) fn is_stopping(&self) -> bool {
        *self.inner.is_stopping.borrow()
    }

    /// Lets go of every turn as soon as it is between two steps.
    pub(crate) fn begin_stop(&self) {
        self.inner.is_stopping.send_replace(true);
    }

    /// Lets go of every turn and waits until none is driven any more.
    pub(crate) async fn stop(&self) {
        self.begin_stop();
        let mut driven = self.inner.driven.subscribe();
        let all_left = driven.wait_for(|count| *count == 0);
        if timeout(PATIENCE, all_left).await.is_err() {
            tracing::warn!("a tool still runs; its call will be told as interrupted");
        }
    }
}
