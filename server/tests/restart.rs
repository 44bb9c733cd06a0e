//! What a server that is stopped and started again on the same folder still knows.

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use turnwire::agentskit::SnapshotCursor;
use turnwire_server::{Config, DataPlace, StartError, TestServer};

const REFUNDED: &str = "Refunded $42.00 to your original payment method.";

async fn start(folder: &Path) -> TestServer {
    TestServer::start(on(folder)).await.unwrap()
}

fn on(folder: &Path) -> Config {
    Config { data: DataPlace::Folder(folder.into()), ..Config::default() }
}

async fn post(server: &TestServer, path: &str, body: Value) -> (StatusCode, Value) {
    let request = Client::new().post(format!("{}{path}", server.base_url()));
    let response = request.body(body.to_string()).send().await.unwrap();
    let status = response.status();
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap())
}

async fn get(server: &TestServer, path: &str) -> Value {
    let response = Client::new().get(format!("{}{path}", server.base_url())).send().await.unwrap();
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

async fn say(server: &TestServer, message: &str) -> (StatusCode, Value) {
    let body = json!({"message": message, "sessionId": "s-1"});
    post(server, "/agents/customer-service/messages", body).await
}

/// Survives: the server is stopped and started again → what waited can be decided
#[tokio::test]
async fn a_pending_call_is_listed_and_decided_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (status, pending) = say(&server, "refund A-1001").await;
    assert_eq!(status, StatusCode::ACCEPTED);
    server.stop().await;

    let server = start(folder.path()).await;
    let listed = get(&server, "/agents/customer-service/sessions/s-1/approvals").await;
    assert_eq!(listed["approvals"][0]["id"], pending["id"]);
    let (status, end) = post(&server, pending["approveUrl"].as_str().unwrap(), json!({})).await;
    assert_eq!((status, &end["text"]), (StatusCode::OK, &json!(REFUNDED)));
    let (before, all) = (pending["events"].as_array().unwrap(), end["events"].as_array().unwrap());
    assert!(all.starts_with(before), "{all:?}");
    server.stop().await;

    let server = start(folder.path()).await;
    let (_, again) = say(&server, "refund A-1001").await;
    assert_eq!(again["text"], "Order A-1001 has been refunded already.");
    server.stop().await;
}

/// Survives: the server is stopped and started again → what waited can be decided
#[tokio::test]
async fn a_pending_question_is_answered_after_a_restart_and_those_that_waited_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (_, pending) = say(&server, "refund").await;
    // A second message waits for the first turn; nobody is there any more when its turn comes.
    let path = format!("{}/agents/customer-service/messages/stream", server.base_url());
    let body = json!({"message": "hello", "sessionId": "s-1"}).to_string();
    let waiting = Client::new().post(path).body(body).send().await.unwrap();
    drop(waiting);
    server.stop().await;

    let server = start(folder.path()).await;
    let answer = json!({"answer": "A-1002"});
    let (_, call) = post(&server, pending["answerUrl"].as_str().unwrap(), answer).await;
    assert_eq!(call["args"], json!({"orderId": "A-1002"}));
    let (_, end) = post(&server, call["denyUrl"].as_str().unwrap(), json!({})).await;
    assert_eq!(end["stopReason"], "denied");
    // Runs behind the one that waited.
    say(&server, "thanks").await;
    let history = get(&server, "/agents/customer-service/sessions/s-1").await;
    let said = history["history"].as_array().unwrap().iter();
    let said: Vec<_> = said
        .filter(|message| message["role"] == "user" && message["content"].is_string())
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(said, ["refund", "hello", "thanks"]);
    server.stop().await;
}

#[tokio::test]
async fn a_second_server_on_the_same_folder_refuses_to_start() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(folder.path()).await;
    let error = TestServer::start(on(folder.path())).await.unwrap_err();
    assert!(matches!(error, StartError::InUse(_)), "{error}");
    assert!(error.to_string().starts_with("another server uses the data folder "));
    first.stop().await;
    start(folder.path()).await.stop().await;
}

#[tokio::test]
async fn data_of_a_newer_version_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    start(folder.path()).await.stop().await;
    let file = folder.path().join("turnwire.sqlite");
    // The header's user version: four bytes, big-endian, at offset 60 of the file.
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&file, &bytes).unwrap();
    let error = TestServer::start(on(folder.path())).await.unwrap_err();
    assert!(matches!(error, StartError::Store(_)), "{error}");
    assert_eq!(std::fs::read(&file).unwrap()[60..64], 99_u32.to_be_bytes());
}

/// Survives: the server is stopped in mid-turn and started again → the turn goes on, and none runs twice
#[tokio::test]
async fn a_turn_told_in_snapshots_goes_on_after_a_restart_and_is_not_taken_twice() {
    let folder = tempfile::tempdir().unwrap();
    let slow = Config { step_delay: Duration::from_secs(60 * 60), ..on(folder.path()) };
    let server = TestServer::start(slow).await.unwrap();
    let submission = json!({
        "protocol": "agentskit.chat.turn", "version": 1, "eventId": "e", "sessionId": "s-1",
        "turnId": "t-1", "sequence": 0, "emittedAt": "2031-03-04T05:06:07Z",
        "event": "client.turn.submit", "payload": {"input": "hello"},
    });
    let submit = |server: &TestServer| {
        let url = format!("{}/agents/customer-service/turns", server.base_url());
        let request = Client::new().post(url).header("content-type", "application/json");
        request.body(submission.to_string()).send()
    };
    let mut stream = submit(&server).await.unwrap();
    let mut told = String::from_utf8(stream.chunk().await.unwrap().unwrap().to_vec()).unwrap();
    server.stop().await;
    while let Some(chunk) = stream.chunk().await.unwrap() {
        told.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    let [snapshot, stopping] = &told.lines().collect::<Vec<_>>()[..] else { panic!("{told}") };
    let stopping: Value = serde_json::from_str(stopping).unwrap();
    assert_eq!(stopping["payload"]["code"], "SERVER_STOPPING");

    let server = start(folder.path()).await;
    assert_eq!(submit(&server).await.unwrap().status(), StatusCode::CONFLICT);
    // Runs behind the one that goes on.
    say(&server, "thanks").await;
    let newest = get(&server, "/agents/customer-service/sessions/s-1/snapshot").await;
    let mut cursor = SnapshotCursor::new("s-1").unwrap();
    assert!(cursor.apply(*snapshot) && cursor.apply(&newest));
    let said = newest["payload"]["messages"].as_array().unwrap().iter();
    let said: Vec<_> = said.map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!(said[..3], ["hello", "Hello! How can I help you with your order?", "thanks"]);
    server.stop().await;
}
