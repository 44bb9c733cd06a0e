//! A session's stored messages.

use super::fields::{FieldFault, Fields, FromJson};
use super::open_enum::open_enum;
use crate::json::JsonObject;
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
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        let session_id = fields.required("sessionId")?;
        let stored: Vec<Value> = fields.required("history")?;
        let history = stored
            .into_iter()
            .enumerate()
            .map(|(index, value)| {
                HistoryMessage::from_value(value)
                    .map_err(|fault| FieldFault(format!("in `history[{index}]`: {}", fault.0)))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { session_id, history, extra: fields.rest() })
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
        Self::from_value(value)
            .map_err(|fault| crate::Error::new(crate::ErrorKind::InvalidResponse, fault.0))
    }

    fn from_value(value: Value) -> Result<Self, FieldFault> {
        let object = JsonObject::from_json(value)
            .map_err(|_| FieldFault("expected a message object".into()))?;
        let mut fields = Fields::new(object);
        Ok(Self {
            role: fields.required("role")?,
            content: fields.required("content")?,
            extra: fields.rest(),
        })
    }
}

impl FromJson for Content {
    const EXPECTED: &'static str = "a string or an array of blocks";

    fn from_json(value: Value) -> Result<Self, Value> {
        match value {
            Value::String(text) => Ok(Self::Text(text)),
            Value::Array(items) if items.iter().all(Value::is_object) => Ok(Self::Blocks(
                items
                    .into_iter()
                    .filter_map(|item| JsonObject::from_json(item).ok())
                    .map(Block::of)
                    .collect(),
            )),
            other => Err(other),
        }
    }
}

impl Block {
    /// A known block only if nothing of it would be lost; otherwise it is kept whole.
    fn of(object: JsonObject) -> Self {
        Self::known(&mut Fields::new(object.clone())).unwrap_or(Self::Unknown(object))
    }

    fn known(fields: &mut Fields) -> Option<Self> {
        let kind: String = fields.required("type").ok()?;
        let block = match kind.as_str() {
            "text" => Self::Text { text: fields.required("text").ok()? },
            "tool_use" => Self::ToolUse {
                id: fields.required("id").ok()?,
                name: fields.required("name").ok()?,
                input: Value::Object(fields.required("input").ok()?),
            },
            "tool_result" => Self::ToolResult {
                tool_use_id: fields.required("tool_use_id").ok()?,
                content: fields.required("content").ok()?,
                is_error: fields.optional("is_error").ok()?,
                reason: fields.optional("reason").ok()?,
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
        let history = SessionHistory::read(&mut Fields::new(value.as_object().unwrap().clone()));
        assert_eq!(serde_json::to_value(history.unwrap()).unwrap(), value);
    }

    #[test]
    fn a_message_of_another_shape_is_named() {
        let value = json!({"sessionId": "s", "history": [{"role": "user", "content": 5}]});
        let fault = SessionHistory::read(&mut Fields::new(value.as_object().unwrap().clone()));
        assert_eq!(
            fault.unwrap_err().0,
            "in `history[0]`: `content`: expected a string or an array of blocks, found a number"
        );
    }
}
