//! Escaped surrogates that lack their partner.

use std::borrow::Cow;

const REPLACEMENT: &str = "\\ufffd";
const ESCAPE_LEN: usize = 6;

/// Replaces each `\uD800`–`\uDFFF` escape that is not part of a pair with `\ufffd`.
pub(super) fn replace_lone(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = next_backslash(text, at) {
        let step = match (unit(text, found), unit(text, found + ESCAPE_LEN)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 2 * ESCAPE_LEN,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str(text.get(copied..found).unwrap_or_default());
                out.push_str(REPLACEMENT);
                copied = found + ESCAPE_LEN;
                ESCAPE_LEN
            }
            _ => 2,
        };
        at = found + step;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

fn next_backslash(text: &str, from: usize) -> Option<usize> {
    memchr::memchr(b'\\', text.as_bytes().get(from..)?).map(|offset| from + offset)
}

/// The UTF-16 unit of a `\uXXXX` escape that starts at `at`.
fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + ESCAPE_LEN)?.strip_prefix("\\u")?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_pairs_and_replaces_the_lone() {
        for (given, right) in [
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""a\uDE00b""#, r#""a\ufffdb""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud83dé""#, r#""\ufffdé""#),
            (r#""\ud83"#, r#""\ud83"#),
        ] {
            assert_eq!(replace_lone(given), right);
        }
    }
}
