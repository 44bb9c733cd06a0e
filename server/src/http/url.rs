//! Paths in responses and in requests.

use std::fmt::Write;

/// Encodes a path segment as JavaScript's `encodeURIComponent` does.
pub(super) fn encode_segment(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => encoded.push(byte.into()),
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => {
                encoded.push(byte.into());
            }
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

/// Whether every `%` of a path starts a sound sequence and the whole is UTF-8.
pub(super) fn is_sound(path: &str) -> bool {
    decode(path.as_bytes()).is_some_and(|bytes| std::str::from_utf8(&bytes).is_ok())
}

fn decode(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let (&[high, low], after) = rest.split_first_chunk::<2>()?;
        decoded.push(hex(high)? << 4 | hex(low)?);
        rest = after;
    }
    Some(decoded)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_as_javascript_does() {
        assert_eq!(encode_segment("désk / ü"), "d%C3%A9sk%20%2F%20%C3%BC");
        assert_eq!(encode_segment("a/b ü?#%"), "a%2Fb%20%C3%BC%3F%23%25");
        assert_eq!(encode_segment("Az9-_.!~*'()"), "Az9-_.!~*'()");
    }

    #[test]
    fn tells_sound_paths_from_broken_ones() {
        assert!(is_sound("/agents/d%C3%A9sk/x"));
        for path in ["/%", "/%4", "/%zz", "/%C3", "/%ff%fe", "/a%e2%28%a1"] {
            assert!(!is_sound(path), "{path}");
        }
    }
}
