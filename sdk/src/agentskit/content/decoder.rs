//! Envelope → parts, in any chunks.

use super::decode::AssistantContent;
use super::part::AssistantPart;
use super::prefix::Prefix;
use super::{ASSISTANT_CONTENT_MAX_BYTES, ASSISTANT_CONTENT_MAX_RECORDS, ASSISTANT_CONTENT_PREFIX};
use crate::agentskit::diagnostic::Diagnostic;
use crate::agentskit::fields::Read;
use crate::json::read;
use memchr::memchr;

/// Decodes an envelope as it comes, in linear time however it is cut.
///
/// At any moment it stands where [`decode_assistant_content`](super::decode_assistant_content)
/// would stand with all that was pushed. A failure therefore takes all parts back, those that were
/// handed out before too; a decoder that [keeps what is sound](Self::keeping_sound_records) leaves
/// them.
///
/// # Protocol
/// Which content is sound, and what is said where it is not, as observed in
/// AgentsKit-io/agentskit-chat@9836963. Taking it in chunks, the index of the record at fault and
/// keeping the sound records are our choice, because starting over at every chunk takes quadratic
/// time and one bad record need not hide a whole answer.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{AssistantPart, ContentDecoder};
/// let mut decoder = ContentDecoder::new();
/// assert!(decoder.push("\u{1e}agentskit.chat.content/1\n{\"kind\":\"text\",").is_empty());
/// let parts = decoder.push("\"text\":\"Hello\"}\n{\"ki");
/// assert_eq!(parts, [AssistantPart::Text("Hello".into())]);
/// assert!(!decoder.is_complete());
/// ```
#[derive(Debug, Clone, Default)]
pub struct ContentDecoder {
    keeps_sound: bool,
    prefix: Prefix,
    /// All that was pushed, the prefix included; no longer counted once it is too much.
    bytes: usize,
    finished_records: usize,
    /// The record whose end has not come yet; empty once nothing is decoded any more.
    open: Vec<u8>,
    parts: Vec<AssistantPart>,
    bad_record: Option<usize>,
    oversized_record: Option<usize>,
}

/// Why an envelope was refused, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentFailure {
    /// What is said of it.
    pub diagnostic: Diagnostic,
    /// The record at fault, the first being 0; nothing where it is the envelope's first line.
    pub record: Option<usize>,
}

impl ContentDecoder {
    /// A decoder that takes all parts back when one record is bad.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder that keeps the records before a bad one, or before a limit.
    #[must_use]
    pub fn keeping_sound_records() -> Self {
        Self { keeps_sound: true, ..Self::default() }
    }

    /// Starts over, as for a new envelope.
    pub fn reset(&mut self) {
        *self = Self { keeps_sound: self.keeps_sound, ..Self::default() };
    }

    /// Takes the next piece of the envelope, cut anywhere, and gives the parts that it completes.
    ///
    /// Bytes that are not UTF-8 become U+FFFD.
    pub fn push(&mut self, chunk: impl AsRef<[u8]>) -> &[AssistantPart] {
        let handed_out = self.parts.len();
        let chunk = chunk.as_ref();
        if let Some(records) = self.prefix.strip(chunk) {
            self.bytes = self.bytes.max(ASSISTANT_CONTENT_PREFIX.len());
            self.take(records);
        }
        if !self.keeps_sound && self.is_failed() {
            self.parts = Vec::new();
        }
        self.parts.get(handed_out..).unwrap_or_default()
    }

    /// All parts so far.
    #[must_use]
    pub fn parts(&self) -> &[AssistantPart] {
        &self.parts
    }

    /// Whether the envelope ends with a whole record, so that nothing is missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.is_failed() && self.finished_records > 0 && self.open.is_empty()
    }

    /// Why the envelope is refused as far as it has come. More of it never mends it, but can make
    /// it too long, which is then what is said.
    #[must_use]
    pub fn failure(&self) -> Option<ContentFailure> {
        let failure = |diagnostic, record| Some(ContentFailure { diagnostic, record });
        if let Some(fault) = self.prefix.fault() {
            return failure(fault.clone(), None);
        }
        if self.oversized_record.is_some() {
            return failure(Diagnostic::CONTENT_SIZE, self.oversized_record);
        }
        if self.finished_records > ASSISTANT_CONTENT_MAX_RECORDS {
            return failure(Diagnostic::CONTENT_RECORDS, Some(ASSISTANT_CONTENT_MAX_RECORDS));
        }
        self.bad_record.and_then(|record| failure(Diagnostic::CONTENT_RECORD, Some(record)))
    }

    /// What the decoder of whole contents says of all that was pushed; of nothing at all it says
    /// that it is no envelope.
    ///
    /// # Errors
    /// A [`Diagnostic`] with a code that begins with `ASSISTANT_CONTENT_`.
    pub fn into_result(self) -> Result<AssistantContent, Diagnostic> {
        match self.failure() {
            Some(failure) => Err(failure.diagnostic),
            None if !self.prefix.has_begun() => Err(Diagnostic::CONTENT_ENVELOPE),
            None => {
                let complete = self.is_complete();
                Ok(AssistantContent { parts: self.parts, complete })
            }
        }
    }

    fn is_failed(&self) -> bool {
        self.prefix.fault().is_some() || !self.is_within_limits() || self.bad_record.is_some()
    }

    fn is_within_limits(&self) -> bool {
        self.oversized_record.is_none() && self.finished_records <= ASSISTANT_CONTENT_MAX_RECORDS
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr(b'\n', bytes) {
            let Some((line, rest)) = bytes.split_at_checked(end + 1) else {
                return;
            };
            self.count(line.len());
            self.end_record(line);
            bytes = rest;
        }
        self.count(bytes.len());
        if !self.is_failed() {
            self.open.extend_from_slice(bytes);
        }
    }

    /// Counts bytes of the open record before any of them is kept.
    fn count(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > ASSISTANT_CONTENT_MAX_BYTES {
            self.oversized_record.get_or_insert(self.finished_records);
            self.open = Vec::new();
        }
    }

    fn end_record(&mut self, line: &[u8]) {
        let record = self.finished_records;
        self.finished_records += 1;
        let mut bytes = std::mem::take(&mut self.open);
        if self.is_failed() {
            return;
        }
        bytes.extend_from_slice(line);
        match decode_record(&bytes) {
            Some(part) => self.parts.push(part),
            None => self.bad_record = Some(record),
        }
    }
}

/// The line end that the record comes with is white space to JSON.
fn decode_record(bytes: &[u8]) -> Option<AssistantPart> {
    let text = String::from_utf8_lossy(bytes);
    AssistantPart::read(&read(&text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(records: &str) -> String {
        format!("{ASSISTANT_CONTENT_PREFIX}{records}")
    }

    fn text(text: &str) -> AssistantPart {
        AssistantPart::Text(text.into())
    }

    const GOOD: &str = "{\"kind\":\"text\",\"text\":\"good\"}\n";

    #[test]
    fn keeps_the_records_before_a_bad_one_where_it_is_to() {
        let records = envelope(&format!("{GOOD}{GOOD}{{}}\n{GOOD}"));
        let mut strict = ContentDecoder::new();
        assert!(strict.push(&records).is_empty());
        assert_eq!(strict.parts(), []);
        let mut keeping = ContentDecoder::keeping_sound_records();
        assert_eq!(keeping.push(&records), [text("good"), text("good")]);
        assert_eq!(keeping.push(GOOD), []);
        for decoder in [strict, keeping] {
            assert!(!decoder.is_complete());
            let failure = decoder.failure().unwrap();
            assert_eq!(failure.record, Some(2));
            assert_eq!(failure.diagnostic.message(), "Assistant content record is invalid.");
            assert_eq!(decoder.into_result().unwrap_err(), failure.diagnostic);
        }
    }

    #[test]
    fn takes_back_what_it_handed_out_before_the_bad_record() {
        let mut decoder = ContentDecoder::new();
        assert_eq!(decoder.push(envelope(GOOD)), [text("good")]);
        assert!(decoder.is_complete());
        assert_eq!(decoder.push("\n"), []);
        assert_eq!(decoder.parts(), []);
    }

    #[test]
    fn a_limit_is_told_before_a_bad_record_but_not_before_the_version() {
        let mut decoder = ContentDecoder::new();
        decoder.push(envelope("bad\n"));
        decoder.push("\n".repeat(ASSISTANT_CONTENT_MAX_RECORDS));
        let failure = decoder.failure().unwrap();
        assert_eq!(failure.diagnostic, Diagnostic::CONTENT_RECORDS);
        assert_eq!(failure.record, Some(ASSISTANT_CONTENT_MAX_RECORDS));
        decoder.push("x".repeat(ASSISTANT_CONTENT_MAX_BYTES));
        assert_eq!(decoder.failure().unwrap().diagnostic, Diagnostic::CONTENT_SIZE);
        let mut decoder = ContentDecoder::new();
        decoder.push("\u{1e}agentskit.chat.content/2");
        decoder.push("x".repeat(ASSISTANT_CONTENT_MAX_BYTES));
        assert_eq!(decoder.failure().unwrap().diagnostic, Diagnostic::CONTENT_VERSION);
        assert_eq!(decoder.failure().unwrap().record, None);
    }

    #[test]
    fn holds_no_more_than_the_limit() {
        let mut decoder = ContentDecoder::new();
        decoder.push(ASSISTANT_CONTENT_PREFIX);
        for _ in 0..1000 {
            decoder.push([b'x'; 1024]);
            assert!(decoder.open.len() <= ASSISTANT_CONTENT_MAX_BYTES);
        }
        assert!(decoder.open.is_empty());
    }

    #[test]
    fn starts_over_in_the_same_mode() {
        let mut decoder = ContentDecoder::keeping_sound_records();
        decoder.push("no envelope");
        decoder.reset();
        assert_eq!(decoder.failure(), None);
        assert_eq!(decoder.push(envelope(&format!("{GOOD}\n"))), [text("good")]);
    }

    #[test]
    fn nothing_at_all_is_no_failure_yet() {
        let mut decoder = ContentDecoder::new();
        decoder.push("");
        assert_eq!(decoder.failure(), None);
        assert_eq!(decoder.into_result().unwrap_err(), Diagnostic::CONTENT_ENVELOPE);
    }
}
