//! How long to wait before a stream that broke off is joined again, and when to give up.

use super::transport::Transport;
use crate::{Error, ErrorKind};
use std::time::Duration;

/// The longest `Retry-After` that is heeded.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(5 * 60);

/// How a stream that broke off is joined again.
///
/// Before attempt `n`, counted from 0, a random part of `base` × 2ⁿ, but of `cap` at most, is
/// waited for, or what the server's `Retry-After` asks for if that is longer. The count starts again
/// only with an event that had not come before: a server that takes connections and sends nothing is
/// given up too.
///
/// # Examples
/// ```
/// use turnwire::client::Reconnect;
/// assert_eq!(Reconnect::NEVER.attempts, 0);
/// assert!(Reconnect::default().attempts > 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reconnect {
    /// Attempts without progress before it is given up. 10.
    pub attempts: u32,
    /// Longest wait before the first attempt. Half a second.
    pub base: Duration,
    /// Longest wait before any attempt. 15 seconds.
    pub cap: Duration,
}

impl Reconnect {
    /// A stream that breaks off ends with its error.
    pub const NEVER: Self = Self { attempts: 0, base: Duration::ZERO, cap: Duration::ZERO };
}

impl Default for Reconnect {
    fn default() -> Self {
        Self { attempts: 10, base: Duration::from_millis(500), cap: Duration::from_secs(15) }
    }
}

/// The attempts since the last progress.
#[derive(Debug)]
pub(super) struct Backoff {
    policy: Reconnect,
    attempts: u32,
}

impl Backoff {
    pub(super) fn new(policy: Reconnect) -> Self {
        Self { policy, attempts: 0 }
    }

    /// An event came that had not come before.
    pub(super) fn progress(&mut self) {
        self.attempts = 0;
    }

    /// The number of the next attempt, from 1, and how long to wait for it; none once it is to be
    /// given up.
    pub(super) fn next<T: Transport>(
        &mut self,
        transport: &T,
        after: &Error,
    ) -> Option<(u32, Duration)> {
        if self.attempts == self.policy.attempts {
            return None;
        }
        let doubled = self.policy.base.saturating_mul(2_u32.saturating_pow(self.attempts));
        self.attempts += 1;
        let wait = doubled.min(self.policy.cap).mul_f64(transport.jitter());
        let asked = after.http().and_then(|details| details.retry_after).unwrap_or_default();
        Some((self.attempts, wait.max(asked.min(MAX_RETRY_AFTER))))
    }
}

/// Whether joining again can help after this error of a stream, or of joining it.
///
/// # Protocol
/// Our choice: a status of 4xx is final but for 408, 425 and 429, which say "later".
pub(super) fn can_rejoin(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::Network
        | ErrorKind::ConnectTimeout
        | ErrorKind::IdleTimeout
        | ErrorKind::StreamInterrupted
        | ErrorKind::FrameTruncated
        // Where tokens come from may be out of reach for as long as the server is.
        | ErrorKind::HeadersFailed
        // A proxy's page in the server's place.
        | ErrorKind::UnexpectedContentType => true,
        ErrorKind::Http => error.status().is_some_and(|status| {
            matches!(status, 408 | 425 | 429) || status >= 500
        }),
        _ => false,
    }
}

/// Whether the server wants nothing more from this client, and says why.
pub(super) fn is_refusal(error: &Error) -> bool {
    error.kind() == ErrorKind::Aborted || matches!(error.status(), Some(401 | 403))
}
