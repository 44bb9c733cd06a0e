//! Strings as JavaScript has them: any sequence of UTF-16 units, whole or not.

use std::borrow::Cow;

/// How long JavaScript says a string is.
///
/// # Units
/// UTF-16 units: an emoji counts two.
///
/// # Examples
/// ```
/// assert_eq!(turnwire::json::utf16_len("é😀"), 3);
/// ```
#[must_use]
pub fn utf16_len(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Whether a string has at most `limit` UTF-16 units; a look at its bytes settles most.
pub(crate) fn fits_utf16(text: &str, limit: usize) -> bool {
    text.len() <= limit || utf16_len(text) <= limit
}

/// A string of a JSON text or value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum JsString<'a> {
    /// What a Rust string can hold.
    Text(Cow<'a, str>),
    /// UTF-16 units, at least one of them a surrogate without its partner.
    Units(Vec<u16>),
}

impl JsString<'_> {
    /// The string; lone surrogates become U+FFFD, so that its length in units stays.
    pub(crate) fn to_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Units(units) => Cow::Owned(String::from_utf16_lossy(units)),
        }
    }

    /// The string, unless it holds a lone surrogate.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Units(_) => None,
        }
    }

    /// Whether it has at most `limit` UTF-16 units.
    pub(crate) fn fits(&self, limit: usize) -> bool {
        match self {
            Self::Text(text) => fits_utf16(text, limit),
            Self::Units(units) => units.len() <= limit,
        }
    }
}

/// A string under construction; it turns to units at the first lone surrogate.
#[derive(Debug)]
pub(super) struct StringBuilder(JsString<'static>);

impl StringBuilder {
    pub(super) fn new(start: &str) -> Self {
        Self(JsString::Text(Cow::Owned(start.to_owned())))
    }

    pub(super) fn push_str(&mut self, part: &str) {
        match &mut self.0 {
            JsString::Text(text) => text.to_mut().push_str(part),
            JsString::Units(units) => units.extend(part.encode_utf16()),
        }
    }

    pub(super) fn push(&mut self, character: char) {
        self.push_str(character.encode_utf8(&mut [0; 4]));
    }

    pub(super) fn push_lone(&mut self, surrogate: u16) {
        match &mut self.0 {
            JsString::Text(text) => {
                let units = text.encode_utf16().chain([surrogate]).collect();
                self.0 = JsString::Units(units);
            }
            JsString::Units(units) => units.push(surrogate),
        }
    }

    pub(super) fn build(self) -> JsString<'static> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_surrogate_keeps_its_place_and_counts_one() {
        let mut builder = StringBuilder::new("é");
        builder.push('😀');
        builder.push_lone(0xD800);
        builder.push_str("z");
        let string = builder.build();
        assert_eq!(string, JsString::Units(vec![0xE9, 0xD83D, 0xDE00, 0xD800, 0x7A]));
        assert_eq!(string.to_text(), "é😀\u{fffd}z");
        assert_eq!(string.as_text(), None);
        assert!(string.fits(5) && !string.fits(4));
    }

    #[test]
    fn lengths_count_units_and_not_bytes() {
        assert!(fits_utf16("字字", 2));
        assert!(!fits_utf16("😀", 1));
    }
}
