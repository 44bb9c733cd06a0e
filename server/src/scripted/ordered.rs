//! Answers that are more than text: prose and components in one order.

use crate::engine::{ModelError, Reply};
use serde_json::Value;
use turnwire::Result;
use turnwire::agentskit::{
    AssistantContentEncoder, AssistantPart, ComponentFrame, ComponentKey, Fallback, SafeId,
    fallback_text,
};
use turnwire::json::JsonText;

/// An answer that grows part by part.
#[derive(Debug, Default)]
pub(super) struct Ordered(Vec<AssistantPart>);

/// A component, and what it says where it is not known.
#[derive(Debug)]
pub(super) struct Component<'a> {
    pub(super) key: &'a str,
    /// Which one of its kind in the conversation.
    pub(super) instance: String,
    pub(super) props: Value,
    pub(super) words: &'a str,
}

impl Ordered {
    pub(super) fn text(mut self, text: &str) -> Self {
        self.0.push(AssistantPart::Text(text.into()));
        self
    }

    pub(super) fn component(mut self, component: Component<'_>) -> Result<Self> {
        let Component { key, instance, props, words } = component;
        self.0.push(AssistantPart::Component(ComponentFrame {
            component_key: ComponentKey::new(key)?,
            instance_id: SafeId::new(instance)?,
            props: JsonText::of(&props)?,
            fallback: Fallback::new(key, words)?,
        }));
        Ok(self)
    }

    /// The answer, in words too.
    pub(super) fn reply(self) -> Result<Reply> {
        let mut encoder = AssistantContentEncoder::new();
        let envelope: String =
            self.0.iter().map(|part| encoder.encode(part)).collect::<Result<_>>()?;
        Ok(Reply { text: fallback_text(&self.0), ordered: Some(envelope), ..Reply::default() })
    }
}

/// A script's fault is told as the model's.
pub(super) fn or_failed(reply: Result<Reply>) -> std::result::Result<Reply, ModelError> {
    reply.map_err(|error| ModelError::Failed(error.to_string()))
}
