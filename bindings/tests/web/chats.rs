//! Chats as JavaScript holds them, over a scripted `fetch`.

use crate::scripted_fetch::{ScriptedFetch, code_of, json_of, rejection, settled};
use js_sys::{Array, Function, Reflect};
use turnwire_js::ChatHandle;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

const TURN: &str = r#"{"steps": ["data: {\"type\":\"session\",\"sessionId\":\"s\"}\n\n", "data: {\"type\":\"done\",\"text\":\"b\"}\n\n"]}"#;
const OPEN: &str =
    r#"{"open": true, "steps": ["data: {\"type\":\"session\",\"sessionId\":\"s\"}\n\n"]}"#;

/// A chat that adds an item to the list with each notification.
fn chat() -> (ChatHandle, Array) {
    let heard = Array::new();
    let note = Function::new_with_args("heard", "return () => { heard.push(0); }");
    let note = note.call1(&JsValue::NULL, &heard).unwrap().unchecked_into();
    (ChatHandle::new(&"/api".into(), &"a".into(), &"{}".into(), note).unwrap(), heard)
}

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap()
}

#[wasm_bindgen_test]
async fn a_turn_is_told_and_shown() {
    let fetch = ScriptedFetch::new(TURN);
    let (chat, heard) = chat();
    let empty = r#"{"sessionId":null,"phase":"idle","online":true,"connection":{"state":"steady"},"diagnostics":[],"lastError":null,"messages":[],"pending":[]}"#;
    assert_eq!(json_of(&chat.state()), empty);
    settled(chat.send(&"hi".into(), &JsValue::UNDEFINED)).await.unwrap();
    assert!(heard.length() >= 3, "{}", heard.length());
    let state = chat.state();
    assert_eq!(get(&state, "sessionId").as_string().as_deref(), Some("s"));
    assert_eq!(Array::from(&get(&state, "messages")).length(), 2);
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn the_state_is_the_same_object_until_it_changes() {
    let _fetch = ScriptedFetch::new(TURN);
    let (chat, _) = chat();
    let before = chat.state();
    assert!(js_sys::Object::is(&before, &chat.state()));
    settled(chat.send(&"hi".into(), &JsValue::UNDEFINED)).await.unwrap();
    let after = chat.state();
    assert!(!js_sys::Object::is(&before, &after));
    assert!(js_sys::Object::is(&after, &chat.state()));
    assert!(js_sys::Object::is(&get(&before, "pending"), &get(&after, "pending")));
}

#[wasm_bindgen_test]
async fn what_is_begun_shows_when_the_call_returns() {
    let fetch = ScriptedFetch::new(OPEN);
    let (chat, heard) = chat();
    let sent = chat.send(&"hi".into(), &JsValue::UNDEFINED);
    assert_eq!(get(&chat.state(), "phase").as_string().as_deref(), Some("sending"));
    assert_eq!(heard.length(), 1);
    chat.stop();
    assert_eq!(rejection(sent).await, "aborted");
    assert_eq!(fetch.traces().await[2], 0.0);
}

#[wasm_bindgen_test]
async fn close_stops_the_turn_and_refuses_what_comes_after() {
    let fetch = ScriptedFetch::new(OPEN);
    let (chat, _) = chat();
    let sent = chat.send(&"hi".into(), &JsValue::UNDEFINED);
    fetch.traces().await;
    chat.close();
    assert_eq!(rejection(sent).await, "aborted");
    let id = "x".into();
    for refused in [
        chat.send(&"hi".into(), &JsValue::UNDEFINED),
        chat.approve(&id),
        chat.deny(&id),
        chat.answer(&id, &id),
        chat.open(&id),
        chat.retry(),
    ] {
        assert_eq!(rejection(refused).await, "closed");
    }
    assert_eq!(fetch.traces().await, [1.0, 1.0, 0.0]);
}

#[wasm_bindgen_test]
async fn freeing_a_chat_ends_the_notifications() {
    let fetch = ScriptedFetch::new(TURN);
    let (chat, heard) = chat();
    let sent = chat.send(&"hi".into(), &JsValue::UNDEFINED);
    let before = heard.length();
    drop(chat);
    settled(sent).await.unwrap();
    assert_eq!(heard.length(), before);
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_notification_that_throws_harms_nothing() {
    let fetch = ScriptedFetch::new(TURN);
    let throwing = Function::new_no_args("throw new RangeError('of a listener')");
    let chat = ChatHandle::new(&"/api".into(), &"a".into(), &"{}".into(), throwing).unwrap();
    settled(chat.send(&"hi".into(), &JsValue::UNDEFINED)).await.unwrap();
    assert_eq!(get(&chat.state(), "phase").as_string().as_deref(), Some("idle"));
    assert_eq!(fetch.traces().await[2], 0.0);
}

#[wasm_bindgen_test]
async fn verdicts_without_an_item_are_refused_unsent() {
    let fetch = ScriptedFetch::new(TURN);
    let (chat, _) = chat();
    assert_eq!(rejection(chat.approve(&"x".into())).await, "not-pending");
    assert_eq!(rejection(chat.deny(&JsValue::UNDEFINED)).await, "invalid-argument");
    assert_eq!(rejection(chat.answer(&"x".into(), &7.into())).await, "invalid-argument");
    assert_eq!(rejection(chat.retry()).await, "invalid-argument");
    assert_eq!(fetch.traces().await, [0.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
fn a_chat_without_an_address_is_refused() {
    let no_op = || Function::new_no_args("");
    for (base, agent) in [("ftp://x".into(), "a".into()), ("/api".into(), JsValue::UNDEFINED)] {
        let error = ChatHandle::new(&base, &agent, &"{}".into(), no_op()).unwrap_err();
        assert_eq!(code_of(&error), "invalid-argument");
    }
}
