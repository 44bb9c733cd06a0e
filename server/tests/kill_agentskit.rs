//! `kill -9` at every snapshot of a refund over AgentsKit's protocol: no turn runs twice, numbers go
//! on, and whoever lost the stream learns how the turn ended.

mod killable;

use futures_util::StreamExt;
use killable::Server;
use reqwest::Response;
use serde_json::{Value, json};
use turnwire::agentskit::{
    AssistantPart, ComponentFrame, SnapshotCursor, decode_assistant_content,
};

const AGENT: &str = "/agents/customer-service";
const REFUNDED: &str = "Refunded $42.00 to your original payment method.";

/// A client, which knows what it was told.
struct Client {
    cursor: SnapshotCursor,
}

impl Client {
    async fn submit(&self, server: &Server, turn: &str, input: &str) -> Response {
        let submission = json!({
            "protocol": "agentskit.chat.turn", "version": 1, "eventId": "e", "sessionId": "s-1",
            "turnId": turn, "sequence": 0, "emittedAt": "2031-03-04T05:06:07Z",
            "event": "client.turn.submit", "payload": {"input": input},
        });
        server.post(&format!("{AGENT}/turns"), submission).await
    }

    /// Reads up to so many snapshots; says how many there were.
    async fn read(&mut self, response: Response, stop: usize) -> usize {
        assert_eq!(response.status(), 200);
        let mut chunks = response.bytes_stream();
        let (mut text, mut read) = (String::new(), 0);
        while let Some(Ok(chunk)) = chunks.next().await {
            text.push_str(std::str::from_utf8(&chunk).unwrap());
            while let Some((line, rest)) = text.split_once('\n') {
                assert!(self.cursor.apply(line), "{line}");
                read += 1;
                if read == stop {
                    return read;
                }
                text = rest.to_owned();
            }
        }
        read
    }

    /// After a restart: the turn is refused, and the session's snapshot is newer than all before.
    async fn come_back(&mut self, server: &Server, turn: &str, until: &str) {
        let replay = self.submit(server, turn, "refund A-1001").await;
        assert_eq!(replay.status(), 409);
        let error: Value = serde_json::from_str(&replay.text().await.unwrap()).unwrap();
        assert_eq!(error["error"]["code"], "SESSION_BUSY");
        wait_for(server, until).await;
        let snapshot = server.get(&format!("{AGENT}/sessions/s-1/snapshot")).await;
        assert_eq!(self.read(snapshot, usize::MAX).await, 1);
    }

    /// The component that asks for a verdict.
    fn asked(&self) -> ComponentFrame {
        let message = self.messages().pop().unwrap();
        let content = decode_assistant_content(message["content"].as_str().unwrap()).unwrap();
        let Some(AssistantPart::Component(frame)) = content.parts.into_iter().next_back() else {
            panic!("{message}")
        };
        frame
    }

    fn messages(&self) -> Vec<Value> {
        let snapshot = self.cursor.snapshot().unwrap().snapshot().unwrap();
        snapshot.messages.iter().map(|message| serde_json::to_value(message).unwrap()).collect()
    }
}

/// Waits until the session's turn has told an event.
async fn wait_for(server: &Server, event: &str) {
    let history = server.get(&format!("{AGENT}/sessions/s-1")).await;
    let turn = history.headers()["x-turnwire-turn"].to_str().unwrap().to_owned();
    let mut stream = server.get(&format!("/turns/{turn}/stream")).await.bytes_stream();
    let mut text = String::new();
    while !text.contains(&format!("event: {event}\n")) {
        let chunk = stream.next().await.unwrap_or_else(|| panic!("no {event}: {text}")).unwrap();
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
}

/// What is released a moment after it was told is tried again, as the protocol says.
async fn submit_when_free(client: &Client, server: &Server, turn: &str, input: &str) -> Response {
    loop {
        let response = client.submit(server, turn, input).await;
        if response.status() != 409 {
            return response;
        }
    }
}

/// Survives: the server is killed and started again → the turn goes on, with one refund
#[tokio::test]
async fn a_server_killed_at_any_snapshot_keeps_the_session_and_refunds_once() {
    let (mut first, mut second) = (1, 1);
    let mut whole = (usize::MAX, usize::MAX);
    while first <= whole.0 || second <= whole.1 {
        let folder = tempfile::tempdir().unwrap();
        let mut client = Client { cursor: SnapshotCursor::new("s-1").unwrap() };
        let server = Server::start(folder.path());
        let response = client.submit(&server, "t-1", "refund A-1001").await;
        if client.read(response, first).await < first {
            whole.0 = first - 1;
        }
        server.kill();

        let server = Server::start(folder.path());
        client.come_back(&server, "t-1", "approval:pending").await;
        let verdict = client.asked().interact("approve", None).unwrap();
        let verdict = serde_json::to_string(&verdict).unwrap();
        let response = submit_when_free(&client, &server, "t-2", &verdict).await;
        if client.read(response, second).await < second {
            whole.1 = second - 1;
        }
        server.kill();

        let server = Server::start(folder.path());
        client.come_back(&server, "t-2", "done").await;
        let messages = client.messages();
        let calls = messages.iter().filter_map(|message| message["toolCalls"].as_array()).flatten();
        let refunds: Vec<_> = calls.filter(|call| call["name"] == "issue_refund").collect();
        assert_eq!(refunds.len(), 1, "{messages:?}");
        if refunds[0]["status"] == "complete" {
            assert_eq!(messages.last().unwrap()["content"], REFUNDED);
        } else {
            let error = refunds[0]["error"].as_str().unwrap();
            assert!(error.starts_with("ERROR: interrupted: "), "{error}");
        }
        first += 1;
        second += 1;
    }
    // How many there are depends on how fast they are read.
    assert!(first > 2, "more snapshots than {whole:?}");
}
