//! Newline-delimited JSON: one value a line.
//!
//! # Protocol
//! LINE-01 to LINE-07 of `sdk/PROTOCOL.md`. There is no standard; these are our choice, after what
//! `JSON.parse` of each line of a decoded stream does.

use std::collections::VecDeque;

use memchr::memchr;

use super::utf8::{self, BomFilter};
use crate::{Error, ErrorKind, Result};

#[cfg(test)]
mod tests;

/// One line that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NdjsonLine {
    /// Its text without the line end.
    ///
    /// Invalid UTF-8 arrives as U+FFFD, as in an event stream and as from JavaScript's
    /// `TextDecoder`: inside a string it is a character of the string, anywhere else it makes the
    /// line a JSON error. Either way only this line is concerned, and none is lost in silence.
    pub text: String,
    /// Its number among all lines, blank ones included, the first being 1.
    pub number: u64,
    /// Absolute byte offset at which it began.
    pub position: u64,
}

/// Push parser of newline-delimited JSON.
///
/// Only LF ends a line, since a CR can stand between the tokens of a JSON text; one CR before the
/// LF is dropped. Lines of nothing but JSON's white space yield nothing, but count. Lines wait in
/// the parser until they are polled, so poll after every push.
///
/// # Units
/// `max_line_bytes` bounds the bytes of one line as they came over the wire, its LF not counted.
///
/// # Errors
/// `frame-too-large`, with the line's number and position, from [`push`](Self::push). It is final:
/// every later push returns it again and nothing more comes out than the lines that were complete
/// before, until [`reset`](Self::reset).
///
/// # Examples
/// ```
/// use turnwire::wire::ndjson::LineParser;
///
/// let mut parser = LineParser::new(1024);
/// parser.push(b"{\"n\":1}\r\n\n{\"n\":")?;
/// assert_eq!(parser.poll().map(|line| line.text).as_deref(), Some("{\"n\":1}"));
/// assert_eq!(parser.poll(), None);
///
/// parser.push(b"2}")?;
/// parser.finish();
/// let last = parser.poll().expect("a tail counts at a clean end");
/// assert_eq!((last.text.as_str(), last.number, last.position), ("{\"n\":2}", 3, 10));
/// # Ok::<(), turnwire::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LineParser {
    max_line_bytes: usize,
    bom: BomFilter,
    taken_bytes: u64,
    ended_lines: u64,
    held: Vec<u8>,
    ready: VecDeque<NdjsonLine>,
    failure: Option<Error>,
}

impl LineParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(max_line_bytes: usize) -> Self {
        Self {
            max_line_bytes,
            bom: BomFilter::default(),
            taken_bytes: 0,
            ended_lines: 0,
            held: Vec::new(),
            ready: VecDeque::new(),
            failure: None,
        }
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

    /// Hands out the next complete line, if there is one.
    pub fn poll(&mut self) -> Option<NdjsonLine> {
        self.ready.pop_front()
    }

    /// Says that the stream ended cleanly; a last line without its LF is complete then.
    ///
    /// It is polled like any other line: whether it is whole shows when its JSON is read. Do not
    /// call it when the connection broke or the request was cancelled.
    pub fn finish(&mut self) {
        let held = self.bom.finish();
        if self.failure.is_some() || self.take(held).is_err() {
            return;
        }
        if !self.held.is_empty() {
            self.end_line(&[]);
        }
    }

    /// Starts over, as for a new stream.
    pub fn reset(&mut self) {
        *self = Self::new(self.max_line_bytes);
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<()> {
        while let Some(end) = memchr(b'\n', bytes) {
            let (part, rest) = bytes.split_at(end);
            self.admit(part)?;
            self.end_line(part);
            self.taken_bytes += 1;
            bytes = rest.get(1..).unwrap_or_default();
        }
        self.admit(bytes)?;
        self.held.extend_from_slice(bytes);
        Ok(())
    }

    /// Counts bytes of the open line before any of them is kept.
    fn admit(&mut self, part: &[u8]) -> Result<()> {
        if self.held.len().saturating_add(part.len()) > self.max_line_bytes {
            return Err(self.fail());
        }
        self.taken_bytes += part.len() as u64;
        Ok(())
    }

    fn fail(&mut self) -> Error {
        let message = format!("the line exceeds the limit of {} bytes", self.max_line_bytes);
        let error = Error::new(ErrorKind::FrameTooLarge, message)
            .at(self.position() - self.held.len() as u64)
            .on_line(self.ended_lines + 1);
        self.held = Vec::new();
        self.failure = Some(error.clone());
        error
    }

    fn end_line(&mut self, last_part: &[u8]) {
        let mut line = std::mem::take(&mut self.held);
        line.extend_from_slice(last_part);
        let position = self.position() - line.len() as u64;
        self.ended_lines += 1;
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if line.iter().all(|byte| b" \t\r".contains(byte)) {
            return;
        }
        self.ready.push_back(NdjsonLine {
            text: utf8::decode(line),
            number: self.ended_lines,
            position,
        });
    }

    /// Absolute offset behind the bytes taken so far.
    fn position(&self) -> u64 {
        self.bom.dropped_bytes() + self.taken_bytes
    }
}
