//! What a user does with a component, on its way to the application.

use super::bounds::free_form;
use super::encode::invalid;
use super::frame::{COMPONENT_PROTOCOL, COMPONENT_PROTOCOL_VERSION};
use super::scalar::{ComponentKey, SafeId};
use crate::Result as SdkResult;
use crate::json::{JsonText, read};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

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

impl SelectionEvent {
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

impl Serialize for SelectionEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("SelectionEvent", 6)?;
        object.serialize_field("protocol", COMPONENT_PROTOCOL)?;
        object.serialize_field("version", &COMPONENT_PROTOCOL_VERSION)?;
        object.serialize_field("type", "select")?;
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
        object.serialize_field("type", "interact")?;
        object.serialize_field("componentKey", &self.component_key)?;
        object.serialize_field("instanceId", &self.instance_id)?;
        object.serialize_field("event", &self.event)?;
        if let Some(value) = &self.value {
            object.serialize_field("value", value)?;
        }
        object.end()
    }
}
