//! Calls as JavaScript holds them, over a scripted `fetch`.

use crate::scripted_fetch::{ScriptedFetch, code_of, json_of, rejection, settled};
use turnwire_js::{Call, TurnEvents};
use wasm_bindgen::convert::TryFromJsValue;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

const FINISHED: &str = r#"{"type": "application/json", "steps": ["{\"text\":\"Hi\",\"sessionId\":\"s\",\"events\":[{\"type\":\"session\",\"sessionId\":\"s\"},{\"type\":\"done\"},{\"type\":\"done\",\"text\":\"Hi\"}]}"]}"#;
const TURN: &str = r#"{"steps": ["data: {\"type\":\"session\",\"sessionId\":\"s\"}\n\n", "data: 7\n\ndata: {\"type\":\"done\",\"text\":\"b\"}\n\n"]}"#;
const OPEN: &str =
    r#"{"open": true, "steps": ["data: {\"type\":\"session\",\"sessionId\":\"s\"}\n\n"]}"#;
const LISTS: &str = r#"{"type": "application/json", "steps": ["{\"sessionId\":\"s\",\"history\":[],\"approvals\":[],\"questions\":[],\"n\":9007199254740993}"]}"#;

fn call(settings: &str) -> Call {
    Call::new(&"/api".into(), &settings.into()).unwrap()
}

async fn events_of(call: &Call) -> TurnEvents {
    let events = settled(call.stream_message(&"a".into(), &"hi".into())).await.unwrap();
    TurnEvents::try_from_js_value(events).unwrap()
}

#[wasm_bindgen_test]
async fn a_turn_comes_as_json_with_its_damaged_events() {
    let fetch = ScriptedFetch::new(FINISHED);
    let sent = call("{}").send_message(&"a b".into(), &"hi".into());
    let answer = js_sys::Array::from(&settled(sent).await.unwrap());
    assert!(answer.get(0).as_string().unwrap().starts_with(r#"{"text":"Hi""#));
    let damaged = js_sys::Array::from(&js_sys::Array::from(&answer.get(1)).get(0));
    assert_eq!(
        (damaged.get(0).as_f64(), code_of(&damaged.get(1))),
        (Some(1.0), "invalid-event".into())
    );
    assert!(answer.get(2).is_undefined());
    assert_eq!(fetch.text("url").unwrap(), "/api/agents/a%20b/messages");
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn settings_arrive_in_the_request() {
    let fetch = ScriptedFetch::new(FINISHED);
    let settings =
        r#"{"sessionId":"s1","headers":[["Content-Type","text/own"]],"body":{"tenant":"t"}}"#;
    settled(call(settings).send_message(&"a".into(), &"hi".into())).await.unwrap();
    assert_eq!(fetch.text("body").unwrap(), r#"{"message":"hi","sessionId":"s1","tenant":"t"}"#);
    let headers = r#"[["accept","application/json"],["content-type","text/own"]]"#;
    assert_eq!(fetch.text("headers").unwrap().to_lowercase(), headers);
}

#[wasm_bindgen_test]
async fn each_method_asks_its_own_address() {
    let fetch = ScriptedFetch::new(FINISHED);
    let (call, id) = (call("{}"), JsValue::from("x/1"));
    settled(call.approve_call(&id)).await.unwrap();
    assert_eq!(fetch.text("url").unwrap(), "/api/approvals/x%2F1/approve");
    settled(call.deny_call(&id)).await.unwrap();
    assert_eq!(fetch.text("url").unwrap(), "/api/approvals/x%2F1/deny");
    assert_eq!(fetch.text("body"), None);
    settled(call.answer_question(&id, &"A-1".into())).await.unwrap();
    assert_eq!(fetch.text("url").unwrap(), "/api/questions/x%2F1/answer");
    assert_eq!(fetch.text("body").unwrap(), r#"{"answer":"A-1"}"#);
    assert_eq!(fetch.traces().await, [3.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn reads_come_as_json_and_report_integers_where_asked() {
    let fetch = ScriptedFetch::new(LISTS);
    let reporting = call(r#"{"sessionId":"s","reportsIntegers":true}"#);
    let history = settled(call("{}").get_session_history(&"a".into(), &"s".into())).await.unwrap();
    assert!(js_sys::Array::from(&history).get(2).is_undefined());
    let approvals = settled(reporting.get_pending_approvals(&"a".into())).await.unwrap();
    let integers = js_sys::Array::from(&approvals).get(2);
    assert_eq!(json_of(&integers), r#"["9007199254740993"]"#);
    assert_eq!(fetch.text("url").unwrap(), "/api/agents/a/sessions/s/approvals");
    settled(reporting.get_pending_questions(&"a".into())).await.unwrap();
    assert_eq!(fetch.text("url").unwrap(), "/api/agents/a/sessions/s/questions");
}

#[wasm_bindgen_test]
async fn frames_come_together_where_they_arrived_together() {
    let fetch = ScriptedFetch::new(TURN);
    let events = events_of(&call("{}")).await;
    let first = js_sys::Array::from(&settled(events.next_frames()).await.unwrap());
    assert_eq!(first.length(), 1);
    let second = js_sys::Array::from(&settled(events.next_frames()).await.unwrap());
    let damaged = js_sys::Array::from(&second.get(0));
    assert_eq!((second.length(), code_of(&damaged.get(4))), (2, "invalid-event".into()));
    assert!(settled(events.next_frames()).await.unwrap().is_undefined());
    assert!(settled(events.next_frames()).await.unwrap().is_undefined());
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_second_read_is_refused_while_one_is_under_way() {
    let fetch = ScriptedFetch::new(OPEN);
    let call = call("{}");
    let events = events_of(&call).await;
    settled(events.next_frames()).await.unwrap();
    let (waiting, second) = (events.next_frames(), events.next_frames());
    assert_eq!(rejection(second).await, "busy");
    call.cancel();
    assert_eq!(rejection(waiting).await, "aborted");
    assert_eq!(fetch.traces().await, [1.0, 1.0, 0.0]);
}

#[wasm_bindgen_test]
async fn freeing_the_events_cancels_the_request() {
    let fetch = ScriptedFetch::new(OPEN);
    let events = events_of(&call("{}")).await;
    settled(events.next_frames()).await.unwrap();
    drop(events);
    assert_eq!(fetch.traces().await, [1.0, 1.0, 0.0]);
}

#[wasm_bindgen_test]
async fn freeing_a_call_stops_nothing() {
    let fetch = ScriptedFetch::new(FINISHED);
    let freed = call("{}");
    let sent = freed.send_message(&"a".into(), &"hi".into());
    drop(freed);
    settled(sent).await.unwrap();
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_call_that_was_cancelled_sends_nothing() {
    let fetch = ScriptedFetch::new(FINISHED);
    let call = call("{}");
    call.cancel();
    assert_eq!(rejection(call.send_message(&"a".into(), &"hi".into())).await, "aborted");
    assert_eq!(fetch.traces().await, [0.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn arguments_that_are_no_text_are_refused_unsent() {
    let fetch = ScriptedFetch::new(FINISHED);
    let call = call("{}");
    let lone_surrogate = js_sys::eval(r"'a\ud83d'").unwrap();
    for odd in [JsValue::UNDEFINED, JsValue::NULL, 7.into(), lone_surrogate] {
        assert_eq!(rejection(call.send_message(&"a".into(), &odd)).await, "invalid-argument");
        assert_eq!(rejection(call.stream_message(&odd, &"hi".into())).await, "invalid-argument");
        assert_eq!(rejection(call.approve_call(&odd)).await, "invalid-argument");
    }
    assert_eq!(fetch.traces().await, [0.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
fn settings_that_are_none_are_refused() {
    for settings in [
        "",
        "7",
        r#"{"sessionId":7}"#,
        r#"{"headers":[["a"]]}"#,
        r#"{"headers":[["a b","x"]]}"#,
        r#"{"body":[]}"#,
        r#"{"body":{"text":"\ud83d"}}"#,
        r#"{"timeouts":{"idleMs":0}}"#,
        r#"{"limits":{"maxFrameBytes":"9"}}"#,
    ] {
        let error = Call::new(&"/api".into(), &settings.into()).unwrap_err();
        assert_eq!(code_of(&error), "invalid-argument", "{settings}");
    }
    let error = Call::new(&"ftp://x".into(), &"{}".into()).unwrap_err();
    assert_eq!(code_of(&error), "invalid-argument");
}
