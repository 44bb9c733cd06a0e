//! The events of one streamed turn.

use super::body::WatchedBody;
use super::transport::{Headers, Transport};
use crate::chat::Diagnostic;
use crate::loopengine::{EventFrame, LoopEvent, Received, SseEvents};
use crate::{Error, ErrorKind, Limits, Result};
use bytes::Bytes;
use futures_core::Stream;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// How long the server may take to close the response after the turn's last event.
const LINGER: Duration = Duration::from_millis(250);

/// How long a server may be silent that names its turns: three of its heartbeats.
///
/// # Protocol
/// Our choice: Turnwire's server sends a comment after 15 seconds without an event.
const HEARTBEATS: Duration = Duration::from_secs(45);

/// The events of one turn as they arrive, exactly as sent.
///
/// A frame that is no event comes out as [`Received::Damaged`], in its place, and the stream goes
/// on. The turn's last event is `done` or `error`: what a server sends behind it is not read as
/// events, and a connection that breaks then is no fault, as the turn is over. The server gets a
/// quarter of a second to end its response, so that the connection can be used again; then the
/// stream ends.
///
/// # Protocol
/// loopengine Protocol v1, "Server-sent events": a turn ends with exactly one `done`, or with
/// `error`. A stream that ends without either is an error here, never a quiet end.
///
/// # Errors
/// At most one, the last item: `stream-interrupted`, `frame-truncated`, `frame-too-large`,
/// `network`, `idle-timeout`, `total-timeout`, `aborted`. Events that had arrived whole come out
/// before it, except after `aborted` and `total-timeout`, which take effect at once.
///
/// # Cancellation
/// Dropping it cancels the request; the turn goes on at the server.
pub struct EventStream<T: Transport> {
    body: Option<WatchedBody<T>>,
    events: SseEvents,
    state: State,
    turn_id: Option<String>,
    heartbeat_limit: Option<Duration>,
    diagnostics: Vec<Diagnostic>,
}

/// Invariant: the stream has a body exactly while it is not over.
enum State {
    Reading,
    /// No more bytes are taken: what is decoded comes out, then the error.
    Draining(Error),
    /// The turn is over, the response is not.
    Lingering,
    Over,
}

impl<T: Transport> EventStream<T> {
    pub(super) fn new(headers: &Headers, mut body: WatchedBody<T>, limits: &Limits) -> Self {
        let turn_id = headers.get("x-turnwire-turn").map(str::to_owned);
        let heartbeat_limit = turn_id.as_ref().and_then(|_| body.watch().limit_idle(HEARTBEATS));
        // A shorter limit of the caller's own proves nothing.
        let heartbeat_limit = heartbeat_limit.filter(|limit| *limit >= HEARTBEATS);
        Self {
            body: Some(body),
            events: SseEvents::new(limits),
            state: State::Reading,
            turn_id,
            heartbeat_limit,
            diagnostics: problems_of(headers),
        }
    }

    /// How long nothing at all may come, where the server sends heartbeats.
    pub(super) fn heartbeat_limit(&self) -> Option<Duration> {
        self.heartbeat_limit
    }

    /// What is wrong with the response's headers.
    pub(super) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics)
    }

    /// Id under which the server keeps the turn's events, where it does: a Turnwire server says it
    /// in the header `x-turnwire-turn`.
    #[must_use]
    pub fn turn_id(&self) -> Option<&str> {
        self.turn_id.as_deref()
    }

    /// The next event; `None` once the turn is over or after an error.
    ///
    /// # Errors
    /// Those of the stream.
    ///
    /// # Cancellation
    /// Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<Result<EventFrame>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    fn poll_body(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes>>> {
        match &mut self.body {
            Some(body) => body.poll_chunk(cx),
            None => Poll::Ready(None),
        }
    }

    fn poll_stop(&mut self, cx: &mut Context<'_>) -> Poll<Error> {
        match &mut self.body {
            Some(body) => body.watch().poll_stop(cx),
            None => Poll::Pending,
        }
    }

    /// Takes what the body holds next.
    fn take(&mut self, chunk: Option<Result<Bytes>>) {
        let fault = match chunk {
            Some(Ok(chunk)) => self.events.push(&chunk).err(),
            Some(Err(error)) => Some(error),
            None => Some(self.events.finish().err().unwrap_or_else(interrupted)),
        };
        if let Some(error) = fault {
            self.state = State::Draining(error);
        }
    }

    /// After the turn's last event nothing else is handed over.
    fn end_turn(&mut self) {
        match &mut self.body {
            Some(body) if matches!(self.state, State::Reading) => {
                body.watch().limit_rest(LINGER);
                self.state = State::Lingering;
            }
            _ => self.close(),
        }
    }

    fn close(&mut self) {
        self.state = State::Over;
        self.body = None;
    }

    fn fail(&mut self, error: Error) -> Poll<Option<Result<EventFrame>>> {
        self.close();
        Poll::Ready(Some(Err(error)))
    }
}

impl<T: Transport> Stream for EventStream<T> {
    type Item = Result<EventFrame>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let stream = self.get_mut();
        loop {
            match stream.state {
                State::Over => return Poll::Ready(None),
                State::Lingering => {
                    if !matches!(ready!(stream.poll_body(cx)), Some(Ok(_))) {
                        stream.close();
                    }
                    continue;
                }
                State::Reading | State::Draining(_) => {}
            }
            if let Poll::Ready(stop) = stream.poll_stop(cx) {
                return stream.fail(stop);
            }
            if let Some(frame) = stream.events.poll() {
                if ends_turn(&frame.received) {
                    stream.end_turn();
                }
                return Poll::Ready(Some(Ok(frame)));
            }
            if let State::Draining(error) = &stream.state {
                let error = error.clone();
                return stream.fail(error);
            }
            let chunk = ready!(stream.poll_body(cx));
            stream.take(chunk);
        }
    }
}

impl<T: Transport> fmt::Debug for EventStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream")
            .field("turn_id", &self.turn_id)
            .field("open", &self.body.is_some())
            .finish_non_exhaustive()
    }
}

fn ends_turn(received: &Received) -> bool {
    matches!(received.as_event(), Some(LoopEvent::Done(_) | LoopEvent::Error(_)))
}

/// Headers that make caches or proxies hold a stream back.
fn problems_of(headers: &Headers) -> Vec<Diagnostic> {
    let header = |name: &str| headers.get(name).map(str::to_ascii_lowercase);
    let is_kept = header("cache-control")
        .is_some_and(|value| !(value.contains("no-cache") || value.contains("no-store")));
    let is_coded = header("content-encoding").is_some_and(|value| value != "identity");
    let found = [
        (is_kept, "cache-control", "allows caches to keep it: expected no-cache"),
        (is_coded, "content-encoding", "compresses it, which holds events back"),
        (header("content-length").is_some(), "content-length", "shows that it was collected"),
    ];
    let problem = |(_, header, problem): (bool, &str, &str)| Diagnostic::Headers {
        header: header.to_owned(),
        problem: problem.to_owned(),
    };
    found.into_iter().filter(|(is_found, ..)| *is_found).map(problem).collect()
}

fn interrupted() -> Error {
    Error::new(ErrorKind::StreamInterrupted, "the stream ended before the turn did")
}
