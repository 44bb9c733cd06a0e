//! What is refused leaves nothing behind, and costs no more than it is long.

use serde_json::{Value, json};
use turnwire::agentskit::{
    ContentKind, Diagnostic, decode_assistant_content, decode_component_frame,
    decode_session_snapshot, decode_turn_event, which_content,
};

use crate::vectors::vectors_of;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SECRET: &str = "hunter2";

#[test]
fn nothing_of_what_is_refused_is_told_but_a_safe_event_id() {
    let texts = [
        format!("{{\"{SECRET}\":"),
        json!({ "protocol": "agentskit.chat.turn", "version": 2, SECRET: SECRET }).to_string(),
        json!({ "protocol": "agentskit.chat.turn", "version": 1, "event": SECRET }).to_string(),
        json!({ "eventId": format!("{SECRET}!"), "payload": { "input": SECRET } }).to_string(),
        json!({ "protocol": "agentskit.chat.component", "type": SECRET }).to_string(),
        format!("\u{1e}agentskit.chat.content/1\n{SECRET}\n"),
        format!("\u{1e}{SECRET}"),
    ];
    for text in &texts {
        for diagnostic in refusals(text) {
            let told = format!("{diagnostic} {diagnostic:?} {}", json!(diagnostic));
            assert!(!told.contains(SECRET), "{told}");
            assert!(!diagnostic.is_retryable());
        }
    }
    let diagnostic = decode_turn_event(r#"{"eventId":"evt-7"}"#).expect_err("it is no event");
    assert_eq!(diagnostic.event_id().map(|id| id.as_str()), Some("evt-7"));
}

#[test]
fn large_and_deep_inputs_are_refused_by_all_decoders() {
    let many = 200_000;
    let members: String = (0..many).map(|n| format!("\"k{n}\":{n},")).collect();
    let texts = [
        "[".repeat(many),
        "{\"a\":[".repeat(many),
        "[".repeat(many) + &"]".repeat(many),
        format!("{{{members}\"last\":0}}"),
        format!("{{{}\"a\":0}}", "\"a\":1,".repeat(many)),
        format!("[{}0]", "-1.5e-7,".repeat(many)),
        format!("[\"{}\"]", "\\ud800".repeat(many)),
        format!("\"{}", "\\\"".repeat(many)),
        "9".repeat(many),
        " ".repeat(many),
    ];
    for text in &texts {
        assert_eq!(refusals(text).len(), 4, "{text:.20}");
        assert_eq!(which_content(text), ContentKind::Text, "{text:.20}");
    }
}

#[test]
fn what_begins_as_content_is_content_however_it_goes_on() {
    for vector in vectors_of("decodeAssistantContent") {
        let Some(text) = vector.input.as_str() else {
            continue;
        };
        let is_marked = text.starts_with('\u{1e}');
        assert_eq!(which_content(text) == ContentKind::Ordered, is_marked, "{}", vector.id);
    }
    for (text, right) in [
        (r#" {"protocol":"agentskit.chat.component","version":9} "#, ContentKind::Component),
        (r#"{"protocol":"agentskit.chat.turn"}"#, ContentKind::Text),
        (r#"{"protocol":"agentskit.chat.component""#, ContentKind::Text),
        (r#"[{"protocol":"agentskit.chat.component"}]"#, ContentKind::Text),
        ("{}", ContentKind::Text),
        ("", ContentKind::Text),
    ] {
        assert_eq!(which_content(text), right, "{text}");
    }
}

/// What the four decoders say of a text that none of them takes.
fn refusals(text: &str) -> Vec<Diagnostic> {
    let turn = decode_turn_event(text).err();
    let frame = decode_component_frame(text).err();
    let session = decode_session_snapshot(text).err();
    let content = decode_assistant_content(&Value::from(text)).err();
    [turn, frame, session, content].into_iter().flatten().collect()
}
