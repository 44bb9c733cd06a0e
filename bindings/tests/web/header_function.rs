//! A function for headers, as JavaScript gives one with the settings.

use crate::scripted_fetch::{ScriptedFetch, code_of, rejection, settled};
use js_sys::{Array, Function, Reflect};
use turnwire_js::{Call, ChatHandle};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

const FINISHED: &str = r#"{"type": "application/json", "steps": ["{\"text\":\"Hi\",\"sessionId\":\"s\",\"events\":[]}"]}"#;
const REFUSED: &str = r#"{"type": "application/json", "status": 401, "steps": ["{}"]}"#;

/// Settings with a function whose body this is.
fn settings(body: &str) -> JsValue {
    Array::of2(&"{}".into(), &Function::new_with_args("refresh", body)).into()
}

fn call(body: &str) -> Call {
    Call::new(&"/api".into(), &settings(body)).unwrap()
}

fn send(call: &Call) -> js_sys::Promise {
    call.send_message(&"a".into(), &"hi".into())
}

#[wasm_bindgen_test]
async fn what_it_gives_arrives_in_the_request() {
    let fetch = ScriptedFetch::new(FINISHED);
    let body = "return Promise.resolve(JSON.stringify([['X-Refresh', `${refresh}`]]));";
    settled(send(&call(body))).await.unwrap();
    assert!(fetch.text("headers").unwrap().contains(r#"["X-Refresh","false"]"#));
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_401_asks_it_for_fresh_headers_once() {
    let fetch = ScriptedFetch::new(REFUSED);
    let call = call("return Promise.resolve(JSON.stringify([['x-refresh', `${refresh}`]]));");
    let error = settled(send(&call)).await.unwrap_err();
    assert_eq!(code_of(&error), "http-status");
    assert!(fetch.text("headers").unwrap().contains(r#"["x-refresh","true"]"#));
    let [calls, _, unhandled] = fetch.traces().await;
    assert_eq!((calls, unhandled), (2.0, 0.0));
}

#[wasm_bindgen_test]
async fn whatever_it_throws_is_that_it_failed() {
    let fetch = ScriptedFetch::new(FINISHED);
    for body in [
        "throw new Error('x');",
        "throw null;",
        "throw Symbol('x');",
        "throw new Proxy(() => {}, { get: () => { throw new Error('trap'); } });",
        "return Promise.reject('offline');",
        "return { then: () => { throw 'late'; } };",
    ] {
        assert_eq!(rejection(send(&call(body))).await, "headers-failed", "{body}");
    }
    assert_eq!(fetch.traces().await, [0.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn what_is_no_list_of_pairs_is_refused() {
    let fetch = ScriptedFetch::new(FINISHED);
    for body in ["return 7;", "return 'a';", "return '[[\"a\"]]';", "return '[[\"a b\",\"x\"]]';"] {
        assert_eq!(rejection(send(&call(body))).await, "invalid-argument", "{body}");
    }
    assert_eq!(fetch.traces().await, [0.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_call_that_is_cancelled_meanwhile_leaves_nothing_behind() {
    let fetch = ScriptedFetch::new(FINISHED);
    let body = "return new Promise((_, reject) => { globalThis.rejectHeaders = reject; });";
    let call = call(body);
    let sent = send(&call);
    fetch.traces().await;
    call.cancel();
    assert_eq!(rejection(sent).await, "aborted");
    let global = js_sys::global();
    let reject: Function = Reflect::get(&global, &"rejectHeaders".into()).unwrap().unchecked_into();
    reject.call1(&JsValue::UNDEFINED, &"late".into()).unwrap();
    assert_eq!(fetch.traces().await, [0.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_chat_asks_it_too() {
    let fetch = ScriptedFetch::new(FINISHED);
    let settings = settings("throw new Error('x');");
    let listener = Function::new_no_args("");
    let chat = ChatHandle::new(&"/api".into(), &"a".into(), &settings, listener).unwrap();
    assert_eq!(rejection(chat.send(&"hi".into(), &JsValue::UNDEFINED)).await, "headers-failed");
    assert_eq!(fetch.traces().await, [0.0, 0.0, 0.0]);
}
