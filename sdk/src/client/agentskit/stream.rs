//! The events of one turn, line by line.

use crate::agentskit::{Diagnostic, SafeId, TurnEvent, TurnPayload, TurnStatus, decode_turn_event};
use crate::client::body::WatchedBody;
use crate::client::transport::Transport;
use crate::wire::ndjson::{LineParser, NdjsonLine};
use crate::{Error, ErrorKind, Limits, Result};
use futures_core::Stream;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// How long a server may be silent between the turn's last event and the end of the response.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: it cleans up first, in three steps of at most
/// five seconds each. The session is free only then.
const CLEAN_UP: Duration = Duration::from_secs(15);

/// One line of a turn's stream.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnLine {
    /// The event, or why the line is none.
    pub event: std::result::Result<TurnEvent, Diagnostic>,
    /// Its number among all lines of the response, the first being 1.
    pub number: u64,
    /// Bytes from the start of the response.
    pub position: u64,
}

/// The events of one turn as they arrive.
///
/// A line that is no event comes out as such, in its place, and the stream goes on. So do events of
/// other turns and sessions: a [`SnapshotCursor`](crate::agentskit::SnapshotCursor) tells which
/// change anything.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: the last event of a turn is a snapshot with the
/// status `complete` or `error`, or a diagnostic. A response that ends without is an error here,
/// never a quiet end; one that breaks behind it is none, as the turn is over.
///
/// # Errors
/// At most one, the last item: `stream-interrupted`, `frame-truncated`, `frame-too-large`,
/// `network`, `idle-timeout`, `total-timeout`, `aborted`. Events that had arrived whole come out
/// before it, except after `aborted` and `total-timeout`, which take effect at once.
///
/// # Cancellation
/// Dropping it cancels the request; a server that notices ends the turn.
pub struct TurnStream<T: Transport> {
    /// Nothing once the stream is over.
    body: Option<WatchedBody<T>>,
    lines: LineParser,
    /// What ends the stream behind the lines that were complete before.
    failure: Option<Error>,
    ending: Ending,
}

/// Whether a turn has had its last event.
struct Ending {
    session_id: SafeId,
    turn_id: SafeId,
    /// The highest number of its snapshots.
    sequence: u64,
    is_over: bool,
}

impl<T: Transport> TurnStream<T> {
    pub(super) fn new(submission: &TurnEvent, body: WatchedBody<T>, limits: &Limits) -> Self {
        Self {
            body: Some(body),
            lines: LineParser::new(limits.max_frame_bytes),
            failure: None,
            ending: Ending {
                session_id: submission.session_id.clone(),
                turn_id: submission.turn_id.clone(),
                sequence: 0,
                is_over: false,
            },
        }
    }

    /// The next line; `None` once the turn is over or after an error.
    ///
    /// # Errors
    /// Those of the stream.
    ///
    /// # Cancellation
    /// Dropping the future loses no line.
    pub async fn next(&mut self) -> Option<Result<TurnLine>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    fn decode(&mut self, line: NdjsonLine) -> TurnLine {
        let event = decode_turn_event(line.text.as_str());
        if let Ok(event) = &event {
            self.ending.note(event);
        }
        if let (true, Some(body)) = (self.ending.is_over, &mut self.body) {
            body.watch().limit_idle(CLEAN_UP);
        }
        TurnLine { event, number: line.number, position: line.position }
    }

    /// What the end of the response brings: a last line without its line end, or the turn's end.
    fn finish(&mut self) -> Option<Result<TurnLine>> {
        self.lines.finish();
        let Some(tail) = self.lines.poll() else { return self.end(interrupted()) };
        let line = self.decode(tail);
        if line.event.is_err() {
            return self.end(truncated(&line));
        }
        self.failure = Some(interrupted());
        Some(Ok(line))
    }

    /// Ends with an error, unless the turn was over.
    fn end(&mut self, error: Error) -> Option<Result<TurnLine>> {
        self.body = None;
        (!self.ending.is_over).then_some(Err(error))
    }
}

impl<T: Transport> Stream for TurnStream<T> {
    type Item = Result<TurnLine>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let stream = self.get_mut();
        loop {
            let Some(body) = &mut stream.body else { return Poll::Ready(None) };
            if let Poll::Ready(stop) = body.watch().poll_stop(cx) {
                return Poll::Ready(stream.end(stop));
            }
            if let Some(line) = stream.lines.poll() {
                return Poll::Ready(Some(Ok(stream.decode(line))));
            }
            if let Some(error) = stream.failure.take() {
                return Poll::Ready(stream.end(error));
            }
            match ready!(body.poll_chunk(cx)) {
                Some(Ok(chunk)) => stream.failure = stream.lines.push(&chunk).err(),
                Some(Err(error)) => return Poll::Ready(stream.end(error)),
                None => return Poll::Ready(stream.finish()),
            }
        }
    }
}

impl<T: Transport> fmt::Debug for TurnStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnStream")
            .field("turn_id", &self.ending.turn_id)
            .field("open", &self.body.is_some())
            .finish_non_exhaustive()
    }
}

impl Ending {
    fn note(&mut self, event: &TurnEvent) {
        if event.session_id != self.session_id || event.turn_id != self.turn_id {
            return;
        }
        match &event.payload {
            TurnPayload::Diagnostic(_) => self.is_over = true,
            TurnPayload::Snapshot(snapshot) if event.sequence >= self.sequence => {
                self.sequence = event.sequence;
                self.is_over = matches!(snapshot.status, TurnStatus::Complete | TurnStatus::Error);
            }
            TurnPayload::Snapshot(_) | TurnPayload::Submit(_) => {}
        }
    }
}

fn interrupted() -> Error {
    Error::new(ErrorKind::StreamInterrupted, "the stream ended before the turn did")
}

fn truncated(line: &TurnLine) -> Error {
    Error::new(ErrorKind::FrameTruncated, "the stream ended within a line")
        .at(line.position)
        .on_line(line.number)
}
