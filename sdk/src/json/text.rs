//! JSON of any shape, kept as its text.

use super::node::Node;
use super::print::print;
use super::read::read;
use super::{parse, surrogates};
use crate::{Error, ErrorKind, Result};
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// JSON whose shape is somebody else's business, as the text that `JSON.stringify` would give.
///
/// The text holds what a Rust value could not: numbers as JavaScript prints them, lone surrogates
/// as escapes, keys in JavaScript's order. It goes into a larger JSON text as it is.
///
/// # Examples
/// ```
/// use turnwire::json::JsonText;
/// let props = JsonText::parse(r#"{ "b": 1.0, "1": "\u00e9" }"#)?;
/// assert_eq!(props.as_str(), r#"{"1":"é","b":1}"#);
/// assert_eq!(props.to_value()["b"], 1);
///
/// #[derive(serde::Deserialize)]
/// struct Props { b: u8 }
/// assert_eq!(props.to::<Props>()?.b, 1);
/// # Ok::<(), turnwire::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct JsonText(String);

impl JsonText {
    /// Parses a JSON text as `JSON.parse` does and prints it as `JSON.stringify` does.
    ///
    /// # Errors
    /// `invalid-json`; `nesting-too-deep` beyond [`MAX_NESTING`](super::MAX_NESTING) levels.
    pub fn parse(text: &str) -> Result<Self> {
        match read(text) {
            Some(node) if !super::depth::exceeds(text, super::MAX_NESTING) => {
                Ok(Self::of_node(&node))
            }
            // Says what is wrong and where.
            _ => parse(text).and_then(|value| Self::of(&value)),
        }
    }

    /// What a value serialises to.
    ///
    /// # Errors
    /// `invalid-argument` if it does not serialise to JSON; `nesting-too-deep`.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self> {
        let text = serde_json::to_string(value).map_err(|_| {
            Error::new(ErrorKind::InvalidArgument, "expected a value that serialises to JSON")
        })?;
        Self::parse(&text)
    }

    pub(crate) fn of_node(node: &Node<'_>) -> Self {
        Self(print(node))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads the JSON as a type of yours; a lone surrogate becomes U+FFFD.
    ///
    /// # Errors
    /// `invalid-argument` if it has another shape.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(&surrogates::replace_lone(&self.0)).map_err(|error| {
            let column = error.column();
            let message = format!("the JSON has another shape than the type, at column {column}");
            Error::new(ErrorKind::InvalidArgument, message)
        })
    }

    /// The JSON as a tree; a lone surrogate becomes U+FFFD.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Invariant: the text is JSON at most `MAX_NESTING` levels deep.
        parse(&self.0).unwrap_or_default()
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JsonText({})", self.0)
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Serialises a number as JavaScript prints it.
pub(crate) fn serialize_number<S: Serializer>(
    number: &f64,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    JsonText::of_node(&Node::Number(*number)).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_into_a_larger_text_unchanged() {
        let text = r#"{"9":"\ud800","b":1e+21,"c":[null,true]}"#;
        let kept = JsonText::parse(text).unwrap();
        assert_eq!(kept.as_str(), text);
        let outer = serde_json::to_string(&[&kept, &kept]).unwrap();
        assert_eq!(outer, format!("[{text},{text}]"));
        assert_eq!(JsonText::of(&kept).unwrap(), kept);
        assert_eq!(kept.to_value()["9"], "\u{fffd}");
    }

    #[test]
    fn says_what_is_wrong_with_a_text() {
        assert_eq!(JsonText::parse("{").unwrap_err().kind(), ErrorKind::InvalidJson);
        let nested = "[".repeat(129) + &"]".repeat(129);
        assert_eq!(JsonText::parse(&nested).unwrap_err().kind(), ErrorKind::NestingTooDeep);
        let text = JsonText::parse("[1]").unwrap();
        assert_eq!(text.to::<String>().unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
