//! What a server that is stopped and started again on the same folder still knows.

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::path::Path;
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
