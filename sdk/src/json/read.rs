//! JSON text → node, as `JSON.parse` reads it.

use super::MAX_NESTING;
use super::node::{MembersBuilder, Node};
use super::string::{JsString, StringBuilder};
use std::borrow::Cow;

const ESCAPE_DIGITS: usize = 4;

/// Parses a text as `JSON.parse` does; nothing where that throws.
///
/// Levels beyond [`MAX_NESTING`] are checked but not kept, so that any depth costs linear time and
/// no stack.
pub(crate) fn read(text: &str) -> Option<Node<'_>> {
    let mut reader = Reader { text, at: 0, open: Vec::new() };
    let node = reader.value()?;
    reader.skip_white_space();
    (reader.at == text.len()).then_some(node)
}

/// Reads one value with a stack of its own.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open<'a>>,
}

/// An array or object whose end has not come yet.
enum Open<'a> {
    Array(Vec<Node<'a>>),
    Object(MembersBuilder<'a>, JsString<'a>),
    /// One below the last level that is kept.
    DeepArray,
    DeepObject,
}

/// What came at a place where a value may begin.
enum Begun<'a> {
    Whole(Node<'a>),
    Open,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Option<Node<'a>> {
        loop {
            if let Begun::Whole(node) = self.begin()?
                && let Some(whole) = self.complete(node)?
            {
                return Some(whole);
            }
        }
    }

    /// Reads a scalar or an empty container, or opens one up to its first value.
    fn begin(&mut self) -> Option<Begun<'a>> {
        self.skip_white_space();
        let node = match self.peek()? {
            b'[' => return self.begin_array(),
            b'{' => return self.begin_object(),
            b'"' => Node::String(self.string()?),
            b't' => self.word("true", Node::Bool(true))?,
            b'f' => self.word("false", Node::Bool(false))?,
            b'n' => self.word("null", Node::Null)?,
            _ => self.number()?,
        };
        Some(Begun::Whole(node))
    }

    fn begin_array(&mut self) -> Option<Begun<'a>> {
        self.at += 1;
        let is_deep = self.open.len() >= MAX_NESTING;
        self.skip_white_space();
        if self.take(b']') {
            let empty = if is_deep { Node::TooDeep } else { Node::Array(Vec::new()) };
            return Some(Begun::Whole(empty));
        }
        self.open.push(if is_deep { Open::DeepArray } else { Open::Array(Vec::new()) });
        Some(Begun::Open)
    }

    fn begin_object(&mut self) -> Option<Begun<'a>> {
        self.at += 1;
        let is_deep = self.open.len() >= MAX_NESTING;
        self.skip_white_space();
        if self.take(b'}') {
            let empty = MembersBuilder::default().build();
            return Some(Begun::Whole(if is_deep { Node::TooDeep } else { Node::Object(empty) }));
        }
        let key = self.key()?;
        self.open.push(match is_deep {
            true => Open::DeepObject,
            false => Open::Object(MembersBuilder::default(), key),
        });
        Some(Begun::Open)
    }

    /// Puts a value where it belongs and closes what it completes; the value is whole where
    /// nothing is open any more.
    fn complete(&mut self, mut node: Node<'a>) -> Option<Option<Node<'a>>> {
        while let Some(open) = self.open.pop() {
            self.skip_white_space();
            let is_more = self.take(b',');
            match self.put(open, node, is_more)? {
                None => return Some(None),
                Some(closed) => node = closed,
            }
        }
        Some(Some(node))
    }

    /// Puts a value into its container, which comes back if it is closed.
    fn put(&mut self, open: Open<'a>, node: Node<'a>, is_more: bool) -> Option<Option<Node<'a>>> {
        let close = match open {
            Open::Array(_) | Open::DeepArray => b']',
            Open::Object(..) | Open::DeepObject => b'}',
        };
        if !is_more && !self.take(close) {
            return None;
        }
        let open = match open {
            Open::Array(mut items) => {
                items.push(node);
                if !is_more {
                    return Some(Some(Node::Array(items)));
                }
                Open::Array(items)
            }
            Open::Object(mut members, key) => {
                members.set(key, node);
                if !is_more {
                    return Some(Some(Node::Object(members.build())));
                }
                Open::Object(members, self.next_key()?)
            }
            Open::DeepArray | Open::DeepObject if !is_more => return Some(Some(Node::TooDeep)),
            Open::DeepArray => Open::DeepArray,
            Open::DeepObject => {
                self.next_key()?;
                Open::DeepObject
            }
        };
        self.open.push(open);
        Some(None)
    }

    fn next_key(&mut self) -> Option<JsString<'a>> {
        self.skip_white_space();
        self.key()
    }

    /// A key and the colon behind it.
    fn key(&mut self) -> Option<JsString<'a>> {
        let key = self.string()?;
        self.skip_white_space();
        self.take(b':').then_some(key)
    }

    fn string(&mut self) -> Option<JsString<'a>> {
        if !self.take(b'"') {
            return None;
        }
        let plain = self.plain();
        if self.take(b'"') {
            return Some(JsString::Text(Cow::Borrowed(plain)));
        }
        let mut builder = StringBuilder::new(plain);
        while !self.take(b'"') {
            self.escape(&mut builder)?;
            builder.push_str(self.plain());
        }
        Some(builder.build())
    }

    /// The characters up to a quote, a backslash or what may not stand in a string.
    fn plain(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_special = |byte: u8| matches!(byte, b'"' | b'\\' | ..0x20);
        let end = rest.bytes().position(is_special).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn escape(&mut self, builder: &mut StringBuilder) -> Option<()> {
        if !self.take(b'\\') {
            return None;
        }
        let character = match self.next()? {
            b'u' => return self.unicode_escape(builder),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            same @ (b'"' | b'\\' | b'/') => char::from(same),
            _ => return None,
        };
        builder.push(character);
        Some(())
    }

    /// One unit, or two that make a pair.
    fn unicode_escape(&mut self, builder: &mut StringBuilder) -> Option<()> {
        let unit = self.unit(0)?;
        self.at += ESCAPE_DIGITS;
        let pair = self.second_unit().and_then(|second| pair(unit, second));
        if let Some(character) = pair {
            self.at += "\\u".len() + ESCAPE_DIGITS;
            builder.push(character);
            return Some(());
        }
        match char::from_u32(u32::from(unit)) {
            Some(character) => builder.push(character),
            None => builder.push_lone(unit),
        }
        Some(())
    }

    fn second_unit(&self) -> Option<u16> {
        self.text.get(self.at..)?.starts_with("\\u").then(|| self.unit("\\u".len()))?
    }

    /// Four hexadecimal digits.
    fn unit(&self, ahead: usize) -> Option<u16> {
        let start = self.at + ahead;
        let digits = self.text.get(start..start + ESCAPE_DIGITS)?;
        digits
            .bytes()
            .all(|b| b.is_ascii_hexdigit())
            .then(|| u16::from_str_radix(digits, 16).ok())?
    }

    fn number(&mut self) -> Option<Node<'a>> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        self.text.get(start..self.at)?.parse().ok().map(Node::Number)
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn word(&mut self, word: &str, node: Node<'a>) -> Option<Node<'a>> {
        let is_there = self.text.get(self.at..)?.starts_with(word);
        self.at += word.len();
        is_there.then_some(node)
    }

    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += 1;
        byte
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

fn pair(high: u16, low: u16) -> Option<char> {
    let mut units = char::decode_utf16([high, low]);
    let character = units.next()?.ok()?;
    units.next().is_none().then_some(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::print::print;

    fn printed(text: &str) -> Option<String> {
        read(text).map(|node| print(&node))
    }

    #[test]
    fn takes_what_json_parse_takes() {
        for (given, right) in [
            (" [ 1 , 2.50e0 ] \n", "[1,2.5]"),
            ("{ }", "{}"),
            (r#"{"a":{},"b":[[],{"c":[]}]}"#, r#"{"a":{},"b":[[],{"c":[]}]}"#),
            (r#""\"\\\/\b\f\n\r\t\u0041\u00e9""#, r#""\"\\/\b\f\n\r\tAé""#),
            (r#""\ud83d\ude00\uD83D x\ude00\ud83d\u0041""#, r#""😀\ud83d x\ude00\ud83dA""#),
            ("\"\u{7f}\u{2028}\u{feff}\"", "\"\u{7f}\u{2028}\u{feff}\""),
            ("-0", "0"),
            ("[1e400,-1e-400,1E+2]", "[null,0,100]"),
            (r#"{"b":1,"10":2,"9":3,"01":4,"\u0062":5}"#, r#"{"9":3,"10":2,"b":5,"01":4}"#),
            ("[true,false,null]", "[true,false,null]"),
        ] {
            assert_eq!(printed(given).as_deref(), Some(right), "{given}");
        }
    }

    #[test]
    fn refuses_what_json_parse_refuses() {
        for text in [
            "",
            " ",
            "[",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "[1 2]",
            "]",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":1,}",
            "{a:1}",
            "{'a':1}",
            "{\"a\" 1}",
            "{1:1}",
            "01",
            "+1",
            "-",
            ".5",
            "1.",
            "1e",
            "1e+",
            "0x1",
            "NaN",
            "Infinity",
            "-Infinity",
            "tru",
            "truex",
            "nul",
            "\"",
            "\"\\",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u123g\"",
            "\"\n\"",
            "\"\u{1}\"",
            "\u{feff}1",
            "\u{a0}1",
            "1 2",
            "[}",
            "{]",
            "// c\n1",
            "\u{c}1",
            "\"\\u+123\"",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn any_depth_is_checked_but_only_the_upper_levels_are_kept() {
        for levels in [MAX_NESTING + 1, 100_000] {
            let nested = "[".repeat(levels) + &"]".repeat(levels);
            assert!(printed(&nested).unwrap().contains("[null]"));
            assert_eq!(read(&nested[1..]), None);
            let objects = "{\"a\":[0,".repeat(levels) + "1" + &"]}".repeat(levels);
            assert!(read(&objects).is_some());
            assert_eq!(read(&objects.replace("1]", "1}")), None);
            assert_eq!(read(&objects.replace("[0,1", "[0,")), None);
        }
    }

    #[test]
    fn agrees_with_serde_json_where_both_speak() {
        for text in ["[1,{\"a\":\"b\"}]", "{\"x\":[null,-1.5e-3]}", "\"q\"", "[[],[[]]]"] {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(text), Some(Node::of(&value)));
        }
    }
}
