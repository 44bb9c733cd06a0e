//! A whole envelope → parts.

use super::decoder::ContentDecoder;
use super::part::AssistantPart;
use crate::agentskit::diagnostic::Diagnostic;
use crate::agentskit::input::Input;
use crate::agentskit::result::Decoded;
use serde::ser::SerializeMap;

/// What no plain text begins with.
const MARK: char = '\u{1e}';

/// The parts of an assistant's message, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssistantContent {
    /// The finished records.
    pub parts: Vec<AssistantPart>,
    /// Whether the envelope ends with a finished record. An envelope without records, or whose last
    /// record has not come whole, is not complete.
    pub complete: bool,
}

/// Decodes the content of an assistant's message from its text; a value that is no text is refused.
///
/// # Protocol
/// Order of checks observed in AgentsKit-io/agentskit-chat@9836963: prefix, version, bytes, number
/// of records, records. The first bad record refuses everything.
///
/// # Errors
/// A [`Diagnostic`] with a code that begins with `ASSISTANT_CONTENT_`.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{AssistantPart, decode_assistant_content};
/// let content = "\u{1e}agentskit.chat.content/1\n{\"kind\":\"text\",\"text\":\"Hi\"}\n{\"kind";
/// let content = decode_assistant_content(content)?;
/// assert_eq!(content.parts, [AssistantPart::Text("Hi".into())]);
/// assert!(!content.complete);
/// # Ok::<(), turnwire::agentskit::Diagnostic>(())
/// ```
pub fn decode_assistant_content<'a>(
    input: impl Into<Input<'a>>,
) -> Result<AssistantContent, Diagnostic> {
    let Input::Text(text) = input.into() else {
        return Err(Diagnostic::CONTENT_ENVELOPE);
    };
    let mut decoder = ContentDecoder::new();
    decoder.push(text);
    decoder.into_result()
}

/// Whether something is ordered content of any version.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: a text that begins with U+001E.
#[must_use]
pub fn is_assistant_content_candidate<'a>(input: impl Into<Input<'a>>) -> bool {
    matches!(input.into(), Input::Text(text) if text.starts_with(MARK))
}

impl Decoded for AssistantContent {
    fn serialize_members<M: SerializeMap>(&self, members: &mut M) -> Result<(), M::Error> {
        members.serialize_entry("parts", &self.parts)?;
        members.serialize_entry("complete", &self.complete)
    }
}
