//! How often subscribers hear of a stream: at once, then at most once a frame.

use super::transport::Transport;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

/// A frame of a screen that draws 60 a second.
const FRAME: Duration = Duration::from_millis(16);

/// Publishes the state that a stream's events lead to: the first event at once, those that come
/// within a frame of it together, and the last ones when this is dropped.
pub(super) struct Pace<'a, T: Transport, P: Fn() -> bool> {
    transport: &'a T,
    /// Publishes what there is; true if it is news.
    publish: P,
    /// Runs while subscribers are left alone.
    frame: Option<T::Sleep>,
}

impl<'a, T: Transport, P: Fn() -> bool> Pace<'a, T, P> {
    pub(super) fn new(transport: &'a T, publish: P) -> Self {
        Self { transport, publish, frame: None }
    }

    /// Says that the state was changed.
    pub(super) fn changed(&mut self) {
        if self.frame.is_none() && (self.publish)() {
            self.frame = Some(self.transport.sleep(FRAME));
        }
    }

    /// Waits for a future and publishes meanwhile.
    pub(super) async fn until<F: Future>(&mut self, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|cx| {
            // What has arrived comes first: it may be published with what waits.
            if let Poll::Ready(output) = future.as_mut().poll(cx) {
                return Poll::Ready(output);
            }
            self.poll_frame(cx);
            Poll::Pending
        })
        .await
    }

    fn poll_frame(&mut self, cx: &mut Context<'_>) {
        while let Some(frame) = &mut self.frame {
            if Pin::new(frame).poll(cx).is_pending() {
                return;
            }
            self.frame = None;
            self.changed();
        }
    }
}

impl<T: Transport, P: Fn() -> bool> Drop for Pace<'_, T, P> {
    fn drop(&mut self) {
        (self.publish)();
    }
}
