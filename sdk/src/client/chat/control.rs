//! What is under way in a chat, and how to end it.

use crate::client::CancelToken;
use crate::{Error, ErrorKind, Result};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The stream and the verdicts under way.
#[derive(Debug)]
pub(super) struct Control {
    /// Ends every request but the stream.
    pub(super) lifetime: CancelToken,
    under_way: Mutex<UnderWay>,
}

#[derive(Debug)]
struct UnderWay {
    stream: Option<Switches>,
    streams: u64,
    /// How often a session was asked for: only the latest answer counts.
    loads: u64,
    /// Whether the server has named a turn, and so knows how to join it again.
    names_turns: bool,
    /// Whether a stream of this chat's own is being read.
    reading: bool,
    /// Whether it is being found out how the session stands.
    looking: bool,
    /// Ids of the items whose copy is kept.
    kept: HashSet<String>,
    flights: HashMap<String, Arc<Flight>>,
}

/// What the stream of a turn can be told. Each is a switch that works once.
#[derive(Debug, Clone)]
pub(super) struct Switches {
    pub(super) number: u64,
    /// The owner goes away: every request ends.
    pub(super) abort: CancelToken,
    /// The person wants the turn to end.
    pub(super) stop: CancelToken,
    /// The line may be dead: join the turn anew, at once.
    pub(super) hurry: CancelToken,
}

/// A verdict on its way: whoever gives the same one waits for the first.
#[derive(Debug, Default)]
struct Flight {
    landed: CancelToken,
    outcome: Mutex<Option<Result<()>>>,
}

impl Default for Control {
    fn default() -> Self {
        let under_way = UnderWay {
            stream: None,
            streams: 0,
            loads: 0,
            names_turns: false,
            reading: false,
            looking: false,
            kept: HashSet::new(),
            flights: HashMap::new(),
        };
        Self { lifetime: CancelToken::new(), under_way: Mutex::new(under_way) }
    }
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

    pub(super) fn has_named_turns(&self) -> bool {
        self.lock().names_turns
    }

    pub(super) fn note_named_turn(&self, is_named: bool) {
        self.lock().names_turns |= is_named;
    }

    /// True if these are others than before.
    pub(super) fn note_kept(&self, ids: HashSet<String>) -> bool {
        let mut under_way = self.lock();
        let is_new = under_way.kept != ids;
        under_way.kept = ids;
        is_new
    }

    /// Nothing where it is being found out already how the session stands.
    pub(super) fn begin_look(&self) -> Option<Looking<'_>> {
        let was_looking = std::mem::replace(&mut self.lock().looking, true);
        (!was_looking).then(|| Looking(self))
    }

    pub(super) fn is_reading(&self) -> bool {
        self.lock().reading
    }

    /// Gives the new stream its switches. One whose turn has ended may still be open: it is
    /// aborted, so that nothing of it reaches the new turn, unless it is about to tell the server to
    /// stop.
    pub(super) fn begin_stream(&self) -> Switches {
        let mut under_way = self.lock();
        let before = under_way.stream.take();
        under_way.streams += 1;
        let number = under_way.streams;
        let [abort, stop, hurry] = [0; 3].map(|_| CancelToken::new());
        let switches = Switches { number, abort, stop, hurry };
        under_way.stream = Some(switches.clone());
        drop(under_way);
        if let Some(before) = before.filter(|before| !before.stop.is_cancelled()) {
            before.abort.cancel();
        }
        switches
    }

    /// True if this stream was the current one.
    pub(super) fn end_stream(&self, number: u64) -> bool {
        self.lock().stream.take_if(|current| current.number == number).is_some()
    }

    /// Stops the stream for the person, who wants its turn to end.
    pub(super) fn stop_turn(&self) {
        let stream = self.lock().stream.clone();
        if let Some(stream) = stream {
            stream.stop.cancel();
        }
    }

    /// Has the stream joined anew, at once.
    pub(super) fn hurry(&self) {
        let stream = self.lock().stream.clone();
        if let Some(stream) = stream {
            stream.hurry.cancel();
        }
    }

    /// A new switch in the place of one that has done its work.
    pub(super) fn renew_hurry(&self, switches: &mut Switches) {
        if !switches.hurry.is_cancelled() {
            return;
        }
        switches.hurry = CancelToken::new();
        let mut under_way = self.lock();
        let current = under_way.stream.as_mut().filter(|stream| stream.number == switches.number);
        if let Some(stream) = current {
            stream.hurry = switches.hurry.clone();
        }
    }

    /// Ends the reading of a stream whose turn is over.
    pub(super) fn abort_stream(&self) {
        let stream = self.lock().stream.clone();
        if let Some(stream) = stream {
            stream.abort.cancel();
        }
    }

    pub(super) fn close(&self) {
        self.lifetime.cancel();
        self.abort_stream();
    }

    /// The number of a question for a session.
    pub(super) fn begin_load(&self) -> u64 {
        let mut under_way = self.lock();
        under_way.loads += 1;
        under_way.loads
    }

    /// Whether no later question was asked.
    pub(super) fn is_latest_load(&self, number: u64) -> bool {
        self.lock().loads == number
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

/// Says that a stream of this chat's own is being read, until it is dropped.
pub(super) struct Reading<'a>(&'a Control);

impl<'a> Reading<'a> {
    pub(super) fn begin(control: &'a Control) -> Self {
        control.lock().reading = true;
        Self(control)
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.0.lock().reading = false;
    }
}

/// Says that it is being found out how the session stands, until it is dropped.
pub(super) struct Looking<'a>(&'a Control);

impl Drop for Looking<'_> {
    fn drop(&mut self) {
        self.0.lock().looking = false;
    }
}
