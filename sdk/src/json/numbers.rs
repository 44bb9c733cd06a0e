//! Integers that a JavaScript number cannot hold exactly.

const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Every integer literal in a JSON text beyond ±(2^53−1), in order, as written.
///
/// JavaScript rounds these in silence; a client that hands JSON to it reports them instead.
///
/// # Examples
/// ```
/// let found: Vec<_> = turnwire::json::imprecise_integers(r#"{"seq":9007199254740993}"#).collect();
/// assert_eq!(found, ["9007199254740993"]);
/// ```
pub fn imprecise_integers(text: &str) -> impl Iterator<Item = &str> {
    outside_strings(text)
        .flat_map(|part| {
            part.split(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'))
        })
        .filter(|literal| is_imprecise(literal))
}

fn is_imprecise(literal: &str) -> bool {
    let digits = literal.strip_prefix('-').unwrap_or(literal);
    digits.len() > 15
        && digits.bytes().all(|b| b.is_ascii_digit())
        && digits.parse::<u64>().map_or(true, |value| value > MAX_SAFE_INTEGER)
}

/// The stretches between string literals.
fn outside_strings(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (part, after) = rest.split_once('"').unwrap_or((rest, ""));
        rest = after_string(after);
        Some(part)
    })
}

/// What follows a string literal's closing quote.
fn after_string(text: &str) -> &str {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return text.get(at + 1..).unwrap_or_default(),
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_only_integers_outside_strings_that_do_not_fit() {
        let text = r#"{"9007199254740993":"9007199254740993 \" 9007199254740993",
            "a":[9007199254740991,-9007199254740993,1e300,0.12345678901234567890],
            "b":123456789012345678901234567890}"#;
        let found: Vec<_> = imprecise_integers(text).collect();
        assert_eq!(found, ["-9007199254740993", "123456789012345678901234567890"]);
    }
}
