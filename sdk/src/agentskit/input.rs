//! What decoders take: a JSON text, or a value that was parsed already.

use crate::json::{Node, read};
use serde_json::Value;

/// What a decoder takes. A string is always JSON text, so a JSON value that is a string is text.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// A JSON text.
    Text(&'a str),
    /// A value that is no string.
    Value(&'a Value),
}

impl<'a> Input<'a> {
    /// The value; nothing where a text is not JSON.
    pub(super) fn node(self) -> Option<Node<'a>> {
        match self {
            Self::Text(text) => read(text),
            Self::Value(value) => Some(Node::of(value)),
        }
    }
}

impl<'a> From<&'a str> for Input<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Input<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a Value> for Input<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::String(text) => Self::Text(text),
            other => Self::Value(other),
        }
    }
}
