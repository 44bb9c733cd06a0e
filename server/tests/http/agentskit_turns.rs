//! Turns, from their claim of the session to their last snapshot.

use crate::agentskit_site::{SESSION, Told, post, refusal, submission, submit};
use crate::site::{AGENT, Site};
use futures_util::future::join_all;
use std::time::Duration;
use turnwire::agentskit::{Lineage, MessageStatus, TokenUsage};
use turnwire_server::{Config, TestServer};

const GREETING: &str = "Hello! How can I help you with your order?";
/// Longer than any test.
const FOREVER: Duration = Duration::from_secs(60 * 60);

#[tokio::test]
async fn a_turn_is_told_in_snapshots_of_the_whole_session() {
    let site = Site::new().await;
    let told = submit(&site, "t-1", "hello").await;
    assert_eq!(told.said(), [("user", "hello"), ("assistant", GREETING)]);
    let (first, last) = (&told.events[0], told.last());
    assert_eq!((first.session_id.as_str(), first.turn_id.as_str()), (SESSION, "t-1"));
    assert_eq!(last.status.as_str(), "complete");
    assert_eq!(last.usage, TokenUsage::default());
    assert_eq!((&last.error, &last.lineage), (&None, &Some(Lineage::Submit)));

    let next = submit(&site, "t-2", "order A-1002").await;
    assert!(next.sequences()[0] > *told.sequences().last().unwrap());
    assert_eq!(next.said()[..2], told.said());
    assert_eq!(next.last_message().content, "Order A-1002 (linen napkins) is delivered.");
    let call = &next.calls()[0];
    assert_eq!((&call["name"], &call["status"]), (&"lookup_order".into(), &"complete".into()));
    assert!(call["result"].as_str().unwrap().contains("linen napkins"), "{call}");
    let whole = |message: &turnwire::agentskit::Message| message.status == MessageStatus::Complete;
    assert!(next.last().messages.iter().all(whole));
}

#[tokio::test]
async fn messages_keep_their_ids_and_times_from_snapshot_to_snapshot() {
    let config = Config { step_delay: Duration::from_millis(20), ..Config::default() };
    let site = Site::with(config).await;
    let told = submit(&site, "t-1", "order A-1002").await;
    let next = submit(&site, "t-2", "hello").await;
    assert_eq!(next.last().messages[..told.last().messages.len()], told.last().messages);
    let snapshots: Vec<_> = told.events.iter().map(|event| event.snapshot().unwrap()).collect();
    for pair in snapshots.windows(2) {
        for (before, after) in pair[0].messages.iter().zip(&pair[1].messages) {
            assert_eq!((&before.id, &before.created_at), (&after.id, &after.created_at));
        }
    }
    let (last, running) = snapshots.split_last().unwrap();
    assert_eq!(last.status.as_str(), "complete");
    assert!(running.iter().all(|snapshot| snapshot.status.as_str() == "streaming"));
    assert!(running.iter().all(|snapshot| snapshot.messages[0].content == "order A-1002"));
}

#[tokio::test]
async fn a_session_is_the_same_over_both_protocols() {
    let site = Site::new().await;
    site.say(SESSION, "hello").await;
    let told = submit(&site, "t-1", "hello").await;
    assert_eq!(told.last().messages.len(), 4);
    assert_eq!(site.history(SESSION).await.len(), 4);
}

#[tokio::test]
async fn of_many_that_come_at_once_one_has_the_session() {
    let site = Site::with(Config { step_delay: FOREVER, ..Config::default() }).await;
    let turn = |number| post(submission(&format!("t-{number}"), "hello"));
    let mut begun = join_all((0..8).map(|number| site.begin(turn(number)))).await;
    let taken = begun.iter().filter(|(status, _)| *status == 200).count();
    let refused = begun.iter().filter(|(status, _)| *status == 409).count();
    assert_eq!((taken, refused), (1, 7));
    let (_, stream) = begun.iter_mut().find(|(status, _)| *status == 200).unwrap();
    let told = Told::of_text(stream.read_to("server.turn.snapshot").await);
    assert_eq!(told.last().status.as_str(), "streaming");
    // The claim was the first save, and the first snapshot the second.
    assert_eq!(told.sequences(), [2]);
    // Nothing of the others waits for its turn either.
    let reply = site.send(turn(9)).await;
    assert_eq!(refusal(&reply), (409, "SESSION_BUSY".into(), true));
    assert_eq!(reply.json()["error"]["message"], "Another turn is active for this session.");
    assert_eq!(site.history(SESSION).await.len(), 1);
}

#[tokio::test]
async fn a_turn_of_the_other_protocol_keeps_the_session_busy() {
    let site = Site::with(Config { step_delay: FOREVER, ..Config::default() }).await;
    let body = serde_json::json!({"message": "hello", "sessionId": SESSION}).to_string();
    let mut request = post(body);
    *request.uri_mut() = format!("{AGENT}/messages/stream").parse().unwrap();
    let (status, mut stream) = site.begin(request).await;
    stream.read_to("budget:check").await;
    assert_eq!(status, 200);
    let reply = site.send(post(submission("t-1", "hello"))).await;
    assert_eq!(refusal(&reply), (409, "SESSION_BUSY".into(), true));
}

#[tokio::test]
async fn a_turn_that_has_ended_is_not_run_again() {
    let site = Site::new().await;
    submit(&site, "t-1", "hello").await;
    for input in ["hello", "something else"] {
        let reply = site.send(post(submission("t-1", input))).await;
        assert_eq!(refusal(&reply), (409, "SESSION_BUSY".into(), true));
    }
    assert_eq!(site.history(SESSION).await.len(), 2);
}

#[tokio::test]
async fn a_turn_that_fails_says_so_and_no_more() {
    let site = Site::new().await;
    let told = submit(&site, "t-1", "break").await;
    let last = told.last();
    let error = last.error.as_ref().unwrap();
    assert_eq!(last.status.as_str(), "error");
    assert_eq!((error.code.as_str(), error.retryable), ("CHAT_TURN_FAILED", true));
    assert_eq!(error.message, "The chat turn failed.");
    let text = serde_json::to_string(last).unwrap();
    assert!(!text.contains("as it was asked to"), "{text}");
    // The session is free again.
    assert_eq!(submit(&site, "t-2", "hello").await.last().status.as_str(), "complete");
}

#[tokio::test]
async fn a_turn_that_takes_too_long_is_stopped_and_its_session_is_free_again() {
    let turn_timeout = Duration::from_millis(1500);
    let site = Site::with(Config { step_delay: FOREVER, turn_timeout, ..Config::default() }).await;
    let told = submit(&site, "t-1", "hello").await;
    assert_eq!(told.said(), [("user", "hello")]);
    assert_eq!(told.diagnostic(), ("SERVER_TIMEOUT", true));
    let [.., snapshot, late] = &told.sequences()[..] else { panic!("{told:?}") };
    assert_eq!(*late, snapshot + 1);

    // The stream ends before everything is cleaned up, so whoever comes at once is asked to wait.
    let mut turn = 2;
    let again = loop {
        let reply = site.send(post(submission(&format!("t-{turn}"), "hello"))).await;
        if reply.status == 200 {
            break Told::of(&reply);
        }
        assert_eq!(refusal(&reply), (409, "SESSION_BUSY".into(), true));
        tokio::task::yield_now().await;
        turn += 1;
    };
    assert_eq!(again.said(), [("user", "hello"), ("user", "hello")]);
}

#[tokio::test]
async fn a_reader_that_does_not_read_holds_nothing_up_and_gets_the_newest() {
    let site = Site::new().await;
    let (status, mut stream) = site.begin(post(submission("t-1", "order A-1002"))).await;
    assert_eq!(status, 200);
    // It is behind the turn in the session's queue.
    site.say(SESSION, "hello").await;
    let mut text = String::new();
    while let Some(line) = stream.read().await {
        text.push_str(&line);
    }
    let told = Told::of_text(&text);
    assert_eq!(told.last().status.as_str(), "complete");
    let (role, content) = told.said()[2];
    assert_eq!((role, content), ("assistant", "Order A-1002 (linen napkins) is delivered."));
}

#[tokio::test]
async fn a_turn_goes_on_without_a_reader() {
    let site = Site::new().await;
    let (_, stream) = site.begin(post(submission("t-1", "order A-1002"))).await;
    drop(stream);
    site.say(SESSION, "hello").await;
    let history = site.history(SESSION).await;
    let said = history.iter().filter_map(|message| message["content"].as_str());
    let expected =
        ["order A-1002", "Order A-1002 (linen napkins) is delivered.", "hello", GREETING];
    assert_eq!(said.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_client_without_its_stream_asks_for_the_newest_snapshot() {
    let site = Site::new().await;
    let path = format!("{AGENT}/sessions/{SESSION}/snapshot");
    for unknown in [path.as_str(), "/agents/customer-service/sessions/a%20b/snapshot"] {
        let reply = site.get(unknown).await;
        assert_eq!(refusal(&reply), (404, "SESSION_NOT_FOUND".into(), false));
    }
    let told = submit(&site, "t-1", "hello").await;
    let asked = Told::of(&site.get(&path).await);
    assert_eq!(asked.last(), told.last());
    assert_eq!(asked.events[0].turn_id.as_str(), "t-1");
    assert!(asked.sequences()[0] > *told.sequences().last().unwrap());
    let again = Told::of(&site.get(&path).await);
    assert_eq!(again.sequences(), asked.sequences());
}

#[tokio::test]
async fn a_late_body_and_a_turn_are_answered_over_a_socket() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let config = Config { turn_timeout: Duration::from_millis(1500), ..Config::default() };
    let server = TestServer::start(config).await.unwrap();
    let address = server.address();
    let connect = || async { tokio::net::TcpStream::connect(address).await.unwrap() };
    let head = |length: usize| {
        format!(
            "POST {AGENT}/turns HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\nconnection: close\r\n\r\n"
        )
    };
    let mut late = connect().await;
    late.write_all((head(100) + "{").as_bytes()).await.unwrap();
    let mut answer = String::new();
    late.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("\"code\":\"SERVER_TIMEOUT\""), "{answer}");

    let body = submission("t-1", "hello");
    let url = format!("{}{AGENT}/turns", server.base_url());
    let request = reqwest::Client::new().post(url).header("content-type", "application/json");
    let response = request.body(body).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/x-ndjson; charset=utf-8");
    let told = Told::of_text(&response.text().await.unwrap());
    assert_eq!(told.said(), [("user", "hello"), ("assistant", GREETING)]);
    server.stop().await;
}
