//! Parts → the content of an assistant's message.

use super::Fault;
use turnwire::agentskit::{
    ASSISTANT_CONTENT_MAX_BYTES, AssistantContentEncoder, AssistantPart, ContentKind, which_content,
};

/// Units of a text record.
const MAX_TEXT_UNITS: usize = 16_384;

/// The content that says these parts: plain text where they are that, an envelope otherwise.
///
/// # Protocol
/// Our choice: text that a client would take for an envelope or a component goes into an envelope,
/// so that what a model writes is never more than text. What is too long for an envelope loses its
/// texts, for a component is what somebody may have to decide on.
pub(super) fn content(parts: &[AssistantPart]) -> Result<String, Fault> {
    if let Some(text) = plain(parts) {
        return Ok(text);
    }
    let whole = envelope(parts)?;
    if whole.len() <= ASSISTANT_CONTENT_MAX_BYTES {
        return Ok(whole);
    }
    let is_component = |part: &&AssistantPart| matches!(part, AssistantPart::Component(_));
    envelope(&parts.iter().filter(is_component).cloned().collect::<Vec<_>>())
}

/// A text of at most so many UTF-16 units, with an ellipsis where it was longer.
pub(super) fn cut(text: &str, max_units: usize) -> String {
    if turnwire::json::utf16_len(text) <= max_units {
        return text.to_owned();
    }
    let mut kept = head(text, max_units.saturating_sub(1)).to_owned();
    kept.push('…');
    kept
}

fn plain(parts: &[AssistantPart]) -> Option<String> {
    let text = |part: &AssistantPart| match part {
        AssistantPart::Text(text) => Some(text.clone()),
        AssistantPart::Component(_) => None,
    };
    let texts: Vec<_> = parts.iter().map(text).collect::<Option<_>>()?;
    let text = texts.join("\n\n");
    (which_content(&text) == ContentKind::Text).then_some(text)
}

fn envelope(parts: &[AssistantPart]) -> Result<String, Fault> {
    let mut encoder = AssistantContentEncoder::new();
    let mut envelope = String::new();
    for part in parts {
        match part {
            AssistantPart::Text(text) => {
                for piece in pieces(text) {
                    envelope += &encoder.encode(&AssistantPart::Text(piece.into()))?;
                }
            }
            AssistantPart::Component(_) => envelope += &encoder.encode(part)?,
        }
    }
    Ok(envelope)
}

/// A text in pieces that each fit into a record; renderers join them again.
fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let piece = head(text, MAX_TEXT_UNITS);
        text = &text[piece.len()..];
        (!piece.is_empty()).then_some(piece)
    })
}

/// The longest head of a text with at most so many UTF-16 units.
fn head(text: &str, max_units: usize) -> &str {
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > max_units
    });
    end.map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwire::agentskit::{decode_assistant_content, fallback_text};

    fn text(text: &str) -> AssistantPart {
        AssistantPart::Text(text.into())
    }

    #[test]
    fn text_stays_text_unless_a_client_would_take_it_for_more() {
        assert_eq!(content(&[text("a"), text("b")]).unwrap(), "a\n\nb");
        assert_eq!(content(&[]).unwrap(), "");
        for raw in ["\u{1e}agentskit", r#"{"protocol":"agentskit.chat.component"}"#] {
            let content = content(&[text(raw)]).unwrap();
            let decoded = decode_assistant_content(&content).unwrap();
            assert_eq!(decoded.parts, [text(raw)]);
        }
    }

    #[test]
    fn a_long_text_is_cut_into_records_and_comes_back_whole() {
        let long = format!("\u{1e}{}", "ü😀".repeat(10_000));
        let content = content(&[text(&long)]).unwrap();
        let decoded = decode_assistant_content(&content).unwrap();
        assert_eq!(decoded.parts.len(), 2);
        assert_eq!(fallback_text(&decoded.parts), long);
    }

    #[test]
    fn cuts_end_before_a_character_that_does_not_fit() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("a😀d", 3), "a…");
    }
}
