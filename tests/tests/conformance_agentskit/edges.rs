//! Edges of single fields, both sides of each.

use serde_json::{Value, json};
use turnwire::agentskit::{decode_component_frame, decode_session_snapshot, decode_turn_event};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn the_lineage_of_a_submission_loses_its_other_fields_unread() {
    let lineage = |lineage: Value| snapshot(json!({ "lineage": lineage }));
    let submit = lineage(json!({ "operation": "submit", "parentTurnId": [], "more": 1 }));
    let event = decode_turn_event(&submit).expect("only the operation counts");
    let kept = serde_json::to_value(event).expect("JSON")["payload"]["lineage"].clone();
    assert_eq!(kept, json!({ "operation": "submit" }));
    for operation in ["retry", "edit", "regenerate"] {
        let derived = |source: Value| {
            let parts =
                json!({ "operation": operation, "parentTurnId": "t1", "sourceMessageId": source });
            decode_turn_event(&lineage(parts)).is_ok()
        };
        assert!(derived(json!("m1")), "{operation}");
        assert!(!derived(json!("m 1")), "{operation}");
    }
}

#[test]
fn the_detail_of_an_image_may_stand_in_brackets() {
    let kept = |detail: &Value| {
        let part = json!({ "type": "image", "source": "", "detail": detail });
        let event = decode_turn_event(&message(json!({ "parts": [part] }))).ok()?;
        let event = serde_json::to_value(event).expect("JSON");
        Some(event["payload"]["messages"][0]["parts"][0]["detail"].clone())
    };
    for detail in [json!("auto"), json!(["low"]), json!([[["high"]]])] {
        assert_eq!(kept(&detail), Some(detail));
    }
    for detail in [json!([]), json!(["low", "low"]), json!([["low"], []]), json!([null]), json!({})]
    {
        assert_eq!(kept(&detail), None, "{detail}");
    }
}

#[test]
fn a_duration_is_a_number_from_zero_on() {
    let is_taken = |kind: &str, seconds: &Value| {
        let part = json!({ "type": kind, "source": "", "durationSec": seconds });
        decode_turn_event(&message(json!({ "parts": [part] }))).is_ok()
    };
    for kind in ["audio", "video"] {
        assert!(is_taken(kind, &json!(0)) && is_taken(kind, &json!(1.5e300)), "{kind}");
        for seconds in [json!(-0.1), json!("1"), json!(null)] {
            assert!(!is_taken(kind, &seconds), "{kind} {seconds}");
        }
    }
    assert!(is_taken("file", &json!("another type's field")));
}

#[test]
fn a_message_may_carry_anything_optional_but_no_null() {
    for optional in ["parts", "toolCalls", "toolCallId", "metadata"] {
        assert!(decode_turn_event(&message(json!({ optional: null }))).is_err(), "{optional}");
    }
    let statuses = ["pending", "running", "complete", "error", "requires_confirmation"];
    let call = |status: &str| json!({ "id": "c", "name": "n", "args": {}, "status": status });
    let calls: Vec<_> = statuses.iter().map(|status| call(status)).collect();
    assert!(decode_turn_event(&message(json!({ "toolCalls": calls }))).is_ok());
    assert!(decode_turn_event(&message(json!({ "toolCalls": [call("idle")] }))).is_err());
}

#[test]
fn lists_of_a_session_end_at_their_limits() {
    let confirmations = |count: usize| {
        let confirmation = |n| {
            json!({
                "token": format!("t{n}"), "action": "a", "input": {},
                "toolCallId": format!("c{n}"), "expiresAt": 0, "status": "pending",
            })
        };
        json!({ "confirmations": (0..count).map(confirmation).collect::<Vec<_>>() })
    };
    let conversation = |count: usize, content: usize| {
        let decision = |n| {
            json!({
                "messageId": format!("m{n}"), "input": "", "routeId": "r", "kind": "fallback",
                "content": "x".repeat(if n == 0 { content } else { 0 }),
                "fromState": "a", "toState": "b",
            })
        };
        let decisions: Vec<_> = (0..count).map(decision).collect();
        json!({ "conversation": { "state": "s", "decisions": decisions } })
    };
    for (more, is_sound) in [
        (confirmations(1000), true),
        (confirmations(1001), false),
        (conversation(1000, 65_536), true),
        (conversation(1001, 0), false),
        (conversation(1, 65_537), false),
        (json!({ "definitionRevision": 0 }), false),
    ] {
        assert_eq!(decode_session_snapshot(&session(more)).is_ok(), is_sound);
    }
}

#[test]
fn words_of_a_component_end_at_their_limits() {
    let is_taken = |kind: usize, summary: usize| {
        let fallback = json!({ "kind": "é".repeat(kind), "summary": "é".repeat(summary) });
        let frame = json!({
            "protocol": "agentskit.chat.component", "version": 1, "type": "render",
            "componentKey": "k", "instanceId": "i", "props": null, "fallback": fallback,
        });
        decode_component_frame(&frame).is_ok()
    };
    assert!(is_taken(1, 1) && is_taken(64, 4096));
    assert!(!is_taken(0, 1) && !is_taken(1, 0) && !is_taken(65, 1) && !is_taken(1, 4097));
}

/// A snapshot event with more in its payload.
fn snapshot(more: Value) -> Value {
    let mut payload = json!({
        "messages": [], "status": "idle",
        "usage": { "promptTokens": 0, "completionTokens": 0, "totalTokens": 0 },
    });
    extend(&mut payload, more);
    json!({
        "protocol": "agentskit.chat.turn", "version": 1, "eventId": "e", "sessionId": "s",
        "turnId": "t", "sequence": 0, "emittedAt": "2031-03-04T05:06Z",
        "event": "server.turn.snapshot", "payload": payload,
    })
}

/// A snapshot event of one message with more in it.
fn message(more: Value) -> Value {
    let mut message = json!({
        "id": "m", "role": "user", "content": "", "status": "complete",
        "createdAt": "2031-03-04T05:06:07.089Z",
    });
    extend(&mut message, more);
    snapshot(json!({ "messages": [message] }))
}

/// A session snapshot with more in it.
fn session(more: Value) -> Value {
    let mut session = json!({
        "protocol": "agentskit.chat.session", "version": 1, "sessionId": "s", "definitionId": "d",
        "definitionRevision": 1, "updatedAt": "2031-03-04T05:06Z", "cursor": 0, "confirmations": [],
    });
    extend(&mut session, more);
    session
}

fn extend(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}
