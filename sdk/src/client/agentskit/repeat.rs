//! When a submission that broke off is repeated.
//!
//! A server claims a turn by its id before it begins, for longer than it lets the turn run, and keeps
//! the ids of turns that are over: one that comes again is refused with status 409, never run again.
//! So a submission can be repeated under its ids as long as the claim of the first attempt holds. The
//! answer is either the turn's events or that refusal.

use crate::client::reconnect::{Backoff, can_rejoin};
use crate::client::transport::Transport;
use crate::client::watch::expired;
use crate::client::{CancelToken, Reconnect};
use crate::{Error, ErrorKind, Result};
use futures_util::future::{Either, select};
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

/// How long after its first attempt a submission may be sent again.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: a claim holds for 45 seconds unless the host sets
/// another time, and a server that stopped in the middle of a turn would begin it anew behind that.
/// The 15 seconds between are for the request's way.
const REPEATABLE: Duration = Duration::from_secs(30);

/// The attempts at one submission.
pub(super) struct Repeat<'a, T: Transport> {
    transport: &'a T,
    backoff: Backoff,
    /// Runs while the claim of the first attempt holds.
    claim: T::Sleep,
}

impl<'a, T: Transport> Repeat<'a, T> {
    /// Starts with the first attempt.
    pub(super) fn begin(transport: &'a T, policy: Reconnect) -> Self {
        Self { transport, backoff: Backoff::new(policy), claim: transport.sleep(REPEATABLE) }
    }

    /// A snapshot came that had not come before.
    pub(super) fn progress(&mut self) {
        self.backoff.progress();
    }

    /// The number of the next attempt, from 1, and how long to wait for it; none once it is to be
    /// given up.
    pub(super) fn next(&mut self, after: &Error) -> Option<(u32, Duration)> {
        self.backoff.next(self.transport, after).filter(|(_, wait)| *wait < REPEATABLE)
    }

    /// Waits; false if the claim ends first.
    ///
    /// # Errors
    /// `aborted` if the turn is stopped meanwhile.
    pub(super) async fn wait(&mut self, wait: Duration, stop: &CancelToken) -> Result<bool> {
        let mut sleep = self.transport.sleep(wait);
        let claim = &mut self.claim;
        let waited = poll_fn(|cx| match expired(Some(&mut *claim), cx) {
            Poll::Ready(()) => Poll::Ready(false),
            Poll::Pending => expired(Some(&mut sleep), cx).map(|()| true),
        });
        match select(stop.cancelled(), waited).await {
            Either::Left(_) => Err(Error::new(ErrorKind::Aborted, "stopped by the caller")),
            Either::Right((is_claimed, _)) => Ok(is_claimed),
        }
    }
}

/// Whether sending the same submission again can help after this error.
///
/// # Protocol
/// Our choice: as for every stream that is joined again, but that a page in the server's place ends
/// it: nobody has been let in yet.
pub(super) fn can_repeat(error: &Error) -> bool {
    can_rejoin(error) && error.kind() != ErrorKind::UnexpectedContentType
}

/// Whether the server may have begun the turn, although the attempt ended with this error.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: of the refusals, only 408, 499 and those from 500
/// on can come behind the claim.
pub(super) fn may_have_run(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::InvalidArgument | ErrorKind::HeadersFailed => false,
        ErrorKind::Http => {
            error.status().is_some_and(|status| matches!(status, 408 | 499) || status >= 500)
        }
        _ => true,
    }
}
