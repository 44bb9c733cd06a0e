//! `kill -9` at every event of a refund: whatever was told is still true after the restart, the turn
//! goes on, and the refund is made once.

use futures_util::StreamExt;
use reqwest::Client;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use turnwire::Limits;
use turnwire::loopengine::{Received, SseEvents};

const REFUNDED: &str = "Refunded $42.00 to your original payment method.";

/// A server in a process of its own, which dies with the test.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_turnwire-server"))
            .args(["serve", "--port", "0", "--step-delay-ms", "20", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap().to_owned();
        Self { process, address }
    }

    fn kill(mut self) {
        // On unix this is SIGKILL: no handler runs, nothing is flushed.
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    async fn post(&self, path: &str, body: Value) -> reqwest::Response {
        let request = Client::new().post(format!("{}{path}", self.address));
        request.body(body.to_string()).send().await.unwrap()
    }

    async fn get(&self, path: &str) -> reqwest::Response {
        Client::new().get(format!("{}{path}", self.address)).send().await.unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The events of a stream as they come.
struct Events {
    body: std::pin::Pin<Box<dyn futures_util::Stream<Item = reqwest::Result<bytes::Bytes>>>>,
    decoder: SseEvents,
}

impl Events {
    fn of(response: reqwest::Response) -> Self {
        let decoder = SseEvents::new(&Limits::default());
        Self { body: Box::pin(response.bytes_stream()), decoder }
    }

    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(frame) = self.decoder.poll() {
                let Received::Event(event) = frame.received else { panic!("{}", frame.json) };
                return Some(serde_json::to_value(event).unwrap());
            }
            self.decoder.push(&self.body.next().await?.ok()?).unwrap();
        }
    }
}

/// Follows a turn up to `stop` events or its end, approving what it asks for on the way.
async fn follow(server: &Server, mut events: Events, stop: usize) -> Vec<Value> {
    let mut seen = Vec::new();
    while seen.len() < stop {
        let Some(event) = events.next().await else { break };
        let item = event["id"].as_str().map(|id| format!("/approvals/{id}/approve"));
        let is_pending = event["type"] == "approval:pending";
        seen.push(event);
        if is_pending && seen.len() < stop {
            let decided = server.post(&item.unwrap(), json!({})).await;
            assert!(decided.status().is_success() || decided.status() == 404);
        }
    }
    seen
}

/// Survives: the server is killed and started again → the turn goes on, with one refund
#[tokio::test]
async fn a_server_killed_at_any_event_goes_on_where_it_was() {
    let mut events_of_a_turn = usize::MAX;
    let mut stop = 1;
    while stop < events_of_a_turn {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path());
        let message = json!({"message": "refund A-1001", "sessionId": "s-1"});
        let response = server.post("/agents/customer-service/messages/stream", message).await;
        let turn = response.headers()["x-turnwire-turn"].to_str().unwrap().to_owned();
        let before = follow(&server, Events::of(response), stop).await;
        server.kill();

        let server = Server::start(folder.path());
        let rest = server.get(&format!("/turns/{turn}/stream")).await;
        let all = follow(&server, Events::of(rest), usize::MAX).await;
        assert!(all.starts_with(&before), "{stop}: {before:?} {all:?}");
        let results = all.iter().filter(|event| event["type"] == "tool:result");
        let refunds: Vec<_> = results.filter(|event| event["tool"] == "issue_refund").collect();
        assert_eq!(refunds.len(), 1, "{stop}: {all:?}");
        let end = all.last().unwrap();
        assert_eq!(end["type"], "done", "{stop}: {all:?}");
        if refunds[0]["statusText"] == "Approved." {
            assert_eq!(end["text"], REFUNDED, "{stop}");
        } else {
            let detail = refunds[0]["detailText"].as_str().unwrap();
            assert!(detail.starts_with("interrupted: "), "{stop}: {detail}");
        }
        events_of_a_turn = all.len();
        stop += 1;
    }
    assert!(stop > 10, "a refund has more events than {stop}");
}
