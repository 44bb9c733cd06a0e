//! What a message is answered with, on both routes.

use crate::site::{AGENT, REFUND, Site};
use serde_json::json;

#[tokio::test]
async fn a_plain_answer_has_the_whole_turn() {
    let site = Site::new().await;
    let reply = site.say("s-1", "hello").await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("cache-control"), "no-store");
    assert!(!reply.header("x-turnwire-turn").is_empty());
    let body = reply.json();
    let fields: Vec<_> = body.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["text", "sessionId", "events"]);
    assert_eq!(reply.event_types(), ["session", "budget:check", "loop:done", "done"]);
    assert_eq!(body["events"][0]["sessionId"], "s-1");
    assert_eq!(body["text"], body["events"][3]["text"]);
}

#[tokio::test]
async fn a_pending_call_is_answered_with_what_a_client_needs_to_decide() {
    let site = Site::new().await;
    let reply = site.say("a/b ü?#%", REFUND).await;
    assert_eq!(reply.status, 202);
    let body = reply.json();
    let fields: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        fields,
        [
            "pending",
            "type",
            "id",
            "sessionId",
            "tool",
            "args",
            "scope",
            "reason",
            "approveUrl",
            "denyUrl",
            "events",
            "statusUrl"
        ]
    );
    assert_eq!(body["pending"], true);
    assert_eq!(body["type"], "approval");
    assert_eq!(body["tool"], "issue_refund");
    assert_eq!(body["args"], json!({"orderId": "A-1001"}));
    assert_eq!(
        body["scope"],
        json!({"tenant": "default", "environment": "production", "agent": "customer-service"})
    );
    assert_eq!(body["reason"], "matched rule 'refunds-need-approval'");
    assert_eq!(reply.event_types().last().unwrap(), "approval:pending");

    // The paths can be fetched as given.
    let status = site.get(body["statusUrl"].as_str().unwrap()).await;
    assert_eq!((status.status, &status.json()["sessionId"]), (200, &body["sessionId"]));
    let approved = site.post(body["approveUrl"].as_str().unwrap(), "").await;
    assert_eq!(approved.json()["text"], "Refunded $42.00 to your original payment method.");
}

#[tokio::test]
async fn a_pending_question_names_its_options() {
    let site = Site::new().await;
    let reply = site.say("s-1", "I want a refund").await;
    let body = reply.json();
    let fields: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        fields,
        [
            "pending",
            "type",
            "id",
            "sessionId",
            "question",
            "options",
            "answerUrl",
            "events",
            "statusUrl"
        ]
    );
    assert_eq!(body["question"], "Which order is it about?");
    assert_eq!(body["options"], json!(["A-1001", "A-1002"]));
    let answered = site.post(body["answerUrl"].as_str().unwrap(), r#"{"answer":"a-1002"}"#).await;
    assert_eq!(answered.json()["args"], json!({"orderId": "A-1002"}));
}

#[tokio::test]
async fn a_stream_has_the_framing_of_the_protocol() {
    let site = Site::new().await;
    let body = json!({"message": "hello", "sessionId": "s-1"}).to_string();
    let reply = site.post(&format!("{AGENT}/messages/stream"), body).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), "text/event-stream");
    assert_eq!(reply.header("cache-control"), "no-cache, no-transform");
    assert_eq!(reply.header("x-accel-buffering"), "no");
    assert!(!reply.header("x-turnwire-turn").is_empty());
    let frames: Vec<_> = reply.text.split_terminator("\n\n").collect();
    assert_eq!(frames[0], "event: session\ndata: {\"type\":\"session\",\"sessionId\":\"s-1\"}");
    for frame in &frames {
        let lines: Vec<_> = frame.lines().collect();
        let [event, data] = lines[..] else { panic!("{frame}") };
        let name = event.strip_prefix("event: ").unwrap();
        let data: serde_json::Value =
            serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(data["type"], name);
    }
    assert!(frames.last().unwrap().starts_with("event: done\n"));
}

#[tokio::test]
async fn a_turn_that_breaks_says_so_and_keeps_what_was_said() {
    let site = Site::new().await;
    let (status, text) = site.say("s-1", "break").await.refusal();
    assert_eq!((status, text.as_str()), (500, "the scripted model broke off, as it was asked to"));
    let history = site.history("s-1").await;
    assert_eq!(history[0], json!({"role": "user", "content": "break"}));
    assert!(history.len() > 1, "{history:?}");
}

#[tokio::test]
async fn a_session_id_is_made_where_none_is_given() {
    let site = Site::new().await;
    let path = format!("{AGENT}/messages");
    let mut ids = Vec::new();
    for body in [r#"{"message":"hello"}"#, r#"{"message":"hello","sessionId":""}"#] {
        ids.push(site.post(&path, body).await.json()["sessionId"].as_str().unwrap().to_owned());
    }
    assert!(ids.iter().all(|id| id.len() == 36), "{ids:?}");
    assert_ne!(ids[0], ids[1]);
}

#[tokio::test]
async fn messages_of_one_session_wait_for_each_other() {
    let site = Site::new().await;
    let item = site.say("s-1", REFUND).await.item();
    let (second, other) = tokio::join!(site.say("s-1", "hello"), async {
        let other = site.say("s-2", "hello").await;
        // The first turn still waits, so nothing of the second message is stored yet.
        assert_eq!(site.history("s-1").await[0]["content"], REFUND);
        assert!(!site.history("s-1").await.iter().any(|message| message["content"] == "hello"));
        site.post(&format!("/approvals/{item}/deny"), "").await;
        other
    });
    assert_eq!((second.status, other.status), (200, 200));
    let history = site.history("s-1").await;
    let said: Vec<_> = history
        .iter()
        .filter(|message| message["role"] == "user" && message["content"].is_string())
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(said, [REFUND, "hello"]);
}

#[tokio::test]
async fn a_session_holds_every_call_with_its_result() {
    let site = Site::new().await;
    let item = site.say("s-1", REFUND).await.item();
    site.post(&format!("/approvals/{item}/approve"), "").await;
    let history = site.history("s-1").await;
    let of = |kind: &str, field: &str| -> Vec<String> {
        let blocks = history.iter().filter_map(|message| message["content"].as_array());
        let blocks = blocks.flatten().filter(|block| block["type"] == kind);
        blocks.map(|block| block[field].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of("tool_use", "name"), ["lookup_order", "issue_refund"]);
    assert_eq!(of("tool_use", "id"), of("tool_result", "tool_use_id"));
    assert!(site.history("unknown").await.is_empty());
}
