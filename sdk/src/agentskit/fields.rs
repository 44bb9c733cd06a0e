//! Reading typed fields out of a JSON object; a field that does not fit is simply no value.

use crate::json::{Members, Node, fits_utf16};
use std::ops::RangeInclusive;

/// The largest integer that a JavaScript number holds exactly with all before it.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// A type that a JSON value can be read as.
pub(super) trait Read: Sized {
    /// The value as that type, unless it does not fit.
    fn read(node: &Node<'_>) -> Option<Self>;
}

/// An object from which fields are read by name.
pub(super) trait Fields {
    /// A required field.
    fn field<T: Read>(&self, name: &str) -> Option<T>;
    /// A field that may be absent; an explicit null is a value that does not fit.
    fn optional<T: Read>(&self, name: &str) -> Option<Option<T>>;
    /// A required string of so many UTF-16 units.
    fn bounded(&self, name: &str, units: RangeInclusive<usize>) -> Option<String>;
    /// Whether a field is exactly this string.
    fn is(&self, name: &str, text: &str) -> bool;
    /// A field that is a number.
    fn number(&self, name: &str) -> Option<f64>;
}

impl Fields for Members<'_> {
    fn field<T: Read>(&self, name: &str) -> Option<T> {
        T::read(self.get(name)?)
    }

    fn optional<T: Read>(&self, name: &str) -> Option<Option<T>> {
        match self.get(name) {
            None => Some(None),
            Some(node) => T::read(node).map(Some),
        }
    }

    fn bounded(&self, name: &str, units: RangeInclusive<usize>) -> Option<String> {
        let text: String = self.field(name)?;
        let is_long_enough = *units.start() == 0 || !text.is_empty();
        (is_long_enough && fits_utf16(&text, *units.end())).then_some(text)
    }

    fn is(&self, name: &str, text: &str) -> bool {
        self.get(name).and_then(Node::as_text) == Some(text)
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.as_number()
    }
}

impl Read for String {
    fn read(node: &Node<'_>) -> Option<Self> {
        node.as_string().map(|string| string.to_text().into_owned())
    }
}

impl Read for bool {
    fn read(node: &Node<'_>) -> Option<Self> {
        node.as_bool()
    }
}

impl Read for u64 {
    /// A safe integer from zero on, judged by the double that it became.
    fn read(node: &Node<'_>) -> Option<Self> {
        let number = node.as_number()?;
        let is_integer = number.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(&number);
        is_integer.then_some(number as Self)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(node: &Node<'_>) -> Option<Self> {
        node.as_array()?.iter().map(T::read).collect()
    }
}

/// Whether every key differs from every other.
pub(super) fn are_unique<'a>(keys: impl Iterator<Item = &'a str>) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut keys = keys;
    keys.all(|key| seen.insert(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;

    #[test]
    fn integers_are_judged_by_their_doubles() {
        let integer = |text: &str| u64::read(&read(text).unwrap());
        for (text, right) in [
            ("1.0", 1),
            ("1E+2", 100),
            ("-0", 0),
            ("-1e-400", 0),
            ("0.9999999999999999999", 1),
            ("9007199254740991.4", 9_007_199_254_740_991),
        ] {
            assert_eq!(integer(text), Some(right), "{text}");
        }
        for text in ["-1", "1.5", "9007199254740991.5", "9007199254740992", "1e400", "\"1\""] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn null_is_not_absent() {
        let node = read(r#"{"a":null,"b":"x"}"#).unwrap();
        let fields = node.as_object().unwrap();
        assert_eq!(fields.optional::<String>("a"), None);
        assert_eq!(fields.optional::<String>("b"), Some(Some("x".into())));
        assert_eq!(fields.optional::<String>("c"), Some(None));
    }
}
