//! What ends an exchange from outside: the caller's switch and the clocks.

use super::cancel::{CancelToken, Cancelled};
use super::timeouts::Timeouts;
use super::transport::Transport;
use crate::{Error, ErrorKind, Result};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// Watches over one exchange. What has arrived wins over a clock that ran out meanwhile; the
/// caller's switch wins over both.
pub(super) struct Watch<T: Transport> {
    transport: Arc<T>,
    cancelled: Option<Cancelled>,
    total: Option<T::Sleep>,
    idle: Option<T::Sleep>,
    idle_limit: Option<Duration>,
}

impl<T: Transport> Watch<T> {
    /// Starts the clock of the whole exchange.
    ///
    /// # Errors
    /// `aborted` where the caller's switch is switched already.
    pub(super) fn start(
        transport: Arc<T>,
        cancel: Option<&CancelToken>,
        timeouts: &Timeouts,
    ) -> Result<Self> {
        if cancel.is_some_and(CancelToken::is_cancelled) {
            return Err(aborted());
        }
        let total = timeouts.total.map(|limit| transport.sleep(limit));
        Ok(Self {
            transport,
            cancelled: cancel.map(CancelToken::cancelled),
            total,
            idle: None,
            idle_limit: timeouts.idle,
        })
    }

    /// Waits for the response's head.
    ///
    /// # Errors
    /// `aborted`, `total-timeout`, `connect-timeout`, and what the future itself ends with.
    pub(super) async fn head<R>(
        &mut self,
        limit: Option<Duration>,
        future: impl Future<Output = Result<R>>,
    ) -> Result<R> {
        let transport = self.transport.clone();
        let late = "the server did not answer in time";
        let mut future = pin!(in_time(&*transport, limit, late, future));
        poll_fn(|cx| match self.poll_stop(cx) {
            Poll::Ready(stop) => Poll::Ready(Err(stop)),
            Poll::Pending => future.as_mut().poll(cx),
        })
        .await
    }

    /// Ready when the exchange has to end whatever has arrived.
    pub(super) fn poll_stop(&mut self, cx: &mut Context<'_>) -> Poll<Error> {
        if expired(self.cancelled.as_mut(), cx).is_ready() {
            return Poll::Ready(aborted());
        }
        expired(self.total.as_mut(), cx)
            .map(|()| Error::new(ErrorKind::TotalTimeout, "the exchange took too long"))
    }

    /// Ready when nothing has arrived for too long.
    pub(super) fn poll_idle(&mut self, cx: &mut Context<'_>) -> Poll<Error> {
        if self.idle.is_none() {
            self.idle = self.idle_limit.map(|limit| self.transport.sleep(limit));
        }
        expired(self.idle.as_mut(), cx)
            .map(|()| Error::new(ErrorKind::IdleTimeout, "no byte came for too long"))
    }

    /// Says that something has arrived.
    pub(super) fn touch(&mut self) {
        self.idle = None;
    }

    /// Shortens the time without a byte, unless none is set, and gives it.
    pub(super) fn limit_idle(&mut self, limit: Duration) -> Option<Duration> {
        self.idle_limit = self.idle_limit.map(|idle| idle.min(limit));
        self.idle_limit
    }

    /// Gives all that is left to come this long, and no idle time beside it.
    pub(super) fn limit_rest(&mut self, limit: Duration) {
        self.total = Some(self.transport.sleep(limit));
        self.idle = None;
        self.idle_limit = None;
    }
}

/// Waits no longer than this.
///
/// # Errors
/// `connect-timeout`, and what the future itself ends with.
pub(super) async fn in_time<T: Transport, R>(
    transport: &T,
    limit: Option<Duration>,
    late: &str,
    future: impl Future<Output = Result<R>>,
) -> Result<R> {
    let mut clock = limit.map(|limit| transport.sleep(limit));
    let mut future = pin!(future);
    poll_fn(|cx| {
        if let Poll::Ready(result) = future.as_mut().poll(cx) {
            return Poll::Ready(result);
        }
        expired(clock.as_mut(), cx).map(|()| Err(Error::new(ErrorKind::ConnectTimeout, late)))
    })
    .await
}

pub(super) fn expired<F: Future<Output = ()> + Unpin>(
    clock: Option<&mut F>,
    cx: &mut Context<'_>,
) -> Poll<()> {
    clock.map_or(Poll::Pending, |clock| Pin::new(clock).poll(cx))
}

fn aborted() -> Error {
    Error::new(ErrorKind::Aborted, "stopped by the caller")
}
