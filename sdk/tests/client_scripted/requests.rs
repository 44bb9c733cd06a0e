//! What goes over the wire.

use crate::script::{Reply, Script};
use std::future::Future;
use turnwire::client::{LoopClient, Method, Request, RequestOptions};
use turnwire::loopengine::TurnResult;
use turnwire::{Error, ErrorKind, Result};

const FINISHED: &str = r#"{"text":"x","sessionId":"s","events":[],"more":[1.50]}"#;

/// The request that a call sends.
fn sent<V, F: Future<Output = Result<V>>>(call: impl FnOnce(LoopClient<Script>) -> F) -> Request {
    let mut reply = Reply::json(200, FINISHED);
    reply.refused = true;
    let script = Script::new([reply]);
    let result = script.run(call(script.client()));
    assert_eq!(result.map(drop).unwrap_err().kind(), ErrorKind::Network);
    script.requests().remove(0)
}

/// The error of a call that must not send anything.
fn unsent<V, F: Future<Output = Result<V>>>(call: impl FnOnce(LoopClient<Script>) -> F) -> Error {
    let script = Script::new([]);
    let error = script.run(call(script.client())).map(drop).unwrap_err();
    assert!(script.requests().is_empty());
    error
}

pub(crate) fn header<'a>(request: &'a Request, name: &str) -> Vec<&'a str> {
    request
        .headers
        .iter()
        .filter(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
        .collect()
}

fn assert_sends(request: &Request, line: &str, body: Option<&str>, accept: &str) {
    assert_eq!(format!("{} {}", request.method.as_str(), request.url), line);
    assert_eq!(request.body.as_deref(), body, "{line}");
    assert_eq!(header(request, "accept"), [accept], "{line}");
    let content_type: &[&str] = match request.method {
        Method::Post => &["application/json"],
        Method::Get => &[],
    };
    assert_eq!(header(request, "content-type"), content_type, "{line}");
}

#[test]
fn each_call_has_its_route() {
    let json = "application/json";
    let options = &RequestOptions::default();
    let message = Some(r#"{"message":"hi"}"#);
    let request = sent(async |client| client.send("a b", "hi", options).await);
    assert_sends(&request, "POST http://h/agents/a%20b/messages", message, json);
    let request = sent(async |client| client.stream("a", "hi", options).await);
    assert_sends(&request, "POST http://h/agents/a/messages/stream", message, "text/event-stream");
    let request = sent(async |client| client.approve("i/1", options).await);
    assert_sends(&request, "POST http://h/approvals/i%2F1/approve", None, json);
    let request = sent(async |client| client.deny("i", options).await);
    assert_sends(&request, "POST http://h/approvals/i/deny", None, json);
    let request = sent(async |client| client.answer("q", "A-1001", options).await);
    assert_sends(
        &request,
        "POST http://h/questions/q/answer",
        Some(r#"{"answer":"A-1001"}"#),
        json,
    );
    let request = sent(async |client| client.history("désk", "s?", options).await);
    assert_sends(&request, "GET http://h/agents/d%C3%A9sk/sessions/s%3F", None, json);
    let request = sent(async |client| client.approvals("a", None, options).await);
    assert_sends(&request, "GET http://h/agents/a/approvals", None, json);
    let request = sent(async |client| client.approvals("a", Some("s"), options).await);
    assert_sends(&request, "GET http://h/agents/a/sessions/s/approvals", None, json);
    let request = sent(async |client| client.questions("a", None, options).await);
    assert_sends(&request, "GET http://h/agents/a/questions", None, json);
    let request = sent(async |client| client.questions("a", Some("s"), options).await);
    assert_sends(&request, "GET http://h/agents/a/sessions/s/questions", None, json);
}

#[test]
fn the_session_and_extra_fields_follow_the_message() {
    let mut options = RequestOptions { session_id: Some("s".into()), ..Default::default() };
    options.body.insert("email".into(), "a@b".into());
    let options = &options;
    let request = sent(async |client| client.send("a", "hi", options).await);
    let body = r#"{"message":"hi","sessionId":"s","email":"a@b"}"#;
    assert_eq!(request.body.as_deref(), Some(body));
    let request = sent(async |client| client.approve("i", options).await);
    assert_eq!(request.body.as_deref(), Some(r#"{"email":"a@b"}"#));
    let request = sent(async |client| client.history("a", "t", options).await);
    assert_eq!(request.body, None);
}

#[test]
fn an_empty_session_id_is_none() {
    let options = &RequestOptions { session_id: Some(String::new()), ..Default::default() };
    let request = sent(async |client| client.send("a", "hi", options).await);
    assert_eq!(request.body.as_deref(), Some(r#"{"message":"hi"}"#));
}

#[test]
fn headers_of_the_call_win_over_the_clients_over_the_defaults() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let options = &RequestOptions {
        headers: vec![pair("X-Tenant", "call"), pair("Accept", "*/*")],
        ..Default::default()
    };
    let ours =
        vec![pair("x-tenant", "client"), pair("Content-Type", "text/plain"), pair("x-a", "1")];
    let request = sent(async |client| client.with_headers(ours)?.send("a", "hi", options).await);
    assert_eq!(header(&request, "x-tenant"), ["call"]);
    assert_eq!(header(&request, "accept"), ["*/*"]);
    assert_eq!(header(&request, "content-type"), ["text/plain"]);
    assert_eq!(header(&request, "x-a"), ["1"]);
}

#[test]
fn what_cannot_be_sent_is_not() {
    let options = &RequestOptions::default();
    for name in ["", ".", ".."] {
        let error = unsent(async |client| client.send(name, "hi", options).await);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let error = unsent(async |client| client.approve(name, options).await);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let error = unsent(async |client| client.history("a", name, options).await);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let error = unsent(async |client| client.questions("a", Some(name), options).await);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
    let error = unsent(async |client| client.stream("a", "", options).await);
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let split = vec![("x".to_owned(), "1\r\ny: 2".to_owned())];
    let options = &RequestOptions { headers: split.clone(), ..Default::default() };
    let error = unsent(async |client| client.send("a", "hi", options).await);
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(Script::default().client().with_headers(split).is_err());
}

#[test]
fn results_keep_the_json_they_came_from() {
    let script = Script::new([Reply::json(200, FINISHED), Reply::json(200, r#"{ "ok" : true }"#)]);
    let (client, options) = (script.client(), RequestOptions::default());
    let result = script.run(async { client.send("a", "m", &options).await }).unwrap();
    assert_eq!(result.json, FINISHED);
    let result = script.run(async { client.clone().deny("i", &options).await }).unwrap();
    assert!(matches!(result.value, TurnResult::Acknowledged));
    assert_eq!(result.json, r#"{ "ok" : true }"#);
}

#[test]
fn a_client_does_not_show_its_headers() {
    let headers = vec![("authorization".to_owned(), "secret".to_owned())];
    let client = Script::default().client().with_headers(headers).unwrap();
    assert!(!format!("{client:?}").contains("secret"));
}
