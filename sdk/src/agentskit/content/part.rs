//! One record of ordered content.

use crate::Result as SdkResult;
use crate::agentskit::encode::checked;
use crate::agentskit::fields::{Fields, Read};
use crate::agentskit::frame::ComponentFrame;
use crate::json::Node;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

pub(super) const PART: &str = "a text of 1 to 16384 units or a component frame";

/// One piece of an assistant's message.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963. It serialises to its canonical JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssistantPart {
    /// Prose of 1 to 16,384 UTF-16 units, not trimmed.
    Text(String),
    /// A component.
    Component(ComponentFrame),
}

impl AssistantPart {
    /// The part that something is, or serialises to.
    ///
    /// # Errors
    /// `invalid-argument` if it is no part.
    ///
    /// # Examples
    /// ```
    /// use turnwire::agentskit::AssistantPart;
    /// let part = AssistantPart::of(&serde_json::json!({ "kind": "text", "text": "Hi" }))?;
    /// assert_eq!(part, AssistantPart::Text("Hi".into()));
    /// # Ok::<(), turnwire::Error>(())
    /// ```
    pub fn of(value: &(impl Serialize + ?Sized)) -> SdkResult<Self> {
        checked(value, PART)
    }
}

/// The parts as a renderer shows them: neighbouring texts are one.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{AssistantPart, merge_texts};
/// let text = |text: &str| AssistantPart::Text(text.into());
/// assert_eq!(merge_texts(&[text("Hel"), text("lo")]), [text("Hello")]);
/// ```
#[must_use]
pub fn merge_texts(parts: &[AssistantPart]) -> Vec<AssistantPart> {
    let mut merged: Vec<AssistantPart> = Vec::new();
    for part in parts {
        match (merged.last_mut(), part) {
            (Some(AssistantPart::Text(before)), AssistantPart::Text(text)) => before.push_str(text),
            _ => merged.push(part.clone()),
        }
    }
    merged
}

/// The parts in words, for who can show nothing else: a component is what its fallback says.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{AssistantPart, decode_component_frame, fallback_text};
/// let frame = decode_component_frame(
///     r#"{"protocol":"agentskit.chat.component","version":1,"type":"render",
///         "componentKey":"progress","instanceId":"p1","props":{"percent":40},
///         "fallback":{"kind":"progress","summary":"40 % done"}}"#,
/// )?;
/// let parts = [AssistantPart::Text("On its way.".into()), AssistantPart::Component(frame)];
/// assert_eq!(fallback_text(&parts), "On its way.\n\n40 % done");
/// # Ok::<(), turnwire::agentskit::Diagnostic>(())
/// ```
#[must_use]
pub fn fallback_text(parts: &[AssistantPart]) -> String {
    let words = merge_texts(parts).into_iter().map(|part| match part {
        AssistantPart::Text(text) => text,
        AssistantPart::Component(frame) => frame.fallback.summary,
    });
    words.collect::<Vec<_>>().join("\n\n")
}

impl Read for AssistantPart {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        match fields.get("kind")?.as_text()? {
            "text" => fields.bounded("text", 1..=16_384).map(Self::Text),
            "component" => fields.field("frame").map(Self::Component),
            _ => None,
        }
    }
}

impl Serialize for AssistantPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("AssistantPart", 2)?;
        match self {
            Self::Text(text) => {
                object.serialize_field("kind", "text")?;
                object.serialize_field("text", text)?;
            }
            Self::Component(frame) => {
                object.serialize_field("kind", "component")?;
                object.serialize_field("frame", frame)?;
            }
        }
        object.end()
    }
}
