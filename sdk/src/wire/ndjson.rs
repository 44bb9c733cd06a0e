//! Newline-delimited JSON.
use crate::Result;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NdjsonLine {
    /// Its text without the line end.
    pub text: String,
    /// Its number, the first being 1.
    pub number: u64,
    /// Absolute byte offset at which it began.
    pub position: u64,
}

/// Push parser.
#[derive(Debug)]
pub struct LineParser {}

impl LineParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(_max_line_bytes: usize) -> Self {
        Self {}
    }
    /// Takes the next bytes.
    pub fn push(&mut self, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }
    /// Next complete line.
    pub fn poll(&mut self) -> Option<NdjsonLine> {
        None
    }
    /// Clean end.
    pub fn finish(&mut self) {}
    /// Starts over.
    pub fn reset(&mut self) {}
}
