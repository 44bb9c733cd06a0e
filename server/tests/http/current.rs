//! Which turn a session is at, and how many of its events an answer about the session knows.

use crate::site::{AGENT, REFUND, Reply, Site, request};
use axum::body::Body;
use axum::http::Method;
use serde_json::json;
use sqlx::{ConnectOptions, SqliteConnection};
use std::path::Path;
use std::time::Duration;
use turnwire_server::{Config, DataPlace};

const LISTS: [&str; 2] = ["/approvals", "/questions"];

/// A turn's id, its state, how many of its events are known, how many messages are older.
type Told = (String, String, String, String);

async fn session(site: &Site, rest: &str) -> Reply {
    site.get(&format!("{AGENT}/sessions/s-1{rest}")).await
}

fn told(reply: &Reply) -> Told {
    let header = |name: &str| reply.header(name).to_owned();
    (
        header("x-turnwire-turn"),
        header("x-turnwire-state"),
        header("x-turnwire-events"),
        header("x-turnwire-before"),
    )
}

fn expected(turn: &str, state: &str, events: usize, before: usize) -> Told {
    (turn.into(), state.into(), events.to_string(), before.to_string())
}

/// What a history tells; the lists have to tell the same, and nothing about messages.
async fn told_by_all(site: &Site) -> Told {
    let of_history = told(&session(site, "").await);
    for list in LISTS {
        let of_list = told(&session(site, list).await);
        let (turn, state, events, _) = of_history.clone();
        assert_eq!(of_list, (turn, state, events, String::new()), "{list}");
    }
    of_history
}

/// Starts a turn that waits behind another one and gives its id.
async fn queue(site: &Site, message: &str) -> String {
    let body = json!({"message": message, "sessionId": "s-1"}).to_string();
    let request = request(Method::POST, &format!("{AGENT}/messages/stream"));
    site.turn_of(request.body(body.into()).unwrap()).await
}

fn events_of(reply: &Reply) -> usize {
    reply.json()["events"].as_array().unwrap().len()
}

async fn decide(site: &Site, item: &str, verdict: &str) -> Reply {
    site.post(&format!("/approvals/{item}/{verdict}"), "").await
}

fn on(folder: &Path) -> Config {
    Config { data: DataPlace::Folder(folder.into()), ..Config::default() }
}

async fn database(folder: &Path) -> SqliteConnection {
    let file = folder.join("turnwire.sqlite");
    sqlx::sqlite::SqliteConnectOptions::new().filename(file).connect().await.unwrap()
}

#[tokio::test]
async fn a_session_without_a_turn_tells_of_none() {
    let site = Site::new().await;
    site.say("another", "hello").await;
    assert_eq!(told_by_all(&site).await, Told::default());
    for list in LISTS {
        assert_eq!(told(&site.get(&format!("{AGENT}{list}")).await), Told::default(), "{list}");
    }
}

#[tokio::test]
async fn a_turn_is_told_while_it_runs() {
    // The model is not called before the test is over.
    let config = Config { step_delay: Duration::from_secs(3600), ..Config::default() };
    let site = Site::with(config).await;
    let turn = queue(&site, "hello").await;
    let mut stream = site.open(&format!("/turns/{turn}/stream")).await;
    stream.read_to("budget:check").await;
    assert_eq!(told_by_all(&site).await, expected(&turn, "running", 2, 0));
    assert_eq!(site.history("s-1").await.len(), 1);
}

#[tokio::test]
async fn a_turn_is_told_while_it_waits_and_when_it_is_over() {
    let site = Site::new().await;
    let first = site.say("s-1", "hello").await;
    let turn = first.header("x-turnwire-turn").to_owned();
    assert_eq!(told_by_all(&site).await, expected(&turn, "done", 4, 0));

    let pending = site.say("s-1", REFUND).await;
    let turn = pending.header("x-turnwire-turn").to_owned();
    assert_eq!(told_by_all(&site).await, expected(&turn, "waiting", events_of(&pending), 2));
    let end = decide(&site, &pending.item(), "approve").await;
    assert_eq!(told_by_all(&site).await, expected(&turn, "done", events_of(&end), 2));

    let len = site.history("s-1").await.len();
    let broken = queue(&site, "break").await;
    let stream = site.get(&format!("/turns/{broken}/stream")).await;
    let events = stream.text.matches("id: ").count();
    assert_eq!(told_by_all(&site).await, expected(&broken, "error", events, len));
}

#[tokio::test]
async fn of_turns_that_wait_for_each_other_the_first_is_told() {
    let site = Site::new().await;
    let first = site.say("s-1", REFUND).await;
    let waiting = first.header("x-turnwire-turn").to_owned();
    let (second, third) = (queue(&site, "hello").await, queue(&site, REFUND).await);
    let at_first = expected(&waiting, "waiting", events_of(&first), 0);
    assert_eq!(told_by_all(&site).await, at_first);
    // One that is stopped before it has begun leaves no message.
    site.post(&format!("/turns/{second}/cancel"), "").await;
    assert_eq!(told_by_all(&site).await, at_first);

    let end = decide(&site, &first.item(), "deny").await;
    assert_eq!(end.status, 200);
    let mut stream = site.open(&format!("/turns/{third}/stream")).await;
    let seen = stream.read_to("approval:pending").await.matches("id: ").count();
    let before = site.history("s-1").await.iter().position(|m| m["content"] == REFUND).unwrap();
    let (turn, state, events, messages) = told_by_all(&site).await;
    assert_eq!((turn, state.as_str(), events), (third, "waiting", seen.to_string()));
    let behind: usize = messages.parse().unwrap();
    assert!(behind > before, "{behind}");
    assert_eq!(site.history("s-1").await[behind]["content"], REFUND);
}

#[tokio::test]
async fn all_messages_are_older_than_a_turn_that_never_began() {
    let site = Site::new().await;
    let first = site.say("s-1", REFUND).await;
    let second = queue(&site, "hello").await;
    site.post(&format!("/turns/{second}/cancel"), "").await;
    decide(&site, &first.item(), "deny").await;
    let len = site.history("s-1").await.len();
    assert_eq!(told_by_all(&site).await, expected(&second, "error", 2, len));
}

#[tokio::test]
async fn a_turn_tells_the_message_that_the_history_does_not_hold_yet() {
    let site = Site::new().await;
    site.say("s-1", REFUND).await;
    let queued = queue(&site, "hello").await;
    let state = site.get(&format!("/turns/{queued}")).await.json();
    assert_eq!((&state["message"], &state["state"]), (&json!("hello"), &json!("running")));
    assert!(!site.history("s-1").await.iter().any(|message| message["content"] == "hello"));
}

#[tokio::test]
async fn messages_and_the_number_of_events_are_of_one_moment() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::with(on(folder.path())).await;
    // How many of its messages are stored when so many of its events are.
    let moments = [(1, 0), (2, 1), (4, 2)];
    for round in 0..40 {
        let turn = queue(&site, "hello").await;
        loop {
            let history = session(&site, "").await;
            let (current, state, events, before) = told(&history);
            let len = history.json()["history"].as_array().unwrap().len();
            let before: usize = before.parse().unwrap();
            assert_eq!((current, before), (turn.clone(), 2 * round));
            let moment = (events.parse().unwrap(), len - before);
            assert!(moments.contains(&moment), "{moment:?}");
            if state == "done" {
                break;
            }
        }
    }
}

#[tokio::test]
async fn whoever_is_told_of_an_event_can_join_behind_it_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::with(on(folder.path())).await;
    for _ in 0..40 {
        let turn = queue(&site, "hello").await;
        loop {
            let (_, state, events, _) = told(&session(&site, "").await);
            let last = events.parse::<usize>().unwrap() - 1;
            let join = request(Method::GET, &format!("/turns/{turn}/stream"));
            let join = join.header("last-event-id", last).body(Body::empty()).unwrap();
            let rest = site.send(join).await;
            assert_eq!((rest.status, rest.text.matches("id: ").count()), (200, 3 - last));
            if state == "done" {
                break;
            }
        }
    }
}

#[tokio::test]
async fn a_turn_that_the_server_cannot_go_on_with_is_told_only_while_it_is_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::with(on(folder.path())).await;
    let pending = site.say("s-1", REFUND).await;
    let broken = pending.header("x-turnwire-turn").to_owned();
    let mut database = database(folder.path()).await;
    let full = "CREATE TRIGGER full BEFORE UPDATE OF state ON turns
                BEGIN SELECT RAISE(ABORT, 'the disk is full'); END";
    sqlx::raw_sql(full).execute(&mut database).await.unwrap();
    assert_eq!(decide(&site, &pending.item(), "approve").await.status, 500);
    let events = events_of(&pending);
    assert_eq!(told_by_all(&site).await, expected(&broken, "interrupted", events, 0));

    sqlx::raw_sql("DROP TRIGGER full").execute(&mut database).await.unwrap();
    let next = site.say("s-1", "hello").await.header("x-turnwire-turn").to_owned();
    let (turn, state, ..) = told_by_all(&site).await;
    assert_eq!((turn, state.as_str()), (next, "done"));
}

#[tokio::test]
async fn a_turn_whose_events_are_no_longer_kept_is_not_told() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::with(on(folder.path())).await;
    site.say("s-1", "hello").await;
    drop(site);
    let mut database = database(folder.path()).await;
    sqlx::raw_sql("UPDATE turns SET ended_at = ended_at - 10")
        .execute(&mut database)
        .await
        .unwrap();
    let site = Site::with(Config { keep_events: Duration::ZERO, ..on(folder.path()) }).await;
    assert_eq!(told_by_all(&site).await, Told::default());
    assert_eq!(site.history("s-1").await.len(), 2);
}
