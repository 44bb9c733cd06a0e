//! Bytes of a transport → events, the same for server-sent events and newline-delimited JSON.

use super::decode::Received;
use crate::wire::ndjson::{LineParser, NdjsonLine};
use crate::wire::sse::{SseFrame, SseParser};
use crate::{Error, ErrorKind, Limits, Result};

/// One event as a stream delivered it.
#[derive(Debug, Clone)]
pub struct EventFrame {
    /// The event, or its remains.
    pub received: Received,
    /// Its JSON exactly as sent.
    pub json: String,
    /// The frame's own id, where the stream numbers its frames.
    pub id: Option<String>,
    /// Absolute byte offset at which the frame began.
    pub position: u64,
}

/// Push decoder of an event stream.
///
/// # Errors
/// `frame-too-large` from [`push`](Self::push), final until [`reset`](Self::reset);
/// `frame-truncated` from [`finish`](Self::finish). A frame that is no event is not an error of the
/// stream: it comes out as [`Received::Damaged`].
///
/// # Examples
/// ```
/// use turnwire::{Limits, loopengine::SseEvents};
/// let mut events = SseEvents::new(&Limits::default());
/// events.push(b"event: done\r\ndata: {\"type\":\"done\",\"te").unwrap();
/// assert!(events.poll().is_none());
/// events.push(b"xt\":\"Hi\"}\r\n\r\n").unwrap();
/// assert_eq!(events.poll().unwrap().json, r#"{"type":"done","text":"Hi"}"#);
/// ```
#[derive(Debug)]
pub struct SseEvents {
    parser: SseParser,
    tail: Option<EventFrame>,
}

/// Push decoder of newline-delimited JSON, as `run --json` prints it.
///
/// Lines that are no JSON object are reported as [`Received::Damaged`] with their line number; the
/// original command mixes prompts for people into its output.
///
/// # Errors
/// As for [`SseEvents`].
#[derive(Debug)]
pub struct NdjsonEvents {
    parser: LineParser,
}

impl SseEvents {
    /// A decoder at the start of a stream.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self { parser: SseParser::new(limits.max_frame_bytes), tail: None }
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// `frame-too-large`.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.parser.push(bytes)
    }

    /// The next complete event, if there is one.
    pub fn poll(&mut self) -> Option<EventFrame> {
        self.parser.poll().map(event_frame).or_else(|| self.tail.take())
    }

    /// Says that the stream ended cleanly; a last frame without its blank line still counts if its
    /// JSON is whole.
    ///
    /// # Errors
    /// `frame-truncated` if the stream ended inside a frame.
    pub fn finish(&mut self) -> Result<()> {
        let Some(frame) = self.parser.finish() else {
            return Ok(());
        };
        let frame = event_frame(frame);
        if let Received::Damaged(damaged) = &frame.received
            && damaged.error.kind() == ErrorKind::InvalidJson
        {
            return Err(truncated(frame.position));
        }
        self.tail = Some(frame);
        Ok(())
    }

    /// Starts over, as for a new stream.
    pub fn reset(&mut self) {
        self.parser.reset();
        self.tail = None;
    }
}

impl NdjsonEvents {
    /// A decoder at the start of a stream.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self { parser: LineParser::new(limits.max_frame_bytes) }
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// `frame-too-large`.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.parser.push(bytes)
    }

    /// The next complete event, if there is one.
    pub fn poll(&mut self) -> Option<EventFrame> {
        self.parser.poll().map(event_line)
    }

    /// Says that the stream ended cleanly; a last line without its line end counts as a line.
    pub fn finish(&mut self) {
        self.parser.finish();
    }

    /// Starts over, as for a new stream.
    pub fn reset(&mut self) {
        self.parser.reset();
    }
}

fn event_frame(frame: SseFrame) -> EventFrame {
    let name = (frame.event != "message").then_some(frame.event.as_str());
    let received =
        located(Received::from_text(&frame.data, name), |error| error.at(frame.position));
    EventFrame { received, json: frame.data, id: frame.id, position: frame.position }
}

fn event_line(line: NdjsonLine) -> EventFrame {
    let received =
        located(Received::from_text(&line.text, None), |error| error.on_line(line.number));
    EventFrame { received, json: line.text, id: None, position: line.position }
}

fn located(received: Received, locate: impl FnOnce(Error) -> Error) -> Received {
    match received {
        Received::Damaged(mut damaged) => {
            damaged.error = locate(damaged.error);
            Received::Damaged(damaged)
        }
        sound @ Received::Event(_) => sound,
    }
}

fn truncated(position: u64) -> Error {
    Error::new(ErrorKind::FrameTruncated, "the stream ended in the middle of a frame").at(position)
}
