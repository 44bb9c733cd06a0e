//! Finding words and order ids in what a user writes.

/// Whether one of the words stands in the text, in any case.
pub(super) fn has_word(text: &str, words: &[&str]) -> bool {
    tokens(text).any(|token| words.iter().any(|word| token.eq_ignore_ascii_case(word)))
}

/// The first order id, such as `A-1001`, in capitals.
pub(super) fn order_id(text: &str) -> Option<String> {
    tokens(text).map(str::to_ascii_uppercase).find(|token| is_order_id(token))
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-')
}

fn is_order_id(token: &str) -> bool {
    token.split_once('-').is_some_and(|(letter, digits)| {
        letter.len() == 1
            && letter.starts_with(|c: char| c.is_ascii_uppercase())
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_order_ids_among_words() {
        for (text, id) in [
            ("order A-1001 arrived broken, can you refund it?", Some("A-1001")),
            ("(a-1002)!", Some("A-1002")),
            ("e-mail me about B-7", Some("B-7")),
            ("no id, A-, 7-7, AB-12", None),
        ] {
            assert_eq!(order_id(text).as_deref(), id, "{text}");
        }
    }

    #[test]
    fn finds_words_and_not_parts_of_words() {
        assert!(has_word("Please REFUND it.", &["refund"]));
        assert!(!has_word("it arrived broken at breakfast", &["break"]));
    }
}
