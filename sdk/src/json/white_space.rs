//! White space as JavaScript's `trim` knows it.

/// Strips what JavaScript's `String.prototype.trim` strips.
///
/// `str::trim` differs both ways: it strips U+0085 and leaves U+FEFF.
///
/// # Examples
/// ```
/// assert_eq!(turnwire::json::trim("\u{feff}\u{3000}\u{85}x \n"), "\u{85}x");
/// ```
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

fn is_white_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differs_from_rust_in_two_characters_only() {
        let differing: Vec<_> =
            ('\0'..=char::MAX).filter(|c| is_white_space(*c) != c.is_whitespace()).collect();
        assert_eq!(differing, ['\u{85}', '\u{feff}']);
    }
}
