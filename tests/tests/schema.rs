//! The JSON Schema of the events: in step with the types, as strict as the decoder, true of the server.

#![cfg(not(target_arch = "wasm32"))]

use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use turnwire::client::{EventStream, LoopClient, RequestOptions, ReqwestTransport};
use turnwire::loopengine::{LoopEvent, Received, TurnResult, decode, schema};
use turnwire_server::{Config, TestServer};

const COMMITTED: &str = "sdk/schema/loop-event.schema.json";
const AGENT: &str = "customer-service";
/// Messages that together make the server send every event there is.
const MESSAGES: [&str; 10] = [
    "order A-1001 arrived broken, can you refund it?",
    "refund",
    "refund A-1001 and email me",
    "hello",
    "use the returns skill",
    "compact",
    "nudge",
    "never stop",
    "break",
    "delete everything",
];

/// `UPDATE_SCHEMA=1` writes the file anew.
#[test]
fn the_committed_schema_is_in_step_with_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(COMMITTED);
    let generated = format!("{:#}\n", schema::loop_event());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == generated, "run the tests with UPDATE_SCHEMA=1 and read the difference");
}

#[test]
fn an_event_is_sound_without_a_field_exactly_if_the_schema_says_so() {
    let validator = validator();
    let events = full_events();
    assert_eq!(events.len(), LoopEvent::TYPES.len());
    for event in events {
        assert!(validator.is_valid(&event), "{event}");
        for field in fields_of(&event) {
            let mut without = event.clone();
            without.as_object_mut().unwrap().remove(&field);
            let is_sound = decode(&without.to_string()).is_ok();
            assert_eq!(validator.is_valid(&without), is_sound, "{event} without {field}");
            let mut wrong = event.clone();
            wrong[&field] = json!([[1]]);
            assert!(!validator.is_valid(&wrong), "{wrong}");
            assert!(decode(&wrong.to_string()).is_err(), "{wrong}");
        }
    }
}

#[test]
fn what_the_protocol_adds_later_is_kept_but_never_sent_by_us() {
    for event in full_events() {
        let known = decode(&event.to_string()).unwrap();
        assert!(!matches!(known, LoopEvent::Unknown(_)), "{event}");
        assert_eq!(serde_json::to_value(known).unwrap(), event);
        let mut later = event;
        later["addedLater"] = json!(1);
        let kept = decode(&later.to_string()).unwrap();
        assert_eq!(serde_json::to_value(kept).unwrap(), later);
        assert!(!validator().is_valid(&later), "{later}");
    }
}

#[tokio::test]
async fn every_event_that_the_server_sends_is_valid() {
    let server = TestServer::start(Config::default()).await.unwrap();
    let client = LoopClient::new(ReqwestTransport::new(), &server.base_url()).unwrap();
    let validator = validator();
    let mut seen = BTreeSet::new();
    for message in MESSAGES {
        for is_approved in [true, false] {
            for event in turn(&client, message, is_approved).await {
                let told = validator.validate(&event).map_err(|error| error.to_string());
                assert_eq!(told, Ok(()), "{message}: {event}");
                seen.insert(event["type"].as_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(seen, LoopEvent::TYPES.iter().map(|name| (*name).to_owned()).collect());
    server.stop().await;
}

/// All events of a turn, from its stream and from the responses to its decisions.
async fn turn(
    client: &LoopClient<ReqwestTransport>,
    message: &str,
    is_approved: bool,
) -> Vec<Value> {
    let options = RequestOptions::default();
    let mut stream = client.stream(AGENT, message, &options).await.unwrap();
    let mut events = Vec::new();
    while let Some(event) = next(&mut stream).await {
        events.push(serde_json::to_value(&event).unwrap());
        let decided = match &event {
            LoopEvent::ApprovalPending(item) if is_approved => {
                client.approve(&item.id, &options).await.unwrap()
            }
            LoopEvent::ApprovalPending(item) => client.deny(&item.id, &options).await.unwrap(),
            LoopEvent::QuestionPending(item) => {
                client.answer(&item.id, "A-1002", &options).await.unwrap()
            }
            _ => continue,
        };
        events.extend(sent(&decided.value));
    }
    events
}

async fn next(stream: &mut EventStream<ReqwestTransport>) -> Option<LoopEvent> {
    match stream.next().await?.unwrap().received {
        Received::Event(event) => Some(event),
        Received::Damaged(damaged) => panic!("{}", damaged.error),
    }
}

fn sent(result: &TurnResult) -> Vec<Value> {
    result.events().iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema::loop_event()).unwrap()
}

/// One event of each type with every field that the protocol gives it.
fn full_events() -> Vec<Value> {
    let pending = json!({"id": "d", "requestedAt": "2026-01-01T00:00:00Z"});
    let scope = json!({"tenant": "t", "environment": "e", "agent": "a"});
    let nudge = json!({"role": "system", "content": "c"});
    vec![
        json!({"type": "budget:check", "action": "nudge", "usedTokens": 1, "budgetTokens": 2, "ratio": 0.5, "nudge": nudge}),
        json!({"type": "prompt:compaction", "from": 5, "to": 3}),
        json!({"type": "assistant:text", "text": ""}),
        json!({"type": "actauth:decision", "tool": "t", "decision": "ask", "reason": "r"}),
        json!({"type": "tool:started", "id": "c", "tool": "t", "args": {}, "detailText": "d"}),
        json!({"type": "tool:result", "id": "c", "tool": "t", "args": {"a": null}, "detailText": "d", "statusText": "Approved."}),
        json!({"type": "toollane:result", "name": "t", "summary": "{}"}),
        json!({"type": "skill:loaded", "skill": "s"}),
        json!({"type": "loop:skipped", "name": "t", "deniedTools": ["u"]}),
        json!({"type": "loop:max_turns", "maxTurns": 6}),
        json!({"type": "loop:denied", "deniedTools": []}),
        json!({"type": "loop:done", "text": "t"}),
        json!({"type": "session", "sessionId": "s"}),
        json!({"type": "approval:pending", "id": pending["id"], "tool": "t", "args": {}, "scope": scope, "reason": "r", "requestedAt": pending["requestedAt"]}),
        json!({"type": "question:pending", "id": pending["id"], "question": "?", "options": ["a"], "agent": "a", "sessionId": "s", "requestedAt": pending["requestedAt"]}),
        json!({"type": "done", "text": "t", "stopReason": "denied"}),
        json!({"type": "error", "error": "e"}),
    ]
}

/// Its fields but for `type`, without which it is another event.
fn fields_of(event: &Value) -> Vec<String> {
    event.as_object().unwrap().keys().filter(|name| *name != "type").cloned().collect()
}
