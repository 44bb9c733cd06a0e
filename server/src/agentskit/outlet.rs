//! The way from a turn to its reader, which holds one snapshot: the newest.
//!
//! # Protocol
//! Back pressure as observed in AgentsKit-io/agentskit-chat@9836963: what was not read is replaced
//! by what is newer. The writer never waits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Where a turn writes; dropping it ends the stream.
#[derive(Debug)]
pub(super) struct Outlet(Arc<Shared>);

/// What a reader reads.
#[derive(Debug)]
pub(crate) struct Lines(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    unread: Mutex<Unread>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Unread {
    snapshot: Option<String>,
    diagnostic: Option<String>,
    is_ended: bool,
}

/// A way with its two ends.
pub(super) fn way() -> (Outlet, Lines) {
    let shared = Arc::new(Shared::default());
    (Outlet(Arc::clone(&shared)), Lines(shared))
}

impl Outlet {
    /// Writes a snapshot in the place of one that nobody has read.
    pub(super) fn snapshot(&self, line: String) {
        self.0.lock().snapshot = Some(line);
        self.0.news.notify_one();
    }

    /// Writes what went wrong, behind the newest snapshot; the stream ends with it.
    pub(super) fn diagnostic(&self, line: String) {
        let mut unread = self.0.lock();
        unread.diagnostic = Some(line);
        unread.is_ended = true;
        drop(unread);
        self.0.news.notify_one();
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        self.0.lock().is_ended = true;
        self.0.news.notify_one();
    }
}

impl Lines {
    /// The next line, its LF included; none at the end.
    ///
    /// # Cancellation
    /// Dropping it loses no line: the next call gives it.
    pub(crate) async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(line) = self.0.lock().take() {
                return Some(line);
            }
            if self.0.lock().is_over() {
                return None;
            }
            self.0.news.notified().await;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Unread> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unread {
    fn take(&mut self) -> Option<String> {
        self.snapshot.take().or_else(|| self.diagnostic.take())
    }

    fn is_over(&self) -> bool {
        self.is_ended && self.snapshot.is_none() && self.diagnostic.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn a_slow_reader_gets_the_newest_snapshot_then_the_diagnostic_then_the_end() {
        let (outlet, mut lines) = way();
        assert!(lines.next().now_or_never().is_none());
        outlet.snapshot("1".into());
        outlet.snapshot("2".into());
        outlet.diagnostic("late".into());
        for line in [Some("2".to_owned()), Some("late".to_owned()), None, None] {
            assert_eq!(lines.next().now_or_never(), Some(line));
        }
    }

    #[tokio::test]
    async fn a_reader_that_waits_gets_what_comes() {
        let (outlet, mut lines) = way();
        let writing = async {
            outlet.snapshot("1".into());
            tokio::task::yield_now().await;
            drop(outlet);
        };
        let reading = async { [lines.next().await, lines.next().await] };
        let (read, ()) = tokio::join!(reading, writing);
        assert_eq!(read, [Some("1".to_owned()), None]);
    }

    #[test]
    fn a_writer_without_a_reader_goes_on() {
        let (outlet, lines) = way();
        drop(lines);
        outlet.snapshot("1".into());
    }
}
