//! What is encoded is decoded to the same, and encoded again to the same text.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde::Serialize;
use serde_json::Value;
use turnwire::agentskit::{
    AssistantContentEncoder, AssistantPart, ComponentFrame, ComponentKey, Derivation, DetailLevel,
    ErrorCode, Fallback, Lineage, Message, MessagePart, MessageRole, MessageStatus, SafeId,
    Snapshot, Submission, Timestamp, TokenUsage, ToolCall, ToolCallStatus, TurnDiagnostic,
    TurnEvent, TurnPayload, TurnStatus, decode_assistant_content, decode_component_frame,
    decode_turn_event, encode_turn_event,
};
use turnwire::json::JsonText;

use crate::seed::seeded;

proptest! {
    #![proptest_config(seeded(256))]

    #[test]
    fn content_comes_back_as_it_was_written(parts in vec(part(), 0..12)) {
        let mut encoder = AssistantContentEncoder::new();
        let texts = parts.iter().map(|part| encoder.encode(part).expect("a sound part"));
        let content: String = texts.collect();
        prop_assume!(!parts.is_empty());
        let decoded = decode_assistant_content(&content).expect("it was just written");
        prop_assert!(decoded.complete);
        prop_assert_eq!(decoded.parts, parts);
    }

    #[test]
    fn a_frame_comes_back_as_it_was_written(frame in frame()) {
        let text = json(&frame);
        let decoded = decode_component_frame(&text).expect("it was just written");
        prop_assert_eq!(json(&decoded), text);
        prop_assert_eq!(decoded, frame);
    }

    #[test]
    fn a_turn_event_comes_back_as_it_was_written(event in event()) {
        let text = encode_turn_event(&event).expect("it is sound");
        prop_assert_eq!(&json(&event), &text);
        let decoded = decode_turn_event(&text).expect("it was just written");
        prop_assert_eq!(&decoded, &event);
        prop_assert_eq!(encode_turn_event(&decoded).expect("it is sound"), text);
    }

    #[test]
    fn numbers_survive_javascripts_spelling(number in any::<f64>()) {
        prop_assume!(number.is_finite());
        let text = JsonText::of(&number).expect("it is finite");
        prop_assert_eq!(text.as_str().parse::<f64>().expect("a number"), number);
    }

    #[test]
    fn any_text_is_read_the_same_from_its_own_print(text in "\\PC*|[\\[\\]{},:\"0-9eE+.a-u\\\\ -]*") {
        if let Ok(read) = JsonText::parse(&text) {
            prop_assert_eq!(JsonText::parse(read.as_str()).expect("it was just printed"), read);
            prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok());
        } else if let Ok(value) = serde_json::from_str::<Value>(&text) {
            prop_assert!(false, "serde_json reads {value}");
        }
    }
}

fn event() -> impl Strategy<Value = TurnEvent> {
    let payload = prop_oneof![
        "[ ]?[!-~é😀]{1,8}".prop_map(|input| TurnPayload::Submit(Submission { input })),
        diagnostic().prop_map(TurnPayload::Diagnostic),
        snapshot().prop_map(TurnPayload::Snapshot),
    ];
    (id(), id(), id(), 0..(1_u64 << 53), payload).prop_map(
        |(event_id, session_id, turn_id, sequence, payload)| TurnEvent {
            event_id,
            session_id,
            turn_id,
            sequence,
            emitted_at: Timestamp::new("2031-03-04T05:06:07+05:45").expect("an instant"),
            payload,
        },
    )
}

fn snapshot() -> impl Strategy<Value = Snapshot> {
    let status = prop::sample::select(vec![
        TurnStatus::Idle,
        TurnStatus::Streaming,
        TurnStatus::Complete,
        TurnStatus::Error,
    ]);
    let usage = (0..99_u64, 0..99_u64, 0..99_u64).prop_map(|(prompt, completion, total)| {
        TokenUsage { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total }
    });
    let parts =
        (vec(message(), 0..4), status, usage, option::of(diagnostic()), option::of(lineage()));
    parts.prop_map(|(messages, status, usage, error, lineage)| Snapshot {
        messages,
        status,
        usage,
        error,
        lineage,
    })
}

fn lineage() -> impl Strategy<Value = Lineage> {
    let derived =
        prop::sample::select(vec![Derivation::Retry, Derivation::Edit, Derivation::Regenerate]);
    prop_oneof![
        Just(Lineage::Submit),
        (derived, id(), id()).prop_map(|(operation, parent_turn_id, source_message_id)| {
            Lineage::Derived { operation, parent_turn_id, source_message_id }
        }),
    ]
}

fn diagnostic() -> impl Strategy<Value = TurnDiagnostic> {
    ("[A-Z][A-Z0-9_]{0,9}", "\\PC{1,9}", any::<bool>()).prop_map(|(code, message, retryable)| {
        let code = ErrorCode::new(code).expect("a code");
        TurnDiagnostic { code, message, retryable }
    })
}

fn message() -> impl Strategy<Value = Message> {
    let role = prop::sample::select(vec![
        MessageRole::User,
        MessageRole::Assistant,
        MessageRole::System,
        MessageRole::Tool,
    ]);
    let required = ("\\PC{1,5}", role, any::<String>());
    let optional = (
        option::of(vec(message_part(), 0..4)),
        option::of(vec(tool_call(), 0..3)),
        option::of(any::<String>()),
        option::of(object()),
    );
    (required, optional).prop_map(
        |((id, role, content), (parts, tool_calls, tool_call_id, metadata))| Message {
            id,
            role,
            content,
            status: MessageStatus::Complete,
            created_at: "2031-03-04T05:06:07.089Z".into(),
            parts,
            tool_calls,
            tool_call_id,
            metadata,
        },
    )
}

fn message_part() -> impl Strategy<Value = MessagePart> {
    let attached = || (any::<String>(), option::of("[a-z]+/[a-z]+"));
    let seconds = || option::of(0.0..1e9);
    let level = prop::sample::select(vec![DetailLevel::Low, DetailLevel::High, DetailLevel::Auto]);
    prop_oneof![
        any::<String>().prop_map(|text| MessagePart::Text { text }),
        (attached(), option::of(level)).prop_map(|((source, mime_type), level)| {
            MessagePart::Image { source, mime_type, detail: level.map(Into::into) }
        }),
        (attached(), seconds()).prop_map(|((source, mime_type), duration_sec)| {
            MessagePart::Audio { source, mime_type, duration_sec }
        }),
        (attached(), seconds()).prop_map(|((source, mime_type), duration_sec)| {
            MessagePart::Video { source, mime_type, duration_sec }
        }),
        (attached(), option::of(any::<String>())).prop_map(|((source, mime_type), filename)| {
            MessagePart::File { source, mime_type, filename }
        }),
    ]
}

fn tool_call() -> impl Strategy<Value = ToolCall> {
    let texts = (option::of(any::<String>()), option::of(any::<String>()));
    ("\\PC{1,5}", "\\PC{1,5}", object(), texts).prop_map(|(id, name, args, (result, error))| {
        ToolCall { id, name, args, status: ToolCallStatus::RequiresConfirmation, result, error }
    })
}

fn part() -> impl Strategy<Value = AssistantPart> {
    prop_oneof![
        any::<String>().prop_filter_map("not empty", |text| {
            (!text.is_empty()).then_some(AssistantPart::Text(text))
        }),
        frame().prop_map(AssistantPart::Component),
    ]
}

fn frame() -> impl Strategy<Value = ComponentFrame> {
    ("[a-z][a-z0-9-]{0,63}", id(), value(), "\\PC{1,64}", "\\PC{1,99}").prop_map(
        |(key, instance_id, props, kind, summary)| ComponentFrame {
            component_key: ComponentKey::new(key).expect("a key"),
            instance_id,
            props: JsonText::of(&props).expect("JSON"),
            // Some characters are two units.
            fallback: Fallback::new(kind.chars().take(32).collect::<String>(), summary)
                .expect("within its bounds"),
        },
    )
}

fn id() -> impl Strategy<Value = SafeId> {
    "[A-Za-z0-9][A-Za-z0-9._:-]{0,127}".prop_map(|id| SafeId::new(id).expect("an identifier"))
}

fn object() -> impl Strategy<Value = JsonText> {
    vec((any::<String>(), value()), 0..4).prop_map(|members| {
        let object: serde_json::Map<_, _> = members.into_iter().collect();
        JsonText::of(&object).expect("JSON")
    })
}

/// JSON of any shape within the bounds of props.
fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    scalar.prop_recursive(6, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            vec(("[0-9]{1,3}|\\PC{0,6}", inner), 0..6)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it is JSON")
}
