//! What is under way in a chat, and how to end it.

use crate::client::CancelToken;
use crate::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The stream and the verdicts under way.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Ends every request but the stream.
    pub(super) lifetime: CancelToken,
    under_way: Mutex<UnderWay>,
}

#[derive(Debug, Default)]
struct UnderWay {
    stream: Option<(u64, CancelToken)>,
    streams: u64,
    /// The stream that the person stopped.
    stopped: Option<u64>,
    flights: HashMap<String, Arc<Flight>>,
}

/// A verdict on its way: whoever gives the same one waits for the first.
#[derive(Debug, Default)]
struct Flight {
    landed: CancelToken,
    outcome: Mutex<Option<Result<()>>>,
}

impl Control {
    pub(super) fn ensure_open(&self) -> Result<()> {
        if self.lifetime.is_cancelled() {
            return Err(Error::new(ErrorKind::Closed, "the chat was closed"));
        }
        Ok(())
    }

    pub(super) fn is_streaming(&self) -> bool {
        self.lock().stream.is_some()
    }

    /// Gives the new stream its number and its switch. One whose turn has ended may still be open:
    /// it is cancelled, so that nothing of it reaches the new turn.
    pub(super) fn begin_stream(&self) -> (u64, CancelToken) {
        self.stop_stream();
        let mut under_way = self.lock();
        under_way.streams += 1;
        let stream = (under_way.streams, CancelToken::new());
        under_way.stream = Some(stream.clone());
        stream
    }

    /// True if this stream was the current one.
    pub(super) fn end_stream(&self, number: u64) -> bool {
        self.lock().stream.take_if(|(current, _)| *current == number).is_some()
    }

    pub(super) fn stop_stream(&self) {
        let stream = self.lock().stream.clone();
        if let Some((_, token)) = stream {
            token.cancel();
        }
    }

    /// Stops the stream for the person, who wants its turn to end.
    pub(super) fn stop_turn(&self) {
        let mut under_way = self.lock();
        under_way.stopped = under_way.stream.as_ref().map(|(number, _)| *number);
        drop(under_way);
        self.stop_stream();
    }

    /// Whether the person stopped the stream of this number.
    pub(super) fn is_stopped(&self, number: u64) -> bool {
        self.lock().stopped == Some(number)
    }

    pub(super) fn close(&self) {
        self.lifetime.cancel();
        self.stop_stream();
    }

    pub(super) fn begin_flight(&self, id: &str) {
        self.lock().flights.insert(id.to_owned(), Arc::default());
    }

    pub(super) fn is_in_flight(&self, id: &str) -> bool {
        self.lock().flights.contains_key(id)
    }

    pub(super) fn end_flight(&self, id: &str, outcome: Result<()>) {
        let flight = self.lock().flights.remove(id);
        if let Some(flight) = flight {
            *flight.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            flight.landed.cancel();
        }
    }

    /// Waits for the verdict that is on its way for this id.
    pub(super) async fn join(&self, id: &str) -> Result<()> {
        let flight = self.lock().flights.get(id).cloned();
        let Some(flight) = flight else { return Ok(()) };
        flight.landed.cancelled().await;
        let outcome = flight.outcome.lock().unwrap_or_else(PoisonError::into_inner).clone();
        outcome.unwrap_or(Ok(()))
    }

    fn lock(&self) -> MutexGuard<'_, UnderWay> {
        // Every change under the lock is complete in itself, so a poisoned one is still sound.
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
