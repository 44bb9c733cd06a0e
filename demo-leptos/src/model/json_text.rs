//! JSON as people read it: indented, coloured, with nothing hidden in it.

use serde_json::{Map, Value};

const MAX_BRIEF_CHARS: usize = 64;

/// What a piece of JSON text is, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Brackets, commas and white space.
    Plain,
    /// A key.
    Key,
    /// A string.
    Text,
    /// A number, `true`, `false` or `null`.
    Atom,
}

/// A piece of text in one colour. It is text, never markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its colour.
    pub ink: Ink,
    /// Its text.
    pub text: String,
}

/// A tool's outcome.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is JSON.
    Json(Value),
    /// It is a text.
    Text(String),
}

/// Lays a value out over indented lines.
#[must_use]
pub fn lay_out(value: &Value) -> Vec<Piece> {
    let mut page = Page::default();
    page.value(value, 0);
    page.0
}

/// Arguments in one short line, to tell calls apart at a glance.
#[must_use]
pub fn brief(args: &Map<String, Value>) -> String {
    let fields: Vec<_> =
        args.iter().map(|(key, value)| format!("{key}: {}", brief_value(value))).collect();
    shorten(&reveal(&fields.join(", ")))
}

/// What a tool's summary holds.
#[must_use]
pub fn outcome(summary: &str) -> Outcome {
    match turnwire::json::parse(summary) {
        Ok(Value::String(text)) => Outcome::Text(reveal(&text)),
        Ok(value) => Outcome::Json(value),
        Err(_) => Outcome::Text(reveal(summary)),
    }
}

/// Shows characters that could hide or turn around what a person is about to approve.
#[must_use]
pub fn reveal(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            _ if is_deceptive(c) => shown.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => shown.push(c),
        }
    }
    shown
}

#[derive(Default)]
struct Page(Vec<Piece>);

impl Page {
    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Object(fields) if !fields.is_empty() => self.object(fields, depth),
            Value::Array(items) if !items.is_empty() => self.array(items, depth),
            Value::Object(_) => self.plain("{}"),
            Value::Array(_) => self.plain("[]"),
            Value::String(text) => self.put(Ink::Text, quote(text)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                self.put(Ink::Atom, value.to_string());
            }
        }
    }

    fn object(&mut self, fields: &Map<String, Value>, depth: usize) {
        self.plain("{");
        for (index, (key, value)) in fields.iter().enumerate() {
            self.next_line(index, depth + 1);
            self.put(Ink::Key, quote(key));
            self.plain(": ");
            self.value(value, depth + 1);
        }
        self.last_line(depth, "}");
    }

    fn array(&mut self, items: &[Value], depth: usize) {
        self.plain("[");
        for (index, value) in items.iter().enumerate() {
            self.next_line(index, depth + 1);
            self.value(value, depth + 1);
        }
        self.last_line(depth, "]");
    }

    fn next_line(&mut self, index: usize, depth: usize) {
        let comma = if index == 0 { "" } else { "," };
        self.plain(&format!("{comma}\n{}", "  ".repeat(depth)));
    }

    fn last_line(&mut self, depth: usize, bracket: &str) {
        self.plain(&format!("\n{}{bracket}", "  ".repeat(depth)));
    }

    fn plain(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(piece) if piece.ink == Ink::Plain => piece.text.push_str(text),
            _ => self.put(Ink::Plain, text.to_owned()),
        }
    }

    fn put(&mut self, ink: Ink, text: String) {
        self.0.push(Piece { ink, text });
    }
}

fn quote(text: &str) -> String {
    reveal(&Value::from(text).to_string())
}

fn brief_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Object(_) => "{…}".to_owned(),
        Value::Array(items) => format!("[{}]", items.len()),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_BRIEF_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Controls, zero-width and bidirectional formatting characters.
fn is_deceptive(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
        || (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(value: &Value) -> String {
        lay_out(value).into_iter().map(|piece| piece.text).collect()
    }

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn is_what_serde_prints() {
        for value in [
            json!({}),
            json!([]),
            json!(null),
            json!({"orderId": "A-1001", "amount": 42.5, "lines": [1, [], {"a": {}}], "ok": true}),
            json!("a \"quoted\" <b>text</b>\n"),
        ] {
            assert_eq!(text(&value), serde_json::to_string_pretty(&value).unwrap());
        }
    }

    #[test]
    fn keys_and_values_have_their_own_ink() {
        let inks: Vec<_> = lay_out(&json!({"n": 1, "s": "x"}))
            .into_iter()
            .filter(|piece| piece.ink != Ink::Plain)
            .map(|piece| (piece.ink, piece.text))
            .collect();
        let expected =
            [(Ink::Key, "\"n\""), (Ink::Atom, "1"), (Ink::Key, "\"s\""), (Ink::Text, "\"x\"")];
        assert_eq!(inks, expected.map(|(ink, text)| (ink, text.to_owned())));
    }

    #[test]
    fn hidden_characters_become_visible() {
        assert_eq!(text(&json!("pay \u{202e}001")), "\"pay \\u{202e}001\"");
        assert_eq!(reveal("a\u{200b}b\u{7}"), "a\\u{200b}b\\u{7}");
        assert_eq!(reveal("naïve 👩‍💻\n日本"), "naïve 👩‍💻\n日本");
    }

    #[test]
    fn a_brief_fits_one_line() {
        assert_eq!(
            brief(&object(json!({"orderId": "A-1001", "lines": [1, 2], "to": {"a": 1}}))),
            "orderId: A-1001, lines: [2], to: {…}"
        );
        let long = brief(&object(json!({"text": "é\n".repeat(100)})));
        assert_eq!(long.chars().count(), MAX_BRIEF_CHARS + 1);
        assert!(!long.contains('\n'));
    }

    #[test]
    fn an_outcome_is_json_where_it_can_be() {
        assert_eq!(outcome(r#"{"a":1}"#), Outcome::Json(json!({"a": 1})));
        assert_eq!(outcome(r#""plain""#), Outcome::Text("plain".into()));
        assert_eq!(outcome("ERROR: no order"), Outcome::Text("ERROR: no order".into()));
    }
}
