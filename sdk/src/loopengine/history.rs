//! A session's stored messages.

use super::fields::{FieldFault, Fields, FromJson, Misfit};
use super::open_enum::open_enum;
use crate::json::{JsonObject, type_name};
use serde::Serialize;
use serde_json::Value;

open_enum! {
    /// Who speaks.
    Role {
        /// The user, and tool results.
        User = "user",
        /// The model.
        Assistant = "assistant",
        /// The engine.
        System = "system",
    }
}

/// What `GET /agents/:name/sessions/:id` answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionHistory {
    /// Id of the session.
    pub session_id: String,
    /// Its messages, oldest first; empty for a session that the server does not know.
    pub history: Vec<HistoryMessage>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: JsonObject,
}

/// One stored message.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Content,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: JsonObject,
}

/// A message's content.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// Plain text; a `user` message with it is what the user wrote.
    Text(String),
    /// Blocks; a `user` message with them holds tool results.
    Blocks(Vec<Block>),
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A call that the model asked for.
    ToolUse {
        /// The model's id of the call.
        id: String,
        /// Name of the tool.
        name: String,
        /// Its arguments.
        input: Value,
    },
    /// What came of a call.
    ToolResult {
        /// The call's id.
        tool_use_id: String,
        /// The result as JSON text, or `ERROR: …`, `denied: …`, `skipped: …`.
        content: String,
        /// Whether it is anything but a result.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
        /// Why the call was allowed, denied or skipped.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A block that this version does not know, kept whole.
    #[serde(untagged)]
    Unknown(JsonObject),
}

impl SessionHistory {
    pub(super) fn read(mut fields: Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            session_id: fields.take("sessionId")?,
            history: fields.take("history")?,
            extra: fields.rest(),
        })
    }
}

impl HistoryMessage {
    /// A message without extra fields.
    #[must_use]
    pub fn new(role: Role, content: Content) -> Self {
        Self { role, content, extra: JsonObject::new() }
    }

    /// Reads a stored message.
    ///
    /// # Errors
    /// `invalid-response` with the field that is missing or wrong.
    pub fn from_json(value: Value) -> crate::Result<Self> {
        let message = <Self as FromJson>::from_json(value).map_err(|misfit| match misfit {
            Misfit::Inside(fault) => fault.to_string(),
            Misfit::Type(value) => {
                format!("expected {}, found {}", Self::EXPECTED, type_name(&value))
            }
        });
        message.map_err(|text| crate::Error::new(crate::ErrorKind::InvalidResponse, text))
    }
}

impl FromJson for HistoryMessage {
    const EXPECTED: &'static str = "a message object";

    fn from_json(value: Value) -> Result<Self, Misfit> {
        let mut fields = Fields::of(value)?;
        Ok(Self {
            role: fields.take("role")?,
            content: fields.take("content")?,
            extra: fields.rest(),
        })
    }
}

impl FromJson for Content {
    const EXPECTED: &'static str = "a string or an array of blocks";

    fn from_json(value: Value) -> Result<Self, Misfit> {
        match value {
            Value::String(text) => Ok(Self::Text(text)),
            Value::Array(_) => Vec::from_json(value).map(Self::Blocks),
            other => Err(Misfit::Type(other)),
        }
    }
}

impl FromJson for Block {
    const EXPECTED: &'static str = "an object";

    fn from_json(value: Value) -> Result<Self, Misfit> {
        JsonObject::from_json(value).map(Self::of)
    }
}

impl Block {
    /// A known block only if nothing of it would be lost; otherwise it is kept whole.
    fn of(object: JsonObject) -> Self {
        Self::known(Fields::new(object.clone())).unwrap_or(Self::Unknown(object))
    }

    fn known(mut fields: Fields) -> Option<Self> {
        let kind: String = fields.take("type").ok()?;
        let block = match kind.as_str() {
            "text" => Self::Text { text: fields.take("text").ok()? },
            "tool_use" => Self::ToolUse {
                id: fields.take("id").ok()?,
                name: fields.take("name").ok()?,
                input: Value::Object(fields.take("input").ok()?),
            },
            "tool_result" => Self::ToolResult {
                tool_use_id: fields.take("tool_use_id").ok()?,
                content: fields.take("content").ok()?,
                is_error: fields.take("is_error").ok()?,
                reason: fields.take("reason").ok()?,
            },
            _ => return None,
        };
        fields.rest().is_empty().then_some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_shape_survives_a_round_trip() {
        let value = json!({"sessionId": "s", "history": [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": [
                {"type": "text", "text": "one moment"},
                {"type": "thinking", "text": "hm"},
                {"type": "tool_use", "id": "c1", "name": "lookup_order", "input": {"orderId": "A-1001"}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "{}", "is_error": false, "reason": "r"}]},
            {"role": "narrator", "content": "later", "at": 5}], "next": null});
        let history = SessionHistory::read(Fields::of(value.clone()).unwrap());
        assert_eq!(serde_json::to_value(history.unwrap()).unwrap(), value);
    }

    #[test]
    fn a_message_of_another_shape_is_named() {
        let value = json!({"sessionId": "s", "history": [{"role": "user", "content": 5}]});
        let fault = SessionHistory::read(Fields::of(value).unwrap());
        assert_eq!(
            fault.unwrap_err().to_string(),
            "`history[0].content`: expected a string or an array of blocks, found a number"
        );
    }
}
