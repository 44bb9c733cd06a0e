//! Parts → envelope.

use super::ASSISTANT_CONTENT_PREFIX;
use super::part::{AssistantPart, PART};
use crate::Result;
use crate::agentskit::encode::written;
use serde::Serialize;

/// Writes one envelope, part by part.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: the first part that is sound brings the prefix
/// with it. The encoder counts neither bytes nor records, so it can write more than a decoder takes.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{AssistantContentEncoder, AssistantPart, decode_assistant_content};
/// let mut encoder = AssistantContentEncoder::new();
/// let mut content = encoder.encode(&AssistantPart::Text("Hello".into()))?;
/// content += &encoder.encode(&serde_json::json!({ "kind": "text", "text": " world" }))?;
/// assert_eq!(decode_assistant_content(&content).unwrap().parts.len(), 2);
/// # Ok::<(), turnwire::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct AssistantContentEncoder {
    is_started: bool,
}

impl AssistantContentEncoder {
    /// An encoder that has written nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text that adds a part, or whatever serialises to one, to the envelope.
    ///
    /// # Errors
    /// `invalid-argument` if it is no part; then nothing was written.
    pub fn encode(&mut self, part: &(impl Serialize + ?Sized)) -> Result<String> {
        let record = written(&AssistantPart::of(part)?, PART)?;
        let prefix = if self.is_started { "" } else { ASSISTANT_CONTENT_PREFIX };
        self.is_started = true;
        Ok(format!("{prefix}{record}\n"))
    }
}
