//! What the transport does, the same in every host.

use crate::stand_in::StandIn;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;
use turnwire::ErrorKind;
use turnwire::client::{CancelToken, FetchTransport, RequestOptions, Timeouts, Transport};
use wasm_bindgen_test::wasm_bindgen_test;

const TURN: &str = r#"{"steps": [
    "data: {\"type\":\"session\",\"sessionId\":\"那🌍\"}\n\nda",
    "ta: {\"type\":\"assistant:text\",\"text\":\"a\"}\n\n",
    "data: {\"type\":\"done\",\"text\":\"b\"}\n\n"]}"#;

const OPEN: &str =
    r#"{"open": true, "steps": ["data: {\"type\":\"session\",\"sessionId\":\"s\"}\n\n"]}"#;

fn polled_once<F: Future>(future: F) {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(future.as_mut().poll(&mut cx).is_pending());
}

#[wasm_bindgen_test]
async fn a_whole_turn_leaves_no_trace() {
    let fetch = StandIn::new(TURN);
    let options = RequestOptions::default();
    let mut stream = fetch.client().stream("a b", "hi", &options).await.unwrap();
    let mut jsons = Vec::new();
    while let Some(frame) = stream.next().await {
        jsons.push(frame.unwrap().json);
    }
    assert_eq!(jsons.len(), 3);
    assert_eq!(jsons[0], r#"{"type":"session","sessionId":"那🌍"}"#);
    drop(stream);
    assert_eq!(fetch.traces().await, [0.0; 4]);
}

#[wasm_bindgen_test]
async fn the_request_arrives_as_meant() {
    let fetch = StandIn::new(TURN);
    let headers = vec![("authorization".to_owned(), "Bearer x".to_owned())];
    let options = RequestOptions { headers, ..Default::default() };
    drop(fetch.client().stream("a b", "hi", &options).await.unwrap());
    assert_eq!(fetch.text("url").unwrap(), "/api/agents/a%20b/messages/stream");
    assert_eq!(fetch.text("method").unwrap(), "POST");
    assert_eq!(fetch.text("body").unwrap(), r#"{"message":"hi"}"#);
    let headers = r#"[["accept","text/event-stream"],["content-type","application/json"],["authorization","Bearer x"]]"#;
    assert_eq!(fetch.text("headers").unwrap(), headers);
    fetch.rest().await;
}

#[wasm_bindgen_test]
async fn a_read_has_no_body() {
    let fetch =
        StandIn::new(r#"{"type": "application/json", "steps": ["{\"appro", "vals\":[]}"]}"#);
    let options = RequestOptions::default();
    let list = fetch.client().approvals("a", None, &options).await.unwrap();
    assert!(list.value.approvals.is_empty());
    assert_eq!((fetch.text("method").unwrap().as_str(), fetch.text("body")), ("GET", None));
    assert_eq!(fetch.traces().await, [0.0; 4]);
}

#[wasm_bindgen_test]
async fn a_stream_dropped_between_events_aborts_once() {
    let fetch = StandIn::new(TURN);
    let options = RequestOptions::default();
    let mut stream = fetch.client().stream("a", "hi", &options).await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    drop(stream);
    assert_eq!(fetch.traces().await, [1.0, 1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_stream_dropped_while_it_reads_aborts_once() {
    let fetch = StandIn::new(OPEN);
    let options = RequestOptions::default();
    let mut stream = fetch.client().stream("a", "hi", &options).await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    polled_once(stream.next());
    drop(stream);
    assert_eq!(fetch.traces().await, [1.0, 1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_call_dropped_while_its_head_is_awaited_aborts_once() {
    let fetch = StandIn::new(r#"{"head": "never"}"#);
    let options = RequestOptions::default();
    let client = fetch.client();
    polled_once(client.send("a", "hi", &options));
    assert_eq!(fetch.count("calls"), 1.0);
    assert_eq!(fetch.traces().await, [1.0, 0.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_switch_aborts_once() {
    let fetch = StandIn::new(OPEN);
    let token = CancelToken::new();
    let options = RequestOptions { cancel: Some(token.clone()), ..Default::default() };
    let mut stream = fetch.client().stream("a", "hi", &options).await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    let stop = async {
        fetch.rest().await;
        token.cancel();
    };
    let (next, ()) = futures_util::future::join(stream.next(), stop).await;
    assert_eq!(next.unwrap().unwrap_err().kind(), ErrorKind::Aborted);
    assert_eq!(fetch.traces().await, [1.0, 1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn an_abort_error_of_the_host_is_no_stop_of_the_callers() {
    let fetch = StandIn::new(r#"{"head": "abortError"}"#);
    let options = RequestOptions::default();
    let error = fetch.client().send("a", "hi", &options).await.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Network, true));
    let frozen = StandIn::new(r#"{"steps": [{"fail": "AbortError"}]}"#);
    let mut stream = frozen.client().stream("a", "hi", &options).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap_err().kind(), ErrorKind::Network);
    drop(stream);
    assert_eq!(frozen.traces().await[2..], [0.0; 2]);
}

#[wasm_bindgen_test]
async fn whatever_javascript_throws_is_a_network_fault() {
    for head in [
        "throwsNull",
        "throwsSymbol",
        "throwsTrap",
        "rejectsUndefined",
        "rejectsText",
        "rejectsAddress",
        "number",
        "undefined",
        "hollow",
        "thenable",
    ] {
        let fetch = StandIn::new(&format!(r#"{{"head": "{head}"}}"#));
        let options = RequestOptions::default();
        let error = fetch.client().send("a", "hi", &options).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Network, "{head}: {error}");
        assert!(!error.to_string().contains("secret"), "{error}");
        assert_eq!(fetch.traces().await[2..], [0.0; 2], "{head}");
    }
}

#[wasm_bindgen_test]
async fn a_chunk_that_is_no_bytes_is_a_network_fault() {
    for raw in ["5", "null", r#""text""#, "{}", "[1]"] {
        let fetch = StandIn::new(&format!(r#"{{"open": true, "steps": [{{"raw": {raw}}}]}}"#));
        let options = RequestOptions::default();
        let mut stream = fetch.client().stream("a", "hi", &options).await.unwrap();
        let error = stream.next().await.unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Network);
        assert_eq!(fetch.traces().await, [1.0, 1.0, 0.0, 0.0], "{raw}");
    }
}

#[wasm_bindgen_test]
async fn a_response_without_a_body_is_empty() {
    let fetch = StandIn::new(r#"{"head": "noBody"}"#);
    let options = RequestOptions::default();
    let error = fetch.client().stream("a", "hi", &options).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::InvalidResponse, Some(204)));
    assert_eq!(fetch.traces().await, [0.0; 4]);
}

#[wasm_bindgen_test]
async fn a_redirect_to_a_page_is_told() {
    let page = r#"{"type": "Text/HTML", "redirected": true, "steps": ["<h1>Log in</h1>"]}"#;
    let fetch = StandIn::new(page);
    let options = RequestOptions::default();
    let error = fetch.client().stream("a", "hi", &options).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedContentType);
    assert!(error.http().unwrap().redirected);
    fetch.rest().await;
}

#[wasm_bindgen_test]
async fn the_hosts_clock_ends_a_silent_stream() {
    let fetch = StandIn::new(OPEN);
    let idle = Some(Duration::from_millis(20));
    let client = fetch.client().with_timeouts(Timeouts { idle, ..Timeouts::default() });
    let options = RequestOptions::default();
    let mut stream = client.stream("a", "hi", &options).await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    assert_eq!(stream.next().await.unwrap().unwrap_err().kind(), ErrorKind::IdleTimeout);
    assert!(stream.next().await.is_none());
    assert_eq!(fetch.traces().await, [1.0, 1.0, 0.0, 0.0]);
}

#[wasm_bindgen_test]
async fn a_clock_longer_than_the_host_counts_does_not_ring_at_once() {
    let fetch = StandIn::new(TURN);
    let mut sleep = FetchTransport.sleep(Duration::from_secs(3600 * 24 * 365));
    polled_once(&mut sleep);
    fetch.rest().await;
    polled_once(&mut sleep);
    drop(sleep);
    assert_eq!(fetch.count("armed"), 0.0);
}
