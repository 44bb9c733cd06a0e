//! `kill -9` at every event of a refund: whatever was told is still true after the restart, the turn
//! goes on, and the refund is made once.

mod killable;

use futures_util::StreamExt;
use killable::Server;
use serde_json::{Value, json};
use turnwire::Limits;
use turnwire::loopengine::{Received, SseEvents};

const REFUNDED: &str = "Refunded $42.00 to your original payment method.";

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
