//! What a user does with a component, on its way to the application.

use super::bounds::free_form;
use super::encode::invalid;
use super::fields::{Fields, Read};
use super::frame::{COMPONENT_PROTOCOL, COMPONENT_PROTOCOL_VERSION};
use super::input::Input;
use super::scalar::{ComponentKey, SafeId};
use crate::Result as SdkResult;
use crate::json::{JsonText, Members, Node, read};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

const SELECT: &str = "select";
const INTERACT: &str = "interact";

/// One of a component's choices was made.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963. There is no decoder for it: to that of
/// component frames it is of an unknown type.
///
/// # Examples
/// ```
/// use turnwire::agentskit::SelectionEvent;
/// let event = SelectionEvent::new("choice-list", "c1", "yes")?;
/// assert_eq!(
///     serde_json::to_string(&event).unwrap(),
///     concat!(
///         r#"{"protocol":"agentskit.chat.component","version":1,"type":"select","#,
///         r#""componentKey":"choice-list","instanceId":"c1","choiceId":"yes"}"#,
///     ),
/// );
/// # Ok::<(), turnwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectionEvent {
    component_key: ComponentKey,
    instance_id: SafeId,
    choice_id: SafeId,
}

/// Something was done with a component.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963. There is no decoder for it: to that of
/// component frames it is of an unknown type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InteractionEvent {
    component_key: ComponentKey,
    instance_id: SafeId,
    event: ComponentKey,
    value: Option<JsonText>,
}

/// What a user did with a component, on the application's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ComponentEvent {
    /// One of its choices was made.
    Selection(SelectionEvent),
    /// Something else was done with it.
    Interaction(InteractionEvent),
}

/// Reads what a user did with a component; nothing where the input is no such event.
///
/// # Protocol
/// Our choice, since AgentsKit has constructors of these events and no decoder: what the
/// constructors give is taken in, unknown fields are ignored, and all else is simply no event.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{ComponentEvent, SelectionEvent, read_component_event};
/// let event = SelectionEvent::new("choice-list", "c1", "yes")?;
/// let text = serde_json::to_string(&event).unwrap();
/// assert_eq!(read_component_event(&text), Some(ComponentEvent::Selection(event)));
/// assert_eq!(read_component_event("yes, please"), None);
/// # Ok::<(), turnwire::Error>(())
/// ```
#[must_use]
pub fn read_component_event<'a>(input: impl Into<Input<'a>>) -> Option<ComponentEvent> {
    ComponentEvent::read(&input.into().node()?)
}

impl ComponentEvent {
    /// Which component.
    #[must_use]
    pub fn component_key(&self) -> &ComponentKey {
        match self {
            Self::Selection(event) => &event.component_key,
            Self::Interaction(event) => &event.component_key,
        }
    }

    /// Which one of its kind.
    #[must_use]
    pub fn instance_id(&self) -> &SafeId {
        match self {
            Self::Selection(event) => &event.instance_id,
            Self::Interaction(event) => &event.instance_id,
        }
    }
}

impl SelectionEvent {
    /// Which choice was made.
    #[must_use]
    pub fn choice_id(&self) -> &SafeId {
        &self.choice_id
    }

    /// The choice of one instance of a component.
    ///
    /// # Errors
    /// `invalid-argument` if a key or an identifier does not follow its grammar.
    pub fn new(component_key: &str, instance_id: &str, choice_id: &str) -> SdkResult<Self> {
        Ok(Self {
            component_key: ComponentKey::new(component_key)?,
            instance_id: SafeId::new(instance_id)?,
            choice_id: SafeId::new(choice_id)?,
        })
    }
}

impl InteractionEvent {
    /// What was done.
    #[must_use]
    pub fn event(&self) -> &ComponentKey {
        &self.event
    }

    /// The value that came with it, if one did.
    #[must_use]
    pub fn value(&self) -> Option<&JsonText> {
        self.value.as_ref()
    }

    /// An event of one instance of a component, with a value or without.
    ///
    /// # Errors
    /// `invalid-argument` if a key or an identifier does not follow its grammar, or the value
    /// exceeds the bounds of props.
    pub fn new(
        component_key: &str,
        instance_id: &str,
        event: &str,
        value: Option<&JsonText>,
    ) -> SdkResult<Self> {
        Ok(Self {
            component_key: ComponentKey::new(component_key)?,
            instance_id: SafeId::new(instance_id)?,
            event: ComponentKey::new(event)?,
            value: value.map(bounded).transpose()?,
        })
    }
}

fn bounded(value: &JsonText) -> SdkResult<JsonText> {
    let node = read(value.as_str());
    node.as_ref().and_then(free_form).ok_or_else(|| invalid("a value within the bounds of props"))
}

impl Read for ComponentEvent {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        let is_known = fields.is("protocol", COMPONENT_PROTOCOL)
            && fields.number("version") == Some(f64::from(COMPONENT_PROTOCOL_VERSION));
        match fields.get("type").and_then(Node::as_text).filter(|_| is_known)? {
            SELECT => selection(fields).map(Self::Selection),
            INTERACT => interaction(fields).map(Self::Interaction),
            _ => None,
        }
    }
}

fn selection(fields: &Members<'_>) -> Option<SelectionEvent> {
    Some(SelectionEvent {
        component_key: fields.field("componentKey")?,
        instance_id: fields.field("instanceId")?,
        choice_id: fields.field("choiceId")?,
    })
}

fn interaction(fields: &Members<'_>) -> Option<InteractionEvent> {
    let value = match fields.get("value") {
        None => None,
        Some(node) => Some(free_form(node)?),
    };
    Some(InteractionEvent {
        component_key: fields.field("componentKey")?,
        instance_id: fields.field("instanceId")?,
        event: fields.field("event")?,
        value,
    })
}

impl Serialize for SelectionEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("SelectionEvent", 6)?;
        object.serialize_field("protocol", COMPONENT_PROTOCOL)?;
        object.serialize_field("version", &COMPONENT_PROTOCOL_VERSION)?;
        object.serialize_field("type", SELECT)?;
        object.serialize_field("componentKey", &self.component_key)?;
        object.serialize_field("instanceId", &self.instance_id)?;
        object.serialize_field("choiceId", &self.choice_id)?;
        object.end()
    }
}

impl Serialize for InteractionEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = if self.value.is_some() { 7 } else { 6 };
        let mut object = serializer.serialize_struct("InteractionEvent", fields)?;
        object.serialize_field("protocol", COMPONENT_PROTOCOL)?;
        object.serialize_field("version", &COMPONENT_PROTOCOL_VERSION)?;
        object.serialize_field("type", INTERACT)?;
        object.serialize_field("componentKey", &self.component_key)?;
        object.serialize_field("instanceId", &self.instance_id)?;
        object.serialize_field("event", &self.event)?;
        if let Some(value) = &self.value {
            object.serialize_field("value", value)?;
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(event: &impl Serialize) -> String {
        serde_json::to_string(event).unwrap()
    }

    #[test]
    fn what_the_constructors_give_is_read_back() {
        let selection = SelectionEvent::new("choice-list", "c1", "yes").unwrap();
        let read = read_component_event(&text(&selection)).unwrap();
        assert_eq!(read, ComponentEvent::Selection(selection));
        assert_eq!(read.component_key().as_str(), "choice-list");
        for value in [None, Some("null"), Some(r#"{"b":1,"1":[]}"#)] {
            let value = value.map(|text| JsonText::parse(text).unwrap());
            let event = InteractionEvent::new("form", "f1", "submit", value.as_ref()).unwrap();
            let Some(ComponentEvent::Interaction(read)) = read_component_event(&text(&event))
            else {
                panic!("{event:?}")
            };
            assert_eq!((read.event().as_str(), read.value()), ("submit", value.as_ref()));
        }
    }

    #[test]
    fn what_is_no_event_is_none() {
        let event = SelectionEvent::new("choice-list", "c1", "yes").unwrap();
        let sound = text(&event);
        for (from, to) in [
            ("agentskit.chat.component", "agentskit.chat.turn"),
            (r#""version":1"#, r#""version":2"#),
            (r#""version":1"#, r#""version":"1""#),
            (r#""select""#, r#""render""#),
            (r#""select""#, r#""interact""#),
            (r#""c1""#, r#""c 1""#),
            (r#""yes""#, "1"),
        ] {
            assert!(sound.contains(from), "{from}");
            assert_eq!(read_component_event(&sound.replace(from, to)), None, "{from} → {to}");
        }
        for text in ["", "null", "[]", "approve", "\"approve\""] {
            assert_eq!(read_component_event(text), None, "{text}");
        }
    }
}
