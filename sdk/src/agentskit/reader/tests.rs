use super::*;
use crate::agentskit::{
    ASSISTANT_CONTENT_PREFIX, AssistantContentEncoder, ComponentKey, DiagnosticCode, Fallback,
    MessageStatus, SafeId, decode_assistant_content,
};
use crate::json::JsonText;

fn message(role: MessageRole, content: &str) -> Message {
    Message {
        id: "m-1".into(),
        role,
        content: content.into(),
        status: MessageStatus::Streaming,
        created_at: "2031-03-04T05:06:07.089Z".into(),
        parts: None,
        tool_calls: None,
        tool_call_id: None,
        metadata: None,
    }
}

fn said(content: &str) -> Message {
    message(MessageRole::Assistant, content)
}

fn text(text: &str) -> AssistantPart {
    AssistantPart::Text(text.into())
}

fn frame() -> ComponentFrame {
    ComponentFrame {
        component_key: ComponentKey::new("progress").unwrap(),
        instance_id: SafeId::new("p-1").unwrap(),
        props: JsonText::parse(r#"{"label":"Ü"}"#).unwrap(),
        fallback: Fallback::new("progress", "Ü").unwrap(),
    }
}

fn envelope() -> String {
    let mut encoder = AssistantContentEncoder::new();
    let parts = [text("One "), text("two 😀"), AssistantPart::Component(frame()), text("End.")];
    parts.iter().map(|part| encoder.encode(part).unwrap()).collect()
}

/// Every text that the envelope passes on its way.
fn stages(envelope: &str) -> impl Iterator<Item = &str> {
    envelope.char_indices().map(|(end, _)| &envelope[..end]).chain([envelope])
}

#[test]
fn at_every_stage_the_parts_are_those_of_the_decoder_of_whole_contents() {
    let envelope = envelope();
    let mut reader = ContentReader::new();
    for stage in stages(&envelope).skip(1) {
        reader.read(&said(stage));
        let whole = decode_assistant_content(stage).unwrap();
        assert_eq!(reader.parts(), merge_texts(&whole.parts), "{stage:?}");
        assert_eq!((reader.is_complete(), reader.failure()), (whole.complete, None), "{stage:?}");
    }
    assert_eq!(reader.parts().len(), 3, "neighbouring texts are one");
}

#[test]
fn an_unfinished_record_is_not_shown() {
    let mut reader = ContentReader::new();
    reader.read(&said(&format!("{ASSISTANT_CONTENT_PREFIX}{{\"kind\":\"text\",\"text\":\"se")));
    assert!(reader.parts().is_empty() && !reader.is_complete());
    assert_eq!(reader.failure(), None);
}

#[test]
fn a_text_that_does_not_go_on_from_the_last_one_is_read_anew() {
    let mut reader = ContentReader::new();
    reader.read(&said(&envelope()));
    let other = format!("{ASSISTANT_CONTENT_PREFIX}{{\"kind\":\"text\",\"text\":\"other\"}}\n");
    reader.read(&said(&other));
    assert_eq!(reader.parts(), [text("other")]);
    reader.read(&said("Plain after all."));
    assert_eq!(reader.parts(), [text("Plain after all.")]);
    assert!(reader.is_complete());
    reader.read(&said(&other));
    reader.read(&said(ASSISTANT_CONTENT_PREFIX));
    assert_eq!(reader.parts(), []);
}

#[test]
fn the_same_text_again_changes_nothing() {
    let mut reader = ContentReader::new();
    reader.read(&said(&envelope()));
    let parts = reader.parts();
    reader.read(&said(&envelope()));
    assert_eq!(reader.parts(), parts);
}

#[test]
fn a_bad_record_is_told_and_what_came_before_it_stays() {
    let mut reader = ContentReader::new();
    reader.read(&said(&envelope()));
    let parts = reader.parts();
    reader.read(&said(&format!("{}{{}}\n", envelope())));
    assert_eq!(reader.parts(), parts);
    assert!(!reader.is_complete());
    let code = reader.failure().unwrap().code();
    assert_eq!(code, DiagnosticCode::AssistantContentInvalidRecord);
}

#[test]
fn a_message_can_be_a_single_component() {
    let json = serde_json::to_string(&frame()).unwrap();
    let mut reader = ContentReader::new();
    reader.read(&said(&json));
    assert_eq!(reader.parts(), [AssistantPart::Component(frame())]);
    reader.read(&said(r#"{"protocol":"agentskit.chat.component","version":2}"#));
    assert!(reader.parts().is_empty() && !reader.is_complete());
    let code = reader.failure().unwrap().code();
    assert_eq!(code, DiagnosticCode::ComponentUnsupportedVersion);
}

#[test]
fn what_others_than_the_assistant_write_is_text() {
    let mut reader = ContentReader::new();
    for role in [MessageRole::User, MessageRole::System, MessageRole::Tool] {
        reader.read(&message(role, &envelope()));
        assert_eq!(reader.parts(), [text(&envelope())]);
        assert!(reader.is_complete());
    }
}
