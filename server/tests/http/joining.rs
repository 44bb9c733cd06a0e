//! A turn by its id, and a message that is sent twice.

use crate::site::{AGENT, REFUND, Reply, Site, request};
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};
use std::time::Duration;
use turnwire_server::Config;

async fn join(site: &Site, turn: &str, last: Option<&str>) -> Reply {
    let mut request = request(Method::GET, &format!("/turns/{turn}/stream"));
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    site.send(request.body(Body::empty()).unwrap()).await
}

async fn say_as(site: &Site, key: &str, route: &str, body: &Value) -> Reply {
    let request = request(Method::POST, &format!("{AGENT}/{route}")).header("idempotency-key", key);
    site.send(request.body(body.to_string().into()).unwrap()).await
}

/// The numbers and the data of the frames.
fn frames(reply: &Reply) -> Vec<(usize, Value)> {
    let frame = |frame: &str| {
        let [id, _, data] = frame.lines().collect::<Vec<_>>()[..] else { panic!("{frame}") };
        let number = id.strip_prefix("id: ").unwrap().parse().unwrap();
        (number, serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap())
    };
    reply.text.split_terminator("\n\n").map(frame).collect()
}

#[tokio::test]
async fn a_turn_is_replayed_from_any_event_on() {
    let site = Site::new().await;
    let reply = site.say("s-1", "hello").await;
    let turn = reply.header("x-turnwire-turn").to_owned();
    let events = reply.json()["events"].as_array().unwrap().clone();
    let whole = join(&site, &turn, None).await;
    assert_eq!(whole.header("content-type"), "text/event-stream");
    assert_eq!(whole.header("x-turnwire-turn"), turn);
    let expected: Vec<_> = events.into_iter().enumerate().collect();
    assert_eq!(frames(&whole), expected);
    for last in 0..expected.len() {
        let rest = join(&site, &turn, Some(&last.to_string())).await;
        assert_eq!(frames(&rest), expected[last + 1..]);
    }
}

#[tokio::test]
async fn a_stream_is_written_event_by_event() {
    let site = Site::new().await;
    let reply = site.say("s-1", "hello").await;
    let path = format!("/turns/{}/stream", reply.header("x-turnwire-turn"));
    let mut stream = site.open(&path).await;
    for number in 0..4 {
        let frame = stream.read().await.expect("an event");
        assert!(frame.starts_with(&format!("id: {number}\n")), "{frame}");
        assert_eq!(frame.matches("data: ").count(), 1, "{frame}");
    }
    assert_eq!(stream.read().await, None);
}

#[tokio::test]
async fn a_turn_that_waits_is_followed_to_its_end() {
    let site = Site::new().await;
    let pending = site.say("s-1", REFUND).await;
    let turn = pending.header("x-turnwire-turn").to_owned();
    let seen = pending.json()["events"].as_array().unwrap().len();
    let approve = format!("/approvals/{}/approve", pending.item());
    let last = (seen - 1).to_string();
    let (rest, decided) = tokio::join!(join(&site, &turn, Some(&last)), site.post(&approve, ""));
    let events = decided.json()["events"].as_array().unwrap().clone();
    let expected: Vec<_> = events.into_iter().enumerate().skip(seen).collect();
    assert_eq!(frames(&rest), expected);
}

#[tokio::test]
async fn a_turn_tells_where_it_stands() {
    let site = Site::new().await;
    let pending = site.say("s-1", REFUND).await;
    let turn = pending.header("x-turnwire-turn").to_owned();
    let state = site.get(&format!("/turns/{turn}")).await.json();
    let expected = json!({
        "id": turn, "agent": "customer-service", "sessionId": "s-1", "message": REFUND,
        "state": "waiting",
        "events": pending.json()["events"].as_array().unwrap().len(), "pendingId": pending.item(),
    });
    assert_eq!(state, expected);
    for (message, expected) in [("hello", "done"), ("break", "error")] {
        let body = json!({"message": message}).to_string();
        let reply = site.post(&format!("{AGENT}/messages/stream"), body).await;
        let path = format!("/turns/{}", reply.header("x-turnwire-turn"));
        assert_eq!(site.get(&path).await.json()["state"], expected);
    }
}

#[tokio::test]
async fn what_is_no_turn_or_no_event_of_it_is_told() {
    let site = Site::new().await;
    for (method, path) in [
        (Method::GET, "/turns/x"),
        (Method::GET, "/turns/x/stream"),
        (Method::POST, "/turns/x/cancel"),
    ] {
        let reply = site.send(request(method, path).body(Body::empty()).unwrap()).await;
        assert_eq!(reply.refusal(), (404, "no turn 'x'".into()), "{path}");
    }
    let turn = site.say("s-1", "hello").await.header("x-turnwire-turn").to_owned();
    for last in ["4", "-1", "x", "", "99999999999999999999999"] {
        let (status, text) = join(&site, &turn, Some(last)).await.refusal();
        assert_eq!(status, 400, "{last}");
        assert!(text.ends_with("below 4"), "{text}");
    }
}

#[tokio::test]
async fn events_are_dropped_when_their_time_has_passed() {
    let folder = tempfile::tempdir().unwrap();
    let data = turnwire_server::DataPlace::Folder(folder.path().into());
    let config = Config { data, ..Config::default() };
    let site = Site::with(config.clone()).await;
    let reply = site.say("s-1", REFUND).await;
    let item = reply.item();
    site.post(&format!("/approvals/{item}/approve"), "").await;
    let turn = reply.header("x-turnwire-turn").to_owned();
    drop(site);
    // Longer ago than no time at all means: at least one second ago.
    tokio::time::sleep(Duration::from_millis(2100)).await;
    let site = Site::with(Config { keep_events: Duration::ZERO, ..config }).await;
    let gone = (410, "the events of this turn are no longer kept".to_owned());
    assert_eq!(site.get(&format!("/turns/{turn}")).await.refusal(), gone);
    assert_eq!(join(&site, &turn, None).await.refusal(), gone);
    assert!(!site.history("s-1").await.is_empty());
    let again = site.post(&format!("/approvals/{item}/approve"), "").await;
    assert_eq!(again.json(), json!({"ok": true}));
}

#[tokio::test]
async fn a_stop_ends_the_turn_and_nothing_starts_after_it() {
    let site = Site::new().await;
    let pending = site.say("s-1", REFUND).await;
    let turn = pending.header("x-turnwire-turn").to_owned();
    let cancel = format!("/turns/{turn}/cancel");
    let (stream, stopped) = tokio::join!(join(&site, &turn, None), site.post(&cancel, ""));
    assert_eq!((stopped.status, &stopped.json()["state"]), (200, &json!("error")));
    let frames = frames(&stream);
    assert_eq!(frames.last().unwrap().1, json!({"type": "error", "error": "cancelled"}));
    assert!(frames.iter().all(|(_, event)| event["name"] != "issue_refund"));
    let late = site.post(&format!("/approvals/{}/approve", pending.item()), "").await;
    assert_eq!(late.refusal(), (410, "the turn that asked for this is over".into()));
    // What is over stays as it is.
    let again = site.post(&cancel, "").await;
    assert_eq!(again.json(), stopped.json());
    let listed = site.get(&format!("{AGENT}/approvals")).await.json();
    assert_eq!(listed, json!({"approvals": []}));
    assert_eq!(site.say("s-1", "hello").await.status, 200);
}

#[tokio::test]
async fn a_turn_that_waits_behind_another_can_be_stopped() {
    let site = Site::new().await;
    let first = site.say("s-1", REFUND).await;
    let key = json!({"message": "hello", "sessionId": "s-1"});
    let (second, ()) = tokio::join!(say_as(&site, "k", "messages/stream", &key), async {
        // The same message again tells the turn's id while it still waits.
        let request = request(Method::POST, &format!("{AGENT}/messages/stream"));
        let request = request.header("idempotency-key", "k").body(key.to_string().into()).unwrap();
        let turn = site.turn_of(request).await;
        site.post(&format!("/turns/{turn}/cancel"), "").await;
    });
    assert!(second.text.ends_with("data: {\"type\":\"error\",\"error\":\"cancelled\"}\n\n"));
    let end = site.post(&format!("/approvals/{}/deny", first.item()), "").await;
    assert_eq!(end.status, 200);
}

/// Survives: a message is sent twice under one `Idempotency-Key` → one turn
#[tokio::test]
async fn a_message_that_is_sent_again_joins_its_turn() {
    let site = Site::new().await;
    let body = json!({"message": REFUND});
    let first = say_as(&site, "key-1", "messages", &body).await;
    let turn = first.header("x-turnwire-turn").to_owned();
    let again = say_as(&site, "key-1", "messages", &body).await;
    assert_eq!((again.header("x-turnwire-turn"), again.json()), (turn.as_str(), first.json()));
    site.post(&format!("/approvals/{}/approve", first.item()), "").await;
    let streamed = say_as(&site, "key-1", "messages/stream", &body).await;
    assert_eq!(streamed.header("x-turnwire-turn"), turn);
    assert!(streamed.text.contains("event: done\n"));

    let other = say_as(&site, "key-1", "messages", &json!({"message": "hello"})).await;
    let told = "this `Idempotency-Key` was used for another message".to_owned();
    assert_eq!(other.refusal(), (409, told));
    assert_eq!(say_as(&site, "key-2", "messages", &json!({"message": "hello"})).await.status, 200);
    for key in ["", &"k".repeat(256)] {
        assert_eq!(say_as(&site, key, "messages", &body).await.status, 400, "{key}");
    }
}

/// Survives: a message is sent twice under one `Idempotency-Key` → one turn
#[tokio::test]
async fn of_many_messages_with_one_name_one_turn_comes() {
    let site = Site::new().await;
    let body = json!({"message": "hello", "sessionId": "s-1"});
    let sent = (0..12).map(|_| say_as(&site, "key", "messages", &body));
    let replies = futures_util::future::join_all(sent).await;
    let turns: std::collections::BTreeSet<_> =
        replies.iter().map(|reply| reply.header("x-turnwire-turn")).collect();
    assert_eq!(turns.len(), 1);
    assert!(replies.iter().all(|reply| reply.json() == replies[0].json()));
    assert_eq!(site.history("s-1").await.len(), 2);
}
