//! Event streams as the WHATWG HTML standard interprets them.
use crate::Result;

/// One dispatched frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseFrame {
    /// Its name; `message` where the stream gave none.
    pub event: String,
    /// Its data lines, joined with LF.
    pub data: String,
    /// The id that this very frame set, if it set one.
    pub id: Option<String>,
    /// Absolute byte offset at which the frame began.
    pub position: u64,
}

/// Push parser of an event stream.
#[derive(Debug)]
pub struct SseParser {}

impl SseParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(_max_frame_bytes: usize) -> Self {
        Self {}
    }
    /// Takes the next bytes.
    pub fn push(&mut self, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }
    /// Next complete frame.
    pub fn poll(&mut self) -> Option<SseFrame> {
        None
    }
    /// Clean end; hands over a last frame that lacks its blank line.
    pub fn finish(&mut self) -> Option<SseFrame> {
        None
    }
    /// Starts over.
    pub fn reset(&mut self) {}
}
