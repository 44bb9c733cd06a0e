//! Node → JSON text, as `JSON.stringify` writes it.

use super::node::{Members, Node};
use super::string::JsString;
use std::fmt::Write;

/// The largest array index; a larger number is a key like any other.
const MAX_INDEX: u32 = u32::MAX - 1;

/// Prints a value as `JSON.stringify` does: array indices first among the keys, numbers as
/// JavaScript writes them and null for those that are not finite.
pub(crate) fn print(node: &Node<'_>) -> String {
    let mut text = String::new();
    write_node(node, &mut text);
    text
}

fn write_node(node: &Node<'_>, out: &mut String) {
    match node {
        Node::Null | Node::TooDeep => out.push_str("null"),
        Node::Bool(true) => out.push_str("true"),
        Node::Bool(false) => out.push_str("false"),
        Node::Number(number) if !number.is_finite() => out.push_str("null"),
        Node::Number(number) => write_number(*number, out),
        Node::String(string) => write_string(string, out),
        Node::Array(items) => write_array(items, out),
        Node::Object(members) => write_object(members, out),
    }
}

fn write_array(items: &[Node<'_>], out: &mut String) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_node(item, out);
    }
    out.push(']');
}

fn write_object(members: &Members<'_>, out: &mut String) {
    let mut indices: Vec<_> =
        members.iter().filter_map(|member| Some((array_index(&member.0)?, member))).collect();
    indices.sort_unstable_by_key(|(index, _)| *index);
    let others = members.iter().filter(|(key, _)| array_index(key).is_none());
    let in_order = indices.into_iter().map(|(_, member)| member).chain(others);
    out.push('{');
    for (at, (key, node)) in in_order.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_string(key, out);
        out.push(':');
        write_node(node, out);
    }
    out.push('}');
}

/// The number that a key is if it is one in its shortest form.
fn array_index(key: &JsString<'_>) -> Option<u32> {
    let text = key.as_text()?;
    let is_shortest = text == "0" || text.starts_with(|c: char| matches!(c, '1'..='9'));
    let index: u32 = is_shortest.then(|| text.parse().ok())??;
    (index <= MAX_INDEX).then_some(index)
}

fn write_string(string: &JsString<'_>, out: &mut String) {
    out.push('"');
    match string {
        JsString::Text(text) => write_plain(text, out),
        JsString::Units(units) => {
            for unit in char::decode_utf16(units.iter().copied()) {
                match unit {
                    Ok(character) => write_character(character, out),
                    Err(lone) => write_unit(lone.unpaired_surrogate(), out),
                }
            }
        }
    }
    out.push('"');
}

fn write_plain(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(is_escaped) {
        let (plain, special) = rest.split_at_checked(at).unwrap_or_default();
        out.push_str(plain);
        let mut characters = special.chars();
        if let Some(character) = characters.next() {
            write_character(character, out);
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
}

fn is_escaped(character: char) -> bool {
    matches!(character, '"' | '\\' | ..' ')
}

fn write_character(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\u{c}' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        '\0'..' ' => write_unit(character as u16, out),
        plain => out.push(plain),
    }
}

fn write_unit(unit: u16, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{unit:04x}");
}

/// ECMAScript's Number::toString: the shortest digits that read back as the same double, laid out
/// by where the decimal point stands.
fn write_number(number: f64, out: &mut String) {
    if number == 0.0 {
        out.push('0');
        return;
    }
    if number < 0.0 {
        out.push('-');
    }
    let scientific = format!("{:e}", number.abs());
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = digits.replace('.', "");
    // How many digits stand before the decimal point.
    let point = exponent.parse::<i32>().unwrap_or_default() + 1;
    write_digits(&digits, point, out);
}

fn write_digits(digits: &str, point: i32, out: &mut String) {
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    match point {
        _ if (count..=21).contains(&point) => {
            out.push_str(digits);
            out.extend((count..point).map(|_| '0'));
        }
        1..=21 => {
            let (whole, fraction) =
                digits.split_at_checked(point.unsigned_abs() as usize).unwrap_or((digits, ""));
            let _ = write!(out, "{whole}.{fraction}");
        }
        -5..=0 => {
            out.push_str("0.");
            out.extend((point..0).map(|_| '0'));
            out.push_str(digits);
        }
        _ => write_exponent(digits, point - 1, out),
    }
}

fn write_exponent(digits: &str, exponent: i32, out: &mut String) {
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    let dot = if rest.is_empty() { "" } else { "." };
    let _ = write!(out, "{first}{dot}{rest}e{exponent:+}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_in_javascript() {
        for (number, right) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (100.0, "100"),
            (123_456.789, "123456.789"),
            (1e20, "100000000000000000000"),
            (123_456_789_012_345_678_901.0, "123456789012345680000"),
            (1e21, "1e+21"),
            (1.25e300, "1.25e+300"),
            (0.000_001, "0.000001"),
            (0.000_001_234, "0.000001234"),
            (1e-7, "1e-7"),
            (1.5e-9, "1.5e-9"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (9_007_199_254_740_991.0, "9007199254740991"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(print(&Node::Number(number)), right);
            assert_eq!(right.parse::<f64>().unwrap(), number);
        }
    }

    #[test]
    fn only_array_indices_come_first() {
        let key = |text: &'static str| JsString::Text(text.into());
        for text in ["0", "7", "10", "4294967294"] {
            assert_eq!(array_index(&key(text)), text.parse().ok());
        }
        for text in ["", "00", "01", "-1", "+1", "1.5", "1e3", "4294967295", "99999999999", " 1"] {
            assert_eq!(array_index(&key(text)), None, "{text}");
        }
    }

    #[test]
    fn only_what_must_be_is_escaped() {
        let text = "\0\u{1f}\u{7f}/\u{2028}\"\\\u{8}\t\n\u{c}\ré😀";
        let printed = print(&Node::String(JsString::Text(text.into())));
        assert_eq!(printed, serde_json::to_string(text).unwrap());
    }
}
