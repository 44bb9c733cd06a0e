//! Component frames: a component that the application draws, and what stands in for it.

use super::bounds::free_form;
use super::diagnostic::Diagnostic;
use super::fields::{Fields, Read};
use super::input::Input;
use super::interaction::{InteractionEvent, SelectionEvent};
use super::result::Decoded;
use super::scalar::{ComponentKey, SafeId};
use crate::Result as SdkResult;
use crate::json::{JsonText, Members, Node};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

/// The name of the protocol of component frames.
pub const COMPONENT_PROTOCOL: &str = "agentskit.chat.component";
/// The one version of [`COMPONENT_PROTOCOL`].
pub const COMPONENT_PROTOCOL_VERSION: u32 = 1;

const RENDER: &str = "render";

/// A component to draw, with its props and what to show where nobody knows it.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963. It serialises to its canonical JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentFrame {
    /// Which component.
    pub component_key: ComponentKey,
    /// Which one of its kind.
    pub instance_id: SafeId,
    /// What the component is given; JSON of any shape.
    pub props: JsonText,
    /// What it means, where the component is not known.
    pub fallback: Fallback,
}

/// What a component means, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fallback {
    /// What it is, in 1 to 64 UTF-16 units.
    pub kind: String,
    /// What it says, in 1 to 4096 UTF-16 units.
    pub summary: String,
}

/// Decodes a component frame from its JSON text or its value.
///
/// # Protocol
/// Order of checks observed in AgentsKit-io/agentskit-chat@9836963: JSON, version, type, content.
/// Another version and another type are told only of what carries the protocol's name.
///
/// # Errors
/// A [`Diagnostic`] with a code that begins with `COMPONENT_`.
///
/// # Examples
/// ```
/// use turnwire::agentskit::decode_component_frame;
/// let frame = decode_component_frame(
///     r#"{"protocol":"agentskit.chat.component","version":1,"type":"render",
///         "componentKey":"progress","instanceId":"p1","props":{"percent":40},
///         "fallback":{"kind":"progress","summary":"40 % done"}}"#,
/// )?;
/// #[derive(serde::Deserialize)]
/// struct Progress { percent: u8 }
/// assert_eq!(frame.props.to::<Progress>().unwrap().percent, 40);
/// # Ok::<(), turnwire::agentskit::Diagnostic>(())
/// ```
pub fn decode_component_frame<'a>(
    input: impl Into<Input<'a>>,
) -> Result<ComponentFrame, Diagnostic> {
    let node = input.into().node().ok_or(Diagnostic::FRAME_NOT_JSON)?;
    if let Some(diagnostic) = node.as_object().and_then(unsupported) {
        return Err(diagnostic);
    }
    ComponentFrame::read(&node).ok_or(Diagnostic::FRAME_PAYLOAD)
}

/// Whether something is a component frame of any version and type.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: an object with the protocol's name.
#[must_use]
pub fn is_component_frame_candidate<'a>(input: impl Into<Input<'a>>) -> bool {
    let node = input.into().node();
    node.as_ref().and_then(Node::as_object).is_some_and(is_of_protocol)
}

fn is_of_protocol(fields: &Members<'_>) -> bool {
    fields.is("protocol", COMPONENT_PROTOCOL)
}

/// What is told of the protocol's objects that are no frames of this version.
fn unsupported(fields: &Members<'_>) -> Option<Diagnostic> {
    if !is_of_protocol(fields) {
        return None;
    }
    let version = fields.number("version");
    if version.is_some_and(|version| version != f64::from(COMPONENT_PROTOCOL_VERSION)) {
        return Some(Diagnostic::FRAME_VERSION);
    }
    (!fields.is("type", RENDER)).then_some(Diagnostic::FRAME_TYPE)
}

impl ComponentFrame {
    /// The event that one of the component's choices was made.
    ///
    /// # Errors
    /// `invalid-argument` if the choice's identifier is no [`SafeId`].
    pub fn select(&self, choice_id: &str) -> SdkResult<SelectionEvent> {
        SelectionEvent::new(&self.component_key, &self.instance_id, choice_id)
    }

    /// The event that something was done with the component.
    ///
    /// # Errors
    /// `invalid-argument` if the event's name is no [`ComponentKey`] or the value exceeds the
    /// bounds of props.
    pub fn interact(&self, event: &str, value: Option<&JsonText>) -> SdkResult<InteractionEvent> {
        InteractionEvent::new(&self.component_key, &self.instance_id, event, value)
    }
}

impl Fallback {
    /// Words for a component.
    ///
    /// # Errors
    /// `invalid-argument` if one of them is empty or too long.
    pub fn new(kind: impl Into<String>, summary: impl Into<String>) -> SdkResult<Self> {
        let fallback = Self { kind: kind.into(), summary: summary.into() };
        super::encode::checked(&fallback, "a kind of 1 to 64 and a summary of 1 to 4096 units")
    }
}

impl Read for ComponentFrame {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        let is_known = is_of_protocol(fields)
            && fields.number("version") == Some(f64::from(COMPONENT_PROTOCOL_VERSION))
            && fields.is("type", RENDER);
        if !is_known {
            return None;
        }
        Some(Self {
            component_key: fields.field("componentKey")?,
            instance_id: fields.field("instanceId")?,
            props: free_form(fields.get("props")?)?,
            fallback: fields.field("fallback")?,
        })
    }
}

impl Read for Fallback {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        Some(Self {
            kind: fields.bounded("kind", 1..=64)?,
            summary: fields.bounded("summary", 1..=4096)?,
        })
    }
}

impl Decoded for ComponentFrame {
    fn serialize_members<M: SerializeMap>(&self, members: &mut M) -> Result<(), M::Error> {
        members.serialize_entry("frame", self)
    }
}

impl Serialize for ComponentFrame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("ComponentFrame", 7)?;
        object.serialize_field("protocol", COMPONENT_PROTOCOL)?;
        object.serialize_field("version", &COMPONENT_PROTOCOL_VERSION)?;
        object.serialize_field("type", RENDER)?;
        object.serialize_field("componentKey", &self.component_key)?;
        object.serialize_field("instanceId", &self.instance_id)?;
        object.serialize_field("props", &self.props)?;
        object.serialize_field("fallback", &self.fallback)?;
        object.end()
    }
}
