//! Event streams (`text/event-stream`) as the WHATWG HTML standard interprets them.
//!
//! # Protocol
//! FRAME-01 to FRAME-13 of `sdk/PROTOCOL.md`. Source of those that are not our choice: [WHATWG
//! HTML, Living Standard of 18 June 2025, section 9.2.6 "Interpreting an event
//! stream"](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).

use std::collections::VecDeque;
use std::time::Duration;

use memchr::memchr2;

use super::utf8::BomFilter;
use crate::{Error, ErrorKind, Result};
use open::{OpenFrame, OpenLine};

mod open;
#[cfg(test)]
mod tests;

/// One frame: a run of lines that a blank line ended and that held data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseFrame {
    /// Its name; `message` where the stream gave none.
    pub event: String,
    /// Its data lines, joined with LF.
    pub data: String,
    /// The id that this very frame set, if it set one.
    ///
    /// An id stays in force for later frames: see [`SseParser::last_event_id`].
    pub id: Option<String>,
    /// Absolute byte offset at which the frame began: the first byte of its first line that is no
    /// comment.
    pub position: u64,
}

/// Push parser of an event stream.
///
/// Comments, unknown fields and frames without data yield nothing. Frames wait in the parser until
/// they are polled, so poll after every push.
///
/// # Units
/// `max_frame_bytes` bounds the bytes of a frame's lines as they came over the wire, each line end
/// but the last counted as one byte, comments not counted; a single comment line is held to the
/// same bound. Invalid UTF-8 can make the decoded text up to three times as long.
///
/// # Errors
/// `frame-too-large`, with the frame's position, from [`push`](Self::push). It is final: every
/// later push returns it again and nothing more comes out than the frames that were complete
/// before, until [`reset`](Self::reset).
///
/// # Examples
/// ```
/// use turnwire::wire::sse::SseParser;
///
/// let mut parser = SseParser::new(1024);
/// parser.push(b": hello\r\nevent: note\r\ndata: one\r")?;
/// parser.push(b"\ndata: two\r\n\r\n")?;
///
/// let frame = parser.poll().expect("a blank line came");
/// assert_eq!((frame.event.as_str(), frame.data.as_str()), ("note", "one\ntwo"));
/// assert_eq!(frame.position, 9);
/// assert_eq!(parser.poll(), None);
/// # Ok::<(), turnwire::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SseParser {
    max_frame_bytes: usize,
    keeps_tail: bool,
    bom: BomFilter,
    taken_bytes: u64,
    is_after_cr: bool,
    line: OpenLine,
    frame: OpenFrame,
    ready: VecDeque<SseFrame>,
    last_event_id: String,
    retry: Option<Duration>,
    failure: Option<Error>,
}

impl SseParser {
    /// A parser at the start of a stream that hands over a last frame without its blank line.
    #[must_use]
    pub fn new(max_frame_bytes: usize) -> Self {
        Self::at_start(max_frame_bytes, true)
    }

    /// A parser at the start of a stream that keeps to the standard at its end: a frame without its
    /// blank line is discarded.
    ///
    /// # Examples
    /// ```
    /// use turnwire::wire::sse::SseParser;
    ///
    /// let mut parser = SseParser::strict(1024);
    /// parser.push(b"data: whole\n\ndata: unfinished\n")?;
    /// assert_eq!(parser.poll().map(|frame| frame.data).as_deref(), Some("whole"));
    /// assert_eq!(parser.finish(), None);
    /// # Ok::<(), turnwire::Error>(())
    /// ```
    #[must_use]
    pub fn strict(max_frame_bytes: usize) -> Self {
        Self::at_start(max_frame_bytes, false)
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// `frame-too-large`; final until [`reset`](Self::reset).
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        let (held, rest) = self.bom.strip(bytes);
        self.take(held)?;
        self.take(rest)
    }

    /// Hands out the next complete frame, if there is one.
    pub fn poll(&mut self) -> Option<SseFrame> {
        self.ready.pop_front()
    }

    /// Says that the stream ended cleanly; hands over a last frame that lacks its blank line.
    ///
    /// It comes after all that is still to be polled, and once: a second call returns nothing. Do
    /// not call it when the connection broke or the request was cancelled; what is unfinished then
    /// is not to be trusted. A parser made with [`strict`](Self::strict) never returns one.
    ///
    /// # Protocol
    /// FRAME-11, our choice, because servers do leave the last blank line out: a last line without
    /// its line end counts if it is a data line, whose JSON shows whether it is whole. Half an id
    /// or a name could not be told from a whole one, so such a line does not count.
    ///
    /// # Examples
    /// ```
    /// use turnwire::wire::sse::SseParser;
    ///
    /// let mut parser = SseParser::new(1024);
    /// parser.push(br#"data: {"type":"done"}"#)?;
    /// assert_eq!(parser.poll(), None);
    /// assert_eq!(parser.finish().map(|frame| frame.data).as_deref(), Some(r#"{"type":"done"}"#));
    /// assert_eq!(parser.finish(), None);
    /// # Ok::<(), turnwire::Error>(())
    /// ```
    pub fn finish(&mut self) -> Option<SseFrame> {
        let start = self.line_start();
        let line = std::mem::take(&mut self.line);
        let mut frame = std::mem::take(&mut self.frame);
        self.is_after_cr = false;
        frame.close_tail(line, start);
        if !self.keeps_tail || !frame.has_data() {
            return None;
        }
        self.complete(frame)
    }

    /// The last event id after all complete frames so far, empty while none was set.
    ///
    /// It is what a client sends as `Last-Event-ID` when it resumes. A run of lines that sets an id
    /// without data counts as well.
    #[must_use]
    pub fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    /// The reconnection time that the stream last asked for.
    ///
    /// # Units
    /// Whole milliseconds; a number beyond 64 bits is taken for the largest of them.
    #[must_use]
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Starts over, as for a new stream: forgets an error, what is unfinished, what was not polled,
    /// the last event id and the reconnection time.
    pub fn reset(&mut self) {
        *self = Self::at_start(self.max_frame_bytes, self.keeps_tail);
    }

    fn at_start(max_frame_bytes: usize, keeps_tail: bool) -> Self {
        Self {
            max_frame_bytes,
            keeps_tail,
            bom: BomFilter::default(),
            taken_bytes: 0,
            is_after_cr: false,
            line: OpenLine::default(),
            frame: OpenFrame::default(),
            ready: VecDeque::new(),
            last_event_id: String::new(),
            retry: None,
            failure: None,
        }
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            bytes = if let Some(rest) = self.second_half_of_crlf(bytes) {
                rest
            } else {
                self.take_line(bytes)?
            };
        }
        Ok(())
    }

    /// The CR ended its line at once; the LF that makes it a CRLF, perhaps a chunk later, is not
    /// another line end.
    fn second_half_of_crlf<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        if !std::mem::take(&mut self.is_after_cr) {
            return None;
        }
        let rest = bytes.strip_prefix(b"\n")?;
        self.taken_bytes += 1;
        Some(rest)
    }

    /// Takes what `bytes` has of one line and returns what follows its line end.
    fn take_line<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8]> {
        let end = memchr2(b'\r', b'\n', bytes).unwrap_or(bytes.len());
        let (part, rest) = bytes.split_at(end);
        self.admit(part)?;
        let Some((&line_end, rest)) = rest.split_first() else {
            self.line.hold(part, &mut self.frame);
            return Ok(rest);
        };
        self.end_line(part);
        self.taken_bytes += 1;
        self.is_after_cr = line_end == b'\r';
        Ok(rest)
    }

    /// Counts bytes of the open line before any of them is kept.
    fn admit(&mut self, part: &[u8]) -> Result<()> {
        self.taken_bytes += part.len() as u64;
        self.line.bytes = self.line.bytes.saturating_add(part.len());
        let frame_bytes = self.frame.bytes.saturating_add(self.line.bytes);
        if self.line.bytes == 0 || frame_bytes <= self.max_frame_bytes {
            return Ok(());
        }
        Err(self.fail())
    }

    fn fail(&mut self) -> Error {
        let start = self.frame.start().unwrap_or_else(|| self.line_start());
        let error = Error::new(
            ErrorKind::FrameTooLarge,
            format!("the frame exceeds the limit of {} bytes", self.max_frame_bytes),
        )
        .at(start);
        self.line = OpenLine::default();
        self.frame = OpenFrame::default();
        self.failure = Some(error.clone());
        error
    }

    fn end_line(&mut self, last_part: &[u8]) {
        let start = self.line_start();
        let line = std::mem::take(&mut self.line);
        if line.bytes == 0 {
            return self.end_frame();
        }
        if line.is_in_data() {
            self.frame.append_data(last_part);
            self.frame.count_line(start, line.bytes);
            return;
        }
        self.interpret(&line.into_whole(last_part), start);
    }

    fn interpret(&mut self, line: &[u8], start: u64) {
        let (name, value) = open::split_field(line);
        if name.is_empty() {
            return;
        }
        self.frame.count_line(start, line.len());
        match name {
            b"data" => self.frame.add_data_line(value),
            b"event" => self.frame.set_event(value),
            b"id" => self.frame.set_id(value),
            b"retry" => self.retry = open::retry_of(value).or(self.retry),
            _ => {}
        }
    }

    fn end_frame(&mut self) {
        let frame = std::mem::take(&mut self.frame);
        let frame = self.complete(frame);
        self.ready.extend(frame);
    }

    fn complete(&mut self, frame: OpenFrame) -> Option<SseFrame> {
        if let Some(id) = frame.id() {
            id.clone_into(&mut self.last_event_id);
        }
        frame.into_frame()
    }

    /// Absolute offset of the open line, as long as its line end is not taken.
    fn line_start(&self) -> u64 {
        self.bom.dropped_bytes() + self.taken_bytes - self.line.bytes as u64
    }
}
