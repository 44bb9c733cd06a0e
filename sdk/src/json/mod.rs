//! What the protocols need of JSON beyond what serde_json gives: JSON as JavaScript defines it.

use crate::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde_json::{Map, Value};

mod depth;
mod node;
mod numbers;
mod print;
mod read;
mod string;
mod surrogates;
mod text;
mod white_space;

pub use numbers::imprecise_integers;
pub use string::utf16_len;
pub use text::JsonText;
pub use white_space::trim;

pub(crate) use node::{Members, Node};
pub(crate) use read::read;
pub(crate) use string::fits_utf16;
pub(crate) use text::serialize_number;

/// A JSON object that keeps the order of its keys.
pub type JsonObject = Map<String, Value>;

/// How deep arrays and objects may nest.
pub const MAX_NESTING: usize = 128;

/// Parses one JSON text.
///
/// # Protocol
/// Our choice: an escaped surrogate without its partner, which JavaScript accepts and a Rust string
/// cannot hold, becomes U+FFFD instead of failing the text.
///
/// # Errors
/// `invalid-json`; `nesting-too-deep` beyond [`MAX_NESTING`] levels.
///
/// # Examples
/// ```
/// let value = turnwire::json::parse(r#"{"text":"\ud83d"}"#).unwrap();
/// assert_eq!(value["text"], "\u{fffd}");
/// ```
pub fn parse(text: &str) -> Result<Value> {
    if depth::exceeds(text, MAX_NESTING) {
        return Err(Error::new(
            ErrorKind::NestingTooDeep,
            format!("JSON nests deeper than {MAX_NESTING} levels"),
        ));
    }
    let text = surrogates::replace_lone(text);
    // serde_json's own limit is one level lower; the depth is checked above.
    let mut parser = serde_json::Deserializer::from_str(&text);
    parser.disable_recursion_limit();
    let value = Value::deserialize(&mut parser).map_err(|error| fault(&error))?;
    parser.end().map_err(|error| fault(&error))?;
    Ok(value)
}

/// The name of a value's JSON type, for messages.
#[must_use]
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn fault(error: &serde_json::Error) -> Error {
    let found = if error.is_eof() { "it ends too early" } else { "it has a syntax error" };
    Error::new(
        ErrorKind::InvalidJson,
        format!("expected JSON, but {found} at column {} of line {}", error.column(), error.line()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_is_wrong_and_where() {
        let error = parse("{\"a\":}").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidJson);
        assert_eq!(
            error.to_string(),
            "expected JSON, but it has a syntax error at column 6 of line 1"
        );
        assert!(parse("{\"a\":").unwrap_err().to_string().contains("ends too early"));
    }

    #[test]
    fn takes_128_levels_and_refuses_129() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(parse(&nested(128)).is_ok());
        assert_eq!(parse(&nested(129)).unwrap_err().kind(), ErrorKind::NestingTooDeep);
    }
}
