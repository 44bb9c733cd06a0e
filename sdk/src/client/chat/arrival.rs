//! Whether a turn's events come as they happen, or all at once after a while.

use crate::chat::Diagnostic;
use crate::client::Transport;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::time::Duration;

/// A turn that takes longer than this shows something before its end.
const LONG: Duration = Duration::from_secs(5);

/// Fewer events at once are nothing special.
const MANY: u64 = 3;

/// Watches how the frames of one stream arrive.
pub(super) struct Arrival<T: Transport> {
    long: T::Sleep,
    /// Whether the first frame took long.
    was_late: bool,
    frames: u64,
    /// Whether there was a pause since the last frame.
    paused: bool,
    /// Whether all frames so far were there at once.
    at_once: bool,
}

impl<T: Transport> Arrival<T> {
    pub(super) fn new(transport: &T) -> Self {
        let long = transport.sleep(LONG);
        Self { long, was_late: false, frames: 0, paused: false, at_once: true }
    }

    /// Waits for the next frame.
    pub(super) async fn watch<F: Future>(&mut self, frame: F) -> F::Output {
        let mut frame = pin!(frame);
        poll_fn(|cx| {
            if self.frames == 0 && !self.was_late {
                self.was_late = Pin::new(&mut self.long).poll(cx).is_ready();
            }
            let output = frame.as_mut().poll(cx);
            self.paused |= output.is_pending();
            output
        })
        .await
    }

    /// Says that it came.
    pub(super) fn came(&mut self) {
        self.at_once &= self.frames == 0 || !self.paused;
        self.frames += 1;
        self.paused = false;
    }

    /// What to think of it now that the turn is over.
    pub(super) fn end(&self) -> Option<Diagnostic> {
        let is_odd = self.was_late && self.at_once && self.frames >= MANY;
        is_odd.then_some(Diagnostic::Buffered { frames: self.frames })
    }
}
