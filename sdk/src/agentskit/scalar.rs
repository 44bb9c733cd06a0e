//! Identifiers, keys and timestamps: strings that follow a grammar.

use super::fields::Read;
use super::timestamp;
use crate::json::Node;
use crate::{Error, ErrorKind, Result};
use std::fmt;
use std::ops::Deref;

/// Defines a string that follows a grammar.
macro_rules! scalar {
    ($(#[$doc:meta])* $name:ident, $expected:literal, $is_valid:path) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// Checks a string.
            ///
            /// # Errors
            /// `invalid-argument` if the string does not follow the grammar.
            pub fn new(text: impl Into<String>) -> Result<Self> {
                let text = text.into();
                if $is_valid(&text) {
                    return Ok(Self(text));
                }
                Err(Error::new(ErrorKind::InvalidArgument, concat!("expected ", $expected)))
            }

            /// The string.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Read for $name {
            fn read(node: &Node<'_>) -> Option<Self> {
                let text = node.as_text()?;
                $is_valid(text).then(|| Self(text.to_owned()))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(
                &self,
                serializer: S,
            ) -> std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }
    };
}

scalar! {
    /// An identifier that is safe to echo.
    ///
    /// # Protocol
    /// A letter or digit, then up to 127 of letters, digits, `.`, `_`, `:` and `-`; ASCII only.
    /// Observed in AgentsKit-io/agentskit-chat@9836963.
    ///
    /// # Examples
    /// ```
    /// use turnwire::agentskit::SafeId;
    /// assert_eq!(SafeId::new("room:42")?.as_str(), "room:42");
    /// assert!(SafeId::new("room 42").is_err());
    /// # Ok::<(), turnwire::Error>(())
    /// ```
    SafeId, "an identifier of 1 to 128 letters, digits and . _ : -", is_safe_id
}

scalar! {
    /// The key of a component, or the name of an interaction.
    ///
    /// # Protocol
    /// A small letter, then up to 63 of small letters, digits and `-`; ASCII only.
    /// Observed in AgentsKit-io/agentskit-chat@9836963.
    ComponentKey, "a key of 1 to 64 small letters, digits and -", is_component_key
}

scalar! {
    /// An instant as the sender wrote it.
    ///
    /// # Protocol
    /// A real calendar day, `T`, a time whose seconds are optional, and `Z` or an offset.
    /// Observed in AgentsKit-io/agentskit-chat@9836963 with zod 4.4.3.
    Timestamp, "an ISO 8601 instant with an offset", timestamp::is_instant
}

impl Timestamp {
    /// An instant as JavaScript's `toISOString` writes it.
    ///
    /// # Units
    /// Milliseconds since 1970; what lies behind the year 9999 is its last instant.
    ///
    /// # Examples
    /// ```
    /// use turnwire::agentskit::Timestamp;
    /// assert_eq!(Timestamp::from_unix_ms(0).as_str(), "1970-01-01T00:00:00.000Z");
    /// ```
    #[must_use]
    pub fn from_unix_ms(ms: u64) -> Self {
        Self(timestamp::written(ms))
    }
}

scalar! {
    /// The code of a diagnostic that a server sends.
    ///
    /// # Protocol
    /// A capital letter, then capital letters, digits and `_`; ASCII only, of any length.
    /// Observed in AgentsKit-io/agentskit-chat@9836963.
    ErrorCode, "a code of capital letters, digits and _", is_error_code
}

fn is_safe_id(text: &str) -> bool {
    let follows = |b: u8| b.is_ascii_alphanumeric() || b"._:-".contains(&b);
    text.len() <= 128 && starts_and_goes_on(text, |b| b.is_ascii_alphanumeric(), follows)
}

fn is_component_key(text: &str) -> bool {
    let follows = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    text.len() <= 64 && starts_and_goes_on(text, |b| b.is_ascii_lowercase(), follows)
}

fn is_error_code(text: &str) -> bool {
    let follows = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    starts_and_goes_on(text, |b| b.is_ascii_uppercase(), follows)
}

fn starts_and_goes_on(text: &str, first: impl Fn(u8) -> bool, next: impl Fn(u8) -> bool) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(first) && bytes.all(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_end_where_their_grammar_ends() {
        assert!(is_safe_id("0._:-") && is_safe_id(&"a".repeat(128)));
        for text in ["", "-a", "a b", "a\n", "é", &"a".repeat(129)] {
            assert!(!is_safe_id(text), "{text:?}");
        }
        assert!(is_component_key("a-") && is_component_key(&"z".repeat(64)));
        for text in ["", "A", "1a", "-a", "a_b", "a\n", &"z".repeat(65)] {
            assert!(!is_component_key(text), "{text:?}");
        }
        assert!(is_error_code("A_1"));
        for text in ["", "a", "_A", "1A", "A-B", "A\n"] {
            assert!(!is_error_code(text), "{text:?}");
        }
    }
}
