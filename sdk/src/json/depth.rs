//! How deep a text nests, without building it.

/// Whether brackets outside strings open deeper than `limit`, in one pass and constant memory.
pub(super) fn exceeds(text: &str, limit: usize) -> bool {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limit {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_do_not_count() {
        assert!(!exceeds(r#"{"a":"[[[[\"[["}"#, 1));
        assert!(exceeds("[[1]]", 1));
    }
}
