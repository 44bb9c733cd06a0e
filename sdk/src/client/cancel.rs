//! Stopping a request from outside.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A switch that stops every request it was given to, once and for good.
///
/// Clones share one switch. Dropping them all stops nothing.
///
/// # Cancellation
/// Once it is switched, a request that was not sent yet is not sent, and one under way ends with
/// `aborted` and is cancelled on the network the next time it is polled, which switching brings
/// about.
///
/// # Examples
/// ```
/// use turnwire::client::{CancelToken, RequestOptions};
/// let stop = CancelToken::new();
/// let options = RequestOptions { cancel: Some(stop.clone()), ..Default::default() };
/// stop.cancel();
/// assert!(options.cancel.is_some_and(|token| token.is_cancelled()));
/// ```
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<Mutex<Switch>>);

/// Invariant: once `cancelled` is set it stays set and nothing waits.
#[derive(Debug, Default)]
struct Switch {
    cancelled: bool,
    waiting: Vec<(u64, Waker)>,
    next_key: u64,
}

impl CancelToken {
    /// A switch that is not switched.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Switches it.
    pub fn cancel(&self) {
        let waiting = {
            let mut switch = self.lock();
            switch.cancelled = true;
            std::mem::take(&mut switch.waiting)
        };
        for (_, waker) in waiting {
            waker.wake();
        }
    }

    /// Whether it was switched.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }

    /// Done when it is switched.
    pub fn cancelled(&self) -> Cancelled {
        let mut switch = self.lock();
        switch.next_key += 1;
        Cancelled { token: self.clone(), key: switch.next_key }
    }

    fn lock(&self) -> MutexGuard<'_, Switch> {
        // Every change under the lock is complete in itself, so a poisoned one is still sound.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Switch {
    fn wait(&mut self, key: u64, waker: &Waker) {
        match self.waiting.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => known.clone_from(waker),
            None => self.waiting.push((key, waker.clone())),
        }
    }
}

/// The future of [`CancelToken::cancelled`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Cancelled {
    token: CancelToken,
    key: u64,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut switch = self.token.lock();
        if switch.cancelled {
            return Poll::Ready(());
        }
        switch.wait(self.key, cx.waker());
        Poll::Pending
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        let key = self.key;
        self.token.lock().waiting.retain(|(waiting, _)| *waiting != key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn wakes_each_waiter_once() {
        let count = Arc::new(Count::default());
        let waker = Waker::from(count.clone());
        let mut cx = Context::from_waker(&waker);
        let token = CancelToken::new();
        let (mut first, mut second) = (token.cancelled(), token.clone().cancelled());
        for _ in 0..3 {
            assert!(Pin::new(&mut first).poll(&mut cx).is_pending());
            assert!(Pin::new(&mut second).poll(&mut cx).is_pending());
        }
        token.cancel();
        token.cancel();
        assert_eq!(count.0.load(Ordering::Relaxed), 2);
        assert!(Pin::new(&mut first).poll(&mut cx).is_ready());
        assert!(token.is_cancelled());
    }

    #[test]
    fn forgets_a_waiter_that_is_dropped() {
        let token = CancelToken::new();
        let mut cx = Context::from_waker(Waker::noop());
        for _ in 0..100 {
            assert!(Pin::new(&mut token.cancelled()).poll(&mut cx).is_pending());
        }
        assert!(token.lock().waiting.is_empty());
    }
}
