//! The generators of the vectors: `{"$g": …}` at any depth stands for what it makes.

use serde_json::{Map, Value, json};
use turnwire::json::JsonText;

/// The value with all of its generators expanded.
pub(crate) fn expand(value: &Value) -> Value {
    match value {
        Value::Object(members) => match members.get("$g").and_then(Value::as_str) {
            Some(generator) => generate(generator, members),
            None => members.iter().map(|(key, value)| (key.clone(), expand(value))).collect(),
        },
        Value::Array(items) => items.iter().map(expand).collect(),
        other => other.clone(),
    }
}

fn generate(generator: &str, fields: &Map<String, Value>) -> Value {
    let field = |name: &str| fields.get(name).map_or(Value::Null, expand);
    let count = fields.get("n").and_then(Value::as_u64).unwrap_or_default();
    match generator {
        "repeat" => text(&field("s")).repeat(usize::try_from(count).expect("small")).into(),
        "concat" => {
            let parts = field("parts");
            Value::String(parts.as_array().expect("parts").iter().map(text).collect())
        }
        "utf16" => String::from_utf16_lossy(&units(&field("units"))).into(),
        "json" => JsonText::of(&field("value")).expect("JSON").as_str().into(),
        "items" => {
            let item = field("item");
            (0..count).map(|index| numbered(&item, index)).collect()
        }
        "keys" => keys(&field("key"), &field("value"), count),
        "nest" => nest(fields.get("key").and_then(Value::as_str), field("leaf"), count),
        "lines" => {
            let line = field("s");
            let lines = (0..count).map(|index| text(&numbered(&line, index)));
            Value::String(lines.collect())
        }
        other => panic!("no generator is called {other}"),
    }
}

fn keys(key: &Value, value: &Value, count: u64) -> Value {
    let member = |index| (text(&numbered(key, index)), numbered(value, index));
    (0..count).map(member).collect::<Map<_, _>>().into()
}

fn nest(key: Option<&str>, leaf: Value, count: u64) -> Value {
    (0..count).fold(leaf, |inner, _| match key {
        Some(key) => json!({ key: inner }),
        None => json!([inner]),
    })
}

/// The value with the index for each `{i}` in its strings and keys.
fn numbered(value: &Value, index: u64) -> Value {
    let put = |text: &str| text.replace("{i}", &index.to_string());
    match value {
        Value::String(text) => put(text).into(),
        Value::Array(items) => items.iter().map(|item| numbered(item, index)).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (put(key), numbered(value, index))).collect()
        }
        other => other.clone(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

fn units(value: &Value) -> Vec<u16> {
    let units = value.as_array().expect("units").iter();
    units.map(|unit| u16::try_from(unit.as_u64().expect("a unit")).expect("16 bits")).collect()
}
