//! Patterns of rules: `*` stands for any text, everything else for itself.

/// Whether `text` fits `pattern`.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = rest.split_at(at + part.len()).1,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text, expected) in [
            ("issue_refund", "issue_refund", true),
            ("issue_refund", "issue_refunds", false),
            ("*", "", true),
            ("delete_*", "delete_orders", true),
            ("delete_*", "undelete_orders", false),
            ("*_order", "lookup_order", true),
            ("*order*", "lookup_orders", true),
            ("a*a", "a", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "acb", false),
            ("**", "x", true),
            ("", "", true),
            ("", "x", false),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }
}
