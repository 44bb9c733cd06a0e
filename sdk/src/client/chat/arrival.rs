//! Whether a turn's events come as they happen, or all at once after a while.

use crate::chat::Diagnostic;
use crate::client::Transport;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Context;
use std::time::Duration;

/// A turn that takes longer than this shows something before its end.
const LONG: Duration = Duration::from_secs(5);

/// Fewer events at once are nothing special.
const MANY: u64 = 3;

/// Watches how the frames of one stream arrive.
pub(super) struct Arrival<'a, T: Transport> {
    transport: &'a T,
    /// Runs while the first frame is waited for.
    long: Option<T::Sleep>,
    /// Whether the first frame took long.
    was_late: bool,
    frames: u64,
    /// Whether there was a pause since the last frame.
    paused: bool,
    /// Whether all frames so far were there at once.
    at_once: bool,
}

impl<'a, T: Transport> Arrival<'a, T> {
    pub(super) fn new(transport: &'a T) -> Self {
        let (long, was_late, frames) = (None, false, 0);
        Self { transport, long, was_late, frames, paused: false, at_once: true }
    }

    /// Waits for the next frame.
    pub(super) async fn watch<F: Future>(&mut self, frame: F) -> F::Output {
        let mut frame = pin!(frame);
        poll_fn(|cx| {
            self.poll_long(cx);
            let output = frame.as_mut().poll(cx);
            if output.is_pending() {
                self.wait(cx);
            }
            output
        })
        .await
    }

    fn wait(&mut self, cx: &mut Context<'_>) {
        self.paused = true;
        if self.frames == 0 && self.long.is_none() {
            self.long = Some(self.transport.sleep(LONG));
            self.poll_long(cx);
        }
    }

    fn poll_long(&mut self, cx: &mut Context<'_>) {
        if self.frames == 0
            && !self.was_late
            && let Some(long) = &mut self.long
        {
            self.was_late = Pin::new(long).poll(cx).is_ready();
        }
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
