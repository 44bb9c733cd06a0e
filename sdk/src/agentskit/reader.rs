//! A message's text, read again in every snapshot → its parts.

use super::content::{AssistantPart, ContentDecoder, merge_texts};
use super::diagnostic::Diagnostic;
use super::frame::{ComponentFrame, decode_component_frame};
use super::turn::{Message, MessageRole};
use super::which::{ContentKind, which_content};

/// Reads one message as it grows from snapshot to snapshot.
///
/// A snapshot replaces the whole text of a message. What is new of it is all that is decoded, as
/// long as the text begins with what was read before; otherwise the reader starts over. A record
/// that has not come whole is not shown.
///
/// # Protocol
/// Which decoder a content is for, as observed in AgentsKit-io/agentskit-chat@9836963. That the
/// records before a bad one stay is our choice, as for
/// [`ContentDecoder::keeping_sound_records`].
///
/// # Examples
/// ```
/// use turnwire::agentskit::{AssistantPart, ContentReader, Message, MessageRole, MessageStatus};
/// let mut message = Message {
///     id: "m-1".into(),
///     role: MessageRole::Assistant,
///     content: "\u{1e}agentskit.chat.content/1\n{\"kind\":\"te".into(),
///     status: MessageStatus::Streaming,
///     created_at: "2031-03-04T05:06:07.089Z".into(),
///     parts: None, tool_calls: None, tool_call_id: None, metadata: None,
/// };
/// let mut reader = ContentReader::new();
/// reader.read(&message);
/// assert!(reader.parts().is_empty() && !reader.is_complete());
///
/// message.content.push_str("xt\",\"text\":\"Hello\"}\n");
/// reader.read(&message);
/// assert_eq!(reader.parts(), [AssistantPart::Text("Hello".into())]);
/// assert!(reader.is_complete());
/// ```
#[derive(Debug, Clone, Default)]
pub struct ContentReader {
    /// What was read.
    text: String,
    found: Found,
}

/// What a message holds.
#[derive(Debug, Clone, Default)]
enum Found {
    #[default]
    Words,
    Ordered(ContentDecoder),
    Component(Result<ComponentFrame, Diagnostic>),
}

impl ContentReader {
    /// A reader that has read nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the message as it is now.
    pub fn read(&mut self, message: &Message) {
        let text = &message.content;
        match (&mut self.found, text.strip_prefix(self.text.as_str())) {
            (Found::Ordered(decoder), Some(suffix)) => {
                decoder.push(suffix);
                self.text.push_str(suffix);
            }
            _ => {
                self.found = Found::of(message);
                self.text.clone_from(text);
            }
        }
    }

    /// What is to be shown, in order; neighbouring texts are one.
    #[must_use]
    pub fn parts(&self) -> Vec<AssistantPart> {
        match &self.found {
            Found::Words if self.text.is_empty() => Vec::new(),
            Found::Words => vec![AssistantPart::Text(self.text.clone())],
            Found::Ordered(decoder) => merge_texts(decoder.parts()),
            Found::Component(frame) => {
                frame.iter().cloned().map(AssistantPart::Component).collect()
            }
        }
    }

    /// Whether nothing of the message is missing: no record is unfinished, none was refused.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        match &self.found {
            Found::Words => true,
            Found::Ordered(decoder) => decoder.is_complete(),
            Found::Component(frame) => frame.is_ok(),
        }
    }

    /// Why the message, or what follows its parts, cannot be shown.
    #[must_use]
    pub fn failure(&self) -> Option<Diagnostic> {
        match &self.found {
            Found::Words => None,
            Found::Ordered(decoder) => decoder.failure().map(|failure| failure.diagnostic),
            Found::Component(frame) => frame.as_ref().err().cloned(),
        }
    }
}

impl Found {
    /// Only an assistant's content is ever more than text.
    fn of(message: &Message) -> Self {
        if message.role != MessageRole::Assistant {
            return Self::Words;
        }
        match which_content(&message.content) {
            ContentKind::Text => Self::Words,
            ContentKind::Component => {
                Self::Component(decode_component_frame(message.content.as_str()))
            }
            ContentKind::Ordered => {
                let mut decoder = ContentDecoder::keeping_sound_records();
                decoder.push(&message.content);
                Self::Ordered(decoder)
            }
        }
    }
}

#[cfg(test)]
mod tests;
