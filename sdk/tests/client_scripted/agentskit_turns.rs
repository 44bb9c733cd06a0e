//! What a server of AgentsKit's protocol answers, for tests of sessions.

use crate::script::{Reply, Script, Step, bytes};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use turnwire::agentskit::{SnapshotCursor, create_snapshot_event};
use turnwire::client::{TurnClient, TurnSession, TurnState};
use turnwire::store::Subscription;

pub(crate) const SESSION: &str = "s1";
/// The one name that the script gives.
pub(crate) const TURN: &str = "1000000000000010000000000000";
pub(crate) const BUSY: &str = r#"{"error":{"version":1,"code":"SESSION_BUSY","message":"Another turn is active for this session.","retryable":true}}"#;

pub(crate) fn session(script: &Script) -> TurnSession<Script> {
    TurnSession::new(client(script), SnapshotCursor::new(SESSION).unwrap())
}

pub(crate) fn client(script: &Script) -> TurnClient<Script> {
    TurnClient::new(script.with_one_name(), "http://h/agents/shop/turns").unwrap()
}

/// States in the order in which they are told.
pub(crate) type Told = Arc<Mutex<Vec<Arc<TurnState>>>>;

/// The states that a subscriber hears of.
pub(crate) fn watch(session: &TurnSession<Script>) -> (Told, Subscription<TurnState>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&seen);
    let subscription =
        session.subscribe(move |state| notes.lock().unwrap().push(Arc::clone(state)));
    (seen, subscription)
}

/// A snapshot of the turn, in which the agent has said this.
pub(crate) fn snapshot(sequence: u64, status: &str, answer: &str) -> Value {
    let message = |id: &str, role: &str, content: &str, status: &str| {
        json!({ "id": id, "role": role, "content": content, "status": status,
                "createdAt": "2031-03-04T05:06:07.089Z" })
    };
    let event = create_snapshot_event(&json!({
        "eventId": format!("e{sequence}"), "sessionId": SESSION, "turnId": TURN,
        "sequence": sequence, "emittedAt": "2031-03-04T05:06:07Z", "status": status,
        "messages": [
            message("m1", "user", "order A-1001", "complete"),
            message("m2", "assistant", answer, if status == "idle" { "pending" } else { status }),
        ],
        "usage": { "promptTokens": 1, "completionTokens": sequence, "totalTokens": 2 },
        "lineage": { "operation": "submit" },
    }));
    serde_json::to_value(event.unwrap()).unwrap()
}

pub(crate) fn streaming(sequence: u64, answer: &str) -> Value {
    snapshot(sequence, "streaming", answer)
}

pub(crate) fn complete(sequence: u64, answer: &str) -> Value {
    snapshot(sequence, "complete", answer)
}

/// The same event, but of this session or turn.
pub(crate) fn of(mut event: Value, field: &str, id: &str) -> Value {
    event[field] = id.into();
    event
}

pub(crate) fn diagnostic(code: &str) -> Value {
    json!({ "protocol": "agentskit.chat.turn", "version": 1, "eventId": "d", "sessionId": SESSION,
            "turnId": TURN, "sequence": 9, "emittedAt": "2031-03-04T05:06:07Z",
            "event": "server.turn.diagnostic",
            "payload": { "version": 1, "code": code, "message": "It failed.", "retryable": true } })
}

pub(crate) fn text_of(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

/// One step an event.
pub(crate) fn lines(events: &[Value]) -> Vec<Step> {
    events.iter().map(|event| bytes(&format!("{event}\n"))).collect()
}

pub(crate) fn turn(events: &[Value]) -> Reply {
    Reply::lines(lines(events))
}

/// What a turn that is submitted twice is answered with.
pub(crate) fn busy() -> Reply {
    Reply::json(409, BUSY)
}

/// What the agent has said in this state.
pub(crate) fn answer(state: &TurnState) -> &str {
    state.messages.get(1).map_or("", |message| &message.content)
}
