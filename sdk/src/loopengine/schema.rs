//! The JSON Schema of the events, generated from their types.

use super::event;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The schema of one event of protocol v1, JSON Schema draft 2020-12.
///
/// It is strict, for what is sent: known types only, no other fields. A receiver must not refuse
/// by it, since the protocol allows new types and fields within v1.
///
/// # Examples
/// ```
/// let schema = turnwire::loopengine::schema::loop_event();
/// assert_eq!(schema["oneOf"].as_array().unwrap().len(), 17);
/// ```
#[must_use]
pub fn loop_event() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let events = event::schemas(&mut generator);
    let references: Vec<_> =
        events.iter().map(|(_, name, _)| json!({ "$ref": format!("#/$defs/{name}") })).collect();
    let mut definitions: serde_json::Map<String, Value> = events
        .into_iter()
        .map(|(wire, name, schema)| (name.to_owned(), tagged(wire, schema.to_value())))
        .collect();
    definitions.extend(generator.take_definitions(true));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "LoopEvent",
        "description": "One event of a turn, loopengine Protocol v1.",
        "oneOf": references,
        "$defs": definitions,
    })
}

/// Adds the `type` that the enum gives each event on the wire.
fn tagged(wire: &str, mut schema: Value) -> Value {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(refuse_null);
        properties.shift_insert(0, "type".into(), json!({ "const": wire }));
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.insert(0, "type".into());
    }
    schema
}

/// An optional field is left out, never null: schemars cannot know that of an `Option`.
fn refuse_null(property: &mut Value) {
    let Some(property) = property.as_object_mut() else { return };
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = property.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(choices)) = property.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            property.shift_remove("anyOf");
            property.extend(only);
        }
    }
}
