//! Sessions of AgentsKit's protocol as JavaScript holds them, over a scripted `fetch`.

use crate::scripted_fetch::{ScriptedFetch, code_of, json_of, rejection, settled};
use js_sys::{Array, Function, Object, Reflect};
use serde_json::json;
use turnwire_js::TurnSessionHandle;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

const NEW: &str = r#"{"sessionId":"s1","snapshot":null}"#;

fn snapshot(sequence: u64, status: &str, answer: &str) -> String {
    let message = |id: &str, role: &str, content: &str| {
        json!({ "id": id, "role": role, "content": content, "status": "complete",
                "createdAt": "2031-03-04T05:06:07.089Z" })
    };
    let event = json!({
        "protocol": "agentskit.chat.turn", "version": 1, "eventId": "e", "sessionId": "s1",
        "turnId": "<turnId>", "sequence": sequence, "emittedAt": "2031-03-04T05:06Z",
        "event": "server.turn.snapshot",
        "payload": {
            "messages": [message("m1", "user", "hi"), message("m2", "assistant", answer)],
            "status": status,
            "usage": { "promptTokens": 1, "completionTokens": 2, "totalTokens": 3 },
        },
    });
    format!("{event}\n")
}

fn script(steps: &[String], open: bool) -> String {
    json!({ "type": "application/x-ndjson", "steps": steps, "open": open }).to_string()
}

fn over() -> String {
    script(&[snapshot(2, "streaming", "a"), snapshot(3, "complete", "ab")], false)
}

/// A session that adds an item to the list with each notification, and is never repeated.
fn session() -> (TurnSessionHandle, Array) {
    let heard = Array::new();
    let note = Function::new_with_args("heard", "return () => { heard.push(0); }");
    let note = note.call1(&JsValue::NULL, &heard).unwrap().unchecked_into();
    let settings = r#"{"reconnect":{"attempts":0}}"#;
    (TurnSessionHandle::new(&"/turns".into(), &NEW.into(), &settings.into(), note).unwrap(), heard)
}

fn get(object: &JsValue, path: &[&str]) -> JsValue {
    path.iter().fold(object.clone(), |value, name| Reflect::get(&value, &(*name).into()).unwrap())
}

fn text(object: &JsValue, path: &[&str]) -> String {
    get(object, path).as_string().unwrap()
}

#[wasm_bindgen_test]
async fn a_turn_is_told_and_shown() {
    let fetch = ScriptedFetch::new(&over());
    let (session, heard) = session();
    let idle = r#"{"phase":"idle","turnId":null,"failure":null,"error":null,"damaged":[],"damagedLines":0,"snapshot":null}"#;
    assert_eq!(json_of(&session.state()), idle);
    let submitted = session.submit(&"hi".into());
    assert_eq!(text(&session.state(), &["phase"]), "submitting");
    assert_eq!(heard.length(), 1);
    settled(submitted).await.unwrap();
    let state = session.state();
    assert_eq!(text(&state, &["phase"]), "idle");
    assert_eq!(text(&state, &["snapshot", "payload", "status"]), "complete");
    assert_eq!(text(&state, &["snapshot", "turnId"]), text(&state, &["turnId"]));
    assert!(heard.length() >= 3, "{}", heard.length());
    assert_eq!(fetch.text("url").unwrap(), "/turns");
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn what_did_not_change_is_the_same_object_and_all_is_frozen() {
    let _fetch = ScriptedFetch::new(&over());
    let (session, _) = session();
    let seen = Array::new();
    let submitted = session.submit(&"hi".into());
    seen.push(&session.state());
    assert!(Object::is(&seen.get(0), &session.state()));
    settled(submitted).await.unwrap();
    let first = session.state();
    assert!(!Object::is(&seen.get(0), &first) && Object::is(&first, &session.state()));
    let path = ["snapshot", "payload", "messages"];
    for part in 0..=path.len() {
        let object: Object = get(&first, &path[..part]).unchecked_into();
        assert!(Object::is_frozen(&object), "{:?}", &path[..part]);
    }

    let _fetch = ScriptedFetch::new(&script(&[snapshot(4, "complete", "abc")], false));
    settled(session.submit(&"hi".into())).await.unwrap();
    let message = |state: &JsValue, index| Array::from(&get(state, &path)).get(index);
    let second = session.state();
    assert!(Object::is(&message(&first, 0), &message(&second, 0)));
    assert!(!Object::is(&message(&first, 1), &message(&second, 1)));
    assert!(Object::is_frozen(message(&second, 1).unchecked_ref::<Object>()));
}

#[wasm_bindgen_test]
async fn a_cursor_is_given_and_taken() {
    let _fetch = ScriptedFetch::new(&over());
    let (session, _) = session();
    settled(session.submit(&"hi".into())).await.unwrap();
    let saved = session.cursor().save().unwrap();
    let no_op = Function::new_no_args("");
    let again =
        TurnSessionHandle::new(&"/turns".into(), &saved.into(), &"{}".into(), no_op).unwrap();
    assert_eq!(text(&again.state(), &["snapshot", "payload", "status"]), "complete");
    assert_eq!(text(&again.state(), &["phase"]), "idle");
}

#[wasm_bindgen_test]
async fn a_stream_without_its_end_is_interrupted_and_damage_is_shown() {
    let steps = [snapshot(2, "streaming", "a"), "nope\n".to_owned()];
    let fetch = ScriptedFetch::new(&script(&steps, false));
    let (session, _) = session();
    assert_eq!(rejection(session.submit(&"hi".into())).await, "stream-interrupted");
    let state = session.state();
    assert_eq!(text(&state, &["phase"]), "interrupted");
    assert_eq!(text(&state, &["error", "code"]), "stream-interrupted");
    let damaged = format!(
        r#"[{{"code":"PROTOCOL_INVALID_PAYLOAD","message":"Turn event is not valid JSON.","retryable":false,"line":2,"offset":{}}}]"#,
        json_length_of_the_first_line(&fetch)
    );
    assert_eq!(json_of(&get(&state, &["damaged"])), damaged);
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0]);
}

/// The line holds the turn's id in place of what stands for it.
fn json_length_of_the_first_line(fetch: &ScriptedFetch) -> usize {
    let sent: serde_json::Value = serde_json::from_str(&fetch.text("body").unwrap()).unwrap();
    let turn_id = sent["turnId"].as_str().unwrap();
    snapshot(2, "streaming", "a").replace("<turnId>", turn_id).len()
}

#[wasm_bindgen_test]
async fn stop_and_close_end_the_turn() {
    let fetch = ScriptedFetch::new(&script(&[snapshot(2, "streaming", "a")], true));
    let (session, _) = session();
    let submitted = session.submit(&"hi".into());
    fetch.traces().await;
    assert_eq!(rejection(session.submit(&"again".into())).await, "busy");
    session.stop();
    assert_eq!(rejection(submitted).await, "aborted");
    assert_eq!(text(&session.state(), &["phase"]), "stopped");
    session.close();
    assert_eq!(rejection(session.submit(&"hi".into())).await, "closed");
    assert_eq!(fetch.traces().await, [1.0, 1.0, 0.0]);
}

#[wasm_bindgen_test]
async fn freeing_a_session_ends_the_notifications() {
    let fetch = ScriptedFetch::new(&over());
    let (session, heard) = session();
    let submitted = session.submit(&"hi".into());
    let before = heard.length();
    drop(session);
    settled(submitted).await.unwrap();
    assert_eq!(heard.length(), before);
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn what_is_no_input_is_refused_unsent() {
    let fetch = ScriptedFetch::new(&over());
    let (session, heard) = session();
    for input in [JsValue::UNDEFINED, 7.into(), " ".into()] {
        assert_eq!(rejection(session.submit(&input)).await, "invalid-argument");
    }
    assert_eq!(heard.length(), 0);
    assert_eq!(fetch.traces().await, [0.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
fn a_session_without_address_or_cursor_is_refused() {
    let no_op = || Function::new_no_args("");
    for (url, cursor) in [("ftp://x", NEW), ("/turns", "{}"), ("", NEW)] {
        let made = TurnSessionHandle::new(&url.into(), &cursor.into(), &"{}".into(), no_op());
        assert_eq!(code_of(&made.unwrap_err()), "invalid-argument", "{url} {cursor}");
    }
}
