//! What is not complete yet: the line and the frame being read.

use std::borrow::Cow;
use std::time::Duration;

use memchr::memchr;

use super::SseFrame;
use crate::wire::utf8;

/// The line whose end has not come.
///
/// Invariant: what came of it is in `held`, except that a line known to be a data line is already
/// in the frame, without its name. So a long line is copied once, into the place it is handed out
/// from, and what came before is never moved when a chunk is added.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenLine {
    /// How many bytes of it came.
    pub(super) bytes: usize,
    held: Vec<u8>,
    is_in_data: bool,
}

/// The frame whose blank line has not come.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenFrame {
    /// Bytes of its complete lines that are no comments, one for each line end included.
    ///
    /// Invariant: it is zero only while no such line came, and `start` means nothing until then.
    pub(super) bytes: usize,
    start: u64,
    event: String,
    data: Option<Vec<u8>>,
    id: Option<String>,
}

impl OpenLine {
    /// Keeps a part after which no line end came.
    pub(super) fn hold(&mut self, part: &[u8], frame: &mut OpenFrame) {
        if self.is_in_data {
            return frame.append_data(part);
        }
        if self.held.is_empty() && self.moves_to_data(part, frame) {
            return;
        }
        let mut held = std::mem::take(&mut self.held);
        held.extend_from_slice(part);
        if !self.moves_to_data(&held, frame) {
            self.held = held;
        }
    }

    pub(super) fn is_in_data(&self) -> bool {
        self.is_in_data
    }

    /// The whole line, given the part before its end; nothing is copied where that is all of it.
    pub(super) fn into_whole(mut self, last_part: &[u8]) -> Cow<'_, [u8]> {
        if self.held.is_empty() {
            return Cow::Borrowed(last_part);
        }
        self.held.extend_from_slice(last_part);
        Cow::Owned(self.held)
    }

    #[cfg(test)]
    pub(super) fn held_bytes(&self) -> usize {
        self.held.len()
    }

    fn moves_to_data(&mut self, line: &[u8], frame: &mut OpenFrame) -> bool {
        let value = match line.strip_prefix(b"data:") {
            // Whether a space follows is not known yet.
            None | Some([]) => return false,
            Some([b' ', value @ ..] | value) => value,
        };
        frame.add_data_line(value);
        self.is_in_data = true;
        true
    }
}

impl OpenFrame {
    /// Where it began, once a line of it came.
    pub(super) fn start(&self) -> Option<u64> {
        (self.bytes > 0).then_some(self.start)
    }

    pub(super) fn has_data(&self) -> bool {
        self.data.is_some()
    }

    #[cfg(test)]
    pub(super) fn data_buffer(&self) -> Option<&Vec<u8>> {
        self.data.as_ref()
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Counts a complete line; the first one says where the frame began.
    pub(super) fn count_line(&mut self, start: u64, line_bytes: usize) {
        if self.bytes == 0 {
            self.start = start;
        }
        self.bytes = self.bytes.saturating_add(line_bytes).saturating_add(1);
    }

    pub(super) fn add_data_line(&mut self, value: &[u8]) {
        if let Some(data) = &mut self.data {
            data.push(b'\n');
        }
        self.append_data(value);
    }

    pub(super) fn append_data(&mut self, part: &[u8]) {
        self.data.get_or_insert_default().extend_from_slice(part);
    }

    pub(super) fn set_event(&mut self, value: &[u8]) {
        self.event = utf8::decode(value.to_vec());
    }

    /// Sets the id; one with a NUL is ignored.
    pub(super) fn set_id(&mut self, value: &[u8]) {
        if memchr(0, value).is_none() {
            self.id = Some(utf8::decode(value.to_vec()));
        }
    }

    /// Takes over the last line of a stream, which has no line end: it counts if it is a data line.
    pub(super) fn close_tail(&mut self, line: OpenLine, start: u64) {
        if split_field(&line.held).0 == b"data" {
            self.add_data_line(&[]);
        } else if !line.is_in_data {
            return;
        }
        self.count_line(start, line.bytes);
    }

    /// The frame to hand out, if it has data.
    pub(super) fn into_frame(self) -> Option<SseFrame> {
        let event = match self.event {
            event if event.is_empty() => "message".to_owned(),
            event => event,
        };
        Some(SseFrame { event, data: utf8::decode(self.data?), id: self.id, position: self.start })
    }
}

/// Splits a line at its first colon into name and value; one space after the colon belongs to
/// neither, and a line without a colon is a name with an empty value.
pub(super) fn split_field(line: &[u8]) -> (&[u8], &[u8]) {
    let Some(colon) = memchr(b':', line) else {
        return (line, &[]);
    };
    let (name, value) = line.split_at(colon);
    match value {
        [_, b' ', value @ ..] | [_, value @ ..] => (name, value),
        [] => (name, &[]),
    }
}

/// The reconnection time, where the value is nothing but digits.
pub(super) fn retry_of(value: &[u8]) -> Option<Duration> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let milliseconds = value
        .iter()
        .fold(0_u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    Some(Duration::from_millis(milliseconds))
}
