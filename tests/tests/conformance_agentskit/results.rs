//! What `turnwire::agentskit` gives for a vector, as the text that JavaScript's functions would
//! print to.

use serde::Serialize;
use serde_json::Value;
use turnwire::Result;
use turnwire::agentskit::{
    AssistantContentEncoder, Decoded, Diagnostic, Input, InteractionEvent, ResultObject,
    SelectionEvent, SnapshotCursor, create_snapshot_event, decode_assistant_content,
    decode_component_frame, decode_session_snapshot, decode_turn_event, encode_turn_event,
    is_assistant_content_candidate, is_component_frame_candidate,
};
use turnwire::json::JsonText;

use crate::vectors::Vector;

const THROWS: &str = r#"{"throws":true}"#;

/// The results by the form in which the input was given: text, or a value that was parsed already.
pub(crate) fn of(vector: &Vector) -> Vec<(&'static str, String)> {
    let input = &vector.input;
    let text = JsonText::of(input).expect("an input is JSON");
    match vector.function.as_str() {
        "decodeTurnEvent" => each_form(input, |input| result(&decode_turn_event(input))),
        "decodeComponentFrame" => each_form(input, |input| result(&decode_component_frame(input))),
        "decodeSessionSnapshot" => {
            each_form(input, |input| result(&decode_session_snapshot(input)))
        }
        "decodeAssistantContent" => vec![("as it is", result(&decode_assistant_content(input)))],
        "isComponentFrameCandidate" => {
            each_form(input, |input| is_component_frame_candidate(input).to_string())
        }
        "isAssistantContentCandidate" => {
            vec![("as it is", is_assistant_content_candidate(input).to_string())]
        }
        "encodeAssistantContent" => vec![("value", encoded_content(input))],
        "cursor" => vec![("value", cursor(input, false)), ("text", cursor(input, true))],
        "encodeTurnEvent" => {
            let member = |text: Result<String>| member("text", text);
            vec![
                ("value", member(encode_turn_event(input))),
                ("text", member(encode_turn_event(&text))),
            ]
        }
        "createSnapshotEvent" => vec![
            ("value", member("event", create_snapshot_event(input))),
            ("text", member("event", create_snapshot_event(&text))),
        ],
        "createSelectionEvent" => vec![("value", member("event", selection(input)))],
        "createInteractionEvent" => vec![("value", member("event", interaction(input)))],
        other => panic!("no function is called {other}"),
    }
}

fn each_form(input: &Value, run: impl Fn(Input<'_>) -> String) -> Vec<(&'static str, String)> {
    let mut results = vec![("as it is", run(input.into()))];
    if !input.is_string() {
        let text = JsonText::of(input).expect("an input is JSON");
        results.push(("as text", run(text.as_str().into())));
    }
    results
}

fn result<T: Decoded>(result: &std::result::Result<T, Diagnostic>) -> String {
    json(&ResultObject(result))
}

fn member(name: &str, value: Result<impl Serialize>) -> String {
    value.map_or(THROWS.into(), |value| format!("{{\"{name}\":{}}}", json(&value)))
}

fn encoded_content(parts: &Value) -> String {
    let mut encoder = AssistantContentEncoder::new();
    let texts = parts.as_array().expect("parts").iter().map(|part| match encoder.encode(part) {
        Ok(text) => json(&text),
        Err(_) => THROWS.into(),
    });
    format!("[{}]", texts.collect::<Vec<_>>().join(","))
}

fn cursor(input: &Value, as_text: bool) -> String {
    let Ok(mut cursor) = SnapshotCursor::new(text(&input["sessionId"])) else {
        return THROWS.into();
    };
    let mut apply = |event: &Value| match as_text && !event.is_string() {
        true => cursor.apply(JsonText::of(event).expect("JSON").as_str()),
        false => cursor.apply(event),
    };
    let events = input["events"].as_array().expect("events");
    let applied: Vec<_> = events.iter().map(&mut apply).collect();
    let saved = cursor.save().expect("a cursor can be saved");
    assert_eq!(SnapshotCursor::restore(&saved).expect("and restored"), cursor);
    format!("{{\"applied\":{},\"snapshot\":{}}}", json(&applied), json(&cursor.snapshot()))
}

fn selection(input: &Value) -> Result<SelectionEvent> {
    let frame = &input["frame"];
    let (key, instance) = (text(&frame["componentKey"]), text(&frame["instanceId"]));
    SelectionEvent::new(&key, &instance, &text(&input["choiceId"]))
}

fn interaction(input: &Value) -> Result<InteractionEvent> {
    let frame = &input["frame"];
    let (key, instance) = (text(&frame["componentKey"]), text(&frame["instanceId"]));
    let value = input.get("value").map(JsonText::of).transpose()?;
    InteractionEvent::new(&key, &instance, &text(&input["event"]), value.as_ref())
}

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it is JSON")
}
