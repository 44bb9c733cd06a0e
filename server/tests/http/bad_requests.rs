//! What is not as it should be gets 4xx with a text that says so, and nothing is stored.

use crate::site::{AGENT, REFUND, Site, request};
use axum::body::Body;
use axum::http::Method;
use futures_util::StreamExt;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The body, and what the refusal says of it.
const BODIES: [(&str, &str); 13] = [
    ("", "message is required"),
    ("{}", "message is required"),
    (r#"{"message":""}"#, "message is required"),
    (r#"{"message":null}"#, "message is required"),
    (r#"{"message":42}"#, "`message` must be a string, found a number"),
    (r#"{"message":{}}"#, "`message` must be a string, found an object"),
    (r#"{"message":"x","sessionId":7}"#, "`sessionId` must be a string, found a number"),
    ("null", "the body must be a JSON object, found null"),
    ("[]", "the body must be a JSON object, found an array"),
    (r#""text""#, "the body must be a JSON object, found a string"),
    ("{", "the body is not valid JSON: "),
    (r#"{"message":"x"} {}"#, "the body is not valid JSON: "),
    (r#"{"message":"\ud800"}"#, "the body is not valid JSON: "),
];

#[tokio::test]
async fn a_body_that_is_no_message_is_refused_on_both_routes() {
    let site = Site::new().await;
    for route in ["messages", "messages/stream"] {
        for (body, reason) in BODIES {
            let (status, text) = site.post(&format!("{AGENT}/{route}"), body).await.refusal();
            assert_eq!(status, 400, "{route} {body}");
            assert!(text.starts_with(reason), "{body}: {text}");
        }
    }
}

#[tokio::test]
async fn bytes_that_are_no_text_are_refused() {
    let site = Site::new().await;
    let body: &[u8] = b"{\"message\":\"\xff\"}";
    let refusal = site.post(&format!("{AGENT}/messages"), body).await.refusal();
    assert_eq!(refusal, (400, "the body is not valid UTF-8".into()));
}

#[tokio::test]
async fn a_body_nested_without_end_is_refused_and_not_followed() {
    let site = Site::new().await;
    for opening in ["[", "{\"a\":"] {
        let (status, text) =
            site.post(&format!("{AGENT}/messages"), opening.repeat(100_000)).await.refusal();
        assert_eq!(status, 400);
        assert!(text.contains("recursion limit"), "{text}");
    }
}

#[tokio::test]
async fn what_is_too_large_is_refused_before_anything_is_stored() {
    let site = Site::new().await;
    let message = "x".repeat(256 * 1024 + 1);
    let refusal = site.say("s-1", &message).await.refusal();
    assert_eq!(refusal, (413, "the message is larger than 262144 bytes".into()));
    let body = json!({"message": "hello", "sessionId": "s-1", "more": "x".repeat(1024 * 1024)});
    let refusal = site.post(&format!("{AGENT}/messages"), body.to_string()).await.refusal();
    assert_eq!(refusal, (413, "the body is larger than 1048576 bytes".into()));
    let refusal = site.say(&"s".repeat(1025), "hello").await.refusal();
    assert_eq!(refusal, (400, "`sessionId` is longer than 1024 bytes".into()));
    assert!(site.history("s-1").await.is_empty());
    assert_eq!(site.say("s-1", &message[1..]).await.status, 200);
}

#[tokio::test]
async fn an_unknown_agent_is_named_whatever_the_body() {
    let site = Site::new().await;
    for route in ["messages", "messages/stream"] {
        let refusal = site.post(&format!("/agents/nobody/{route}"), "{").await.refusal();
        assert_eq!(refusal, (404, "unknown agent 'nobody'".into()));
    }
    let refusal = site.get("/agents/d%C3%A9sk%20%2F/sessions/s").await.refusal();
    assert_eq!(refusal, (404, "unknown agent 'désk /'".into()));
}

#[tokio::test]
async fn what_is_no_route_is_not_found() {
    let site = Site::new().await;
    for path in ["/agents/", "/agent", "/agents/customer-service/messages/", "/approvals/x"] {
        assert_eq!(site.get(path).await.refusal(), (404, "not found".into()), "{path}");
    }
}

#[tokio::test]
async fn another_method_is_refused_with_those_that_are_allowed() {
    let site = Site::new().await;
    let reply = site.get(&format!("{AGENT}/messages")).await;
    assert_eq!(reply.refusal(), (405, "method not allowed".into()));
    assert_eq!(reply.header("allow"), "POST");
    let delete = request(Method::DELETE, "/agents").body(Body::empty()).unwrap();
    assert_eq!(site.send(delete).await.status, 405);
}

#[tokio::test]
async fn a_path_with_a_broken_percent_sequence_is_refused() {
    let site = Site::new().await;
    for path in ["/agents/%zz/messages", "/approvals/%/approve", "/agents/%ff/sessions/s"] {
        let (status, text) = site.get(path).await.refusal();
        assert_eq!(
            (status, text.as_str()),
            (400, "the path has a malformed percent sequence"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn an_answer_has_to_be_a_text() {
    let site = Site::new().await;
    for (body, reason) in [
        ("", "answer is required"),
        (r#"{"answer":null}"#, "answer is required"),
        (r#"{"answer":["A-1001"]}"#, "`answer` must be a string, found an array"),
        ("[", "the body is not valid JSON: "),
    ] {
        let (status, text) = site.post("/questions/any/answer", body).await.refusal();
        assert_eq!(status, 400, "{body}");
        assert!(text.starts_with(reason), "{body}: {text}");
    }
    let long = json!({"answer": "x".repeat(256 * 1024 + 1)}).to_string();
    assert_eq!(site.post("/questions/any/answer", long).await.status, 413);
}

#[tokio::test]
async fn what_a_route_leaves_of_a_body_is_read_before_the_answer() {
    let site = Site::new().await;
    let item = site.say("s-1", REFUND).await.item();
    for (path, status) in [
        (format!("/approvals/{item}/approve"), 200),
        ("/agents/nobody/messages".into(), 404),
        ("/turns/x/cancel".into(), 404),
        ("/healthz".into(), 405),
        ("/%zz".into(), 400),
        (format!("{AGENT}/messages"), 413),
    ] {
        let read = Arc::new(AtomicUsize::new(0));
        let reply = site.post(&path, counted(&read)).await;
        assert_eq!((reply.status, read.load(Ordering::Relaxed)), (status, CHUNKS), "{path}");
    }
}

const CHUNKS: usize = 5;

/// A body of more bytes than are taken in, which counts its chunks that are read.
fn counted(read: &Arc<AtomicUsize>) -> Body {
    let read = Arc::clone(read);
    let chunks = futures_util::stream::iter(0..CHUNKS).map(move |_| {
        read.fetch_add(1, Ordering::Relaxed);
        Ok::<_, std::convert::Infallible>(" ".repeat(300 * 1024))
    });
    Body::from_stream(chunks)
}
