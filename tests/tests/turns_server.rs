//! The native client of AgentsKit's turn protocol against the real server, over loopback.

#![cfg(not(target_arch = "wasm32"))]

use futures_util::TryStreamExt;
use futures_util::future::{Either, select};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use turnwire::agentskit::{
    AssistantPart, ComponentFrame, SafeId, SnapshotCursor, ToolCallStatus, TurnEvent, TurnStatus,
    decode_assistant_content, decode_turn_event,
};
use turnwire::client::{
    Method, Request, RequestOptions, ReqwestTransport, Transport, TurnClient, TurnInput, TurnPhase,
    TurnSession, TurnState,
};
use turnwire::{Error, ErrorKind};
use turnwire_server::{Config, TestServer};

const AGENT: &str = "/agents/customer-service";
const GREETING: &str = "Hello! How can I help you with your order?";
const REFUNDED: &str = "Refunded $42.00 to your original payment method.";
/// Longer than any test.
const FOREVER: Duration = Duration::from_secs(60 * 60);

type Session = TurnSession<ReqwestTransport>;

async fn start() -> TestServer {
    TestServer::start(Config::default()).await.unwrap()
}

fn client(server: &TestServer) -> TurnClient<ReqwestTransport> {
    let url = format!("{}{AGENT}/turns", server.base_url());
    TurnClient::new(ReqwestTransport::new(), &url).unwrap()
}

fn session(server: &TestServer) -> Session {
    TurnSession::new(client(server), SnapshotCursor::new("s-1").unwrap())
}

fn newest(state: &TurnState) -> (&TurnEvent, TurnStatus) {
    let event = state.snapshot.as_deref().expect("a snapshot");
    (event, event.snapshot().unwrap().status)
}

fn answer(state: &TurnState) -> &str {
    &state.messages.last().expect("a message").content
}

/// How each refund of the session stands.
fn refunds(state: &TurnState) -> Vec<ToolCallStatus> {
    let calls = state.messages.iter().filter_map(|message| message.tool_calls.as_ref()).flatten();
    calls.filter(|call| call.name == "issue_refund").map(|call| call.status).collect()
}

/// The component at the end of the last message.
fn component(state: &TurnState) -> ComponentFrame {
    let content = decode_assistant_content(answer(state)).unwrap();
    match content.parts.into_iter().next_back() {
        Some(AssistantPart::Component(frame)) => frame,
        other => panic!("{other:?}"),
    }
}

/// Submits something whose turn comes to rest.
async fn submit(session: &Session, input: impl Into<TurnInput>) -> Arc<TurnState> {
    session.submit(input).await.unwrap();
    let state = session.snapshot();
    let (event, status) = newest(&state);
    assert_eq!((state.phase, status), (TurnPhase::Idle, TurnStatus::Complete));
    assert_eq!(state.turn_id.as_ref(), Some(&event.turn_id));
    assert_eq!((&state.failure, &state.error, state.damaged_lines), (&None, &None, 0));
    state
}

/// The newest snapshot of the session, as the server tells it.
async fn fetch(server: &TestServer) -> TurnEvent {
    let url = format!("{}{AGENT}/sessions/s-1/snapshot", server.base_url());
    let request = Request { method: Method::Get, url, headers: Vec::new(), body: None };
    let response = ReqwestTransport::new().send(request).await.unwrap();
    let chunks: Vec<_> = response.body.try_collect().await.unwrap();
    decode_turn_event(std::str::from_utf8(&chunks.concat()).unwrap()).unwrap()
}

fn assert_busy(error: &Error) {
    assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(409)), "{error}");
    assert_eq!(error.http().unwrap().code.as_deref(), Some("SESSION_BUSY"));
}

#[tokio::test]
async fn a_message_is_answered_and_the_next_turn_goes_on_behind_it() {
    let server = start().await;
    let session = session(&server);
    let first = submit(&session, "hello").await;
    assert_eq!(answer(&first), GREETING);
    let second = submit(&session, "order A-1002").await;
    assert_eq!(answer(&second), "Order A-1002 (linen napkins) is delivered.");
    assert!(newest(&second).0.sequence > newest(&first).0.sequence);
    assert!(Arc::ptr_eq(&first.messages[1], &second.messages[1]));
    server.stop().await;
}

#[tokio::test]
async fn a_refund_waits_for_its_component_to_decide() {
    for (choice, status) in [("approve", ToolCallStatus::Complete), ("deny", ToolCallStatus::Error)]
    {
        let server = start().await;
        let session = session(&server);
        let waiting = submit(&session, "refund A-1001").await;
        assert_eq!(refunds(&waiting), [ToolCallStatus::RequiresConfirmation]);
        let frame = component(&waiting);
        assert_eq!(frame.component_key.as_str(), "approval-request");
        let state = submit(&session, &frame.select(choice).unwrap()).await;
        assert_eq!(refunds(&state), [status]);
        assert_eq!(answer(&state) == REFUNDED, choice == "approve", "{}", answer(&state));
        server.stop().await;
    }
}

#[tokio::test]
async fn of_two_sessions_one_has_the_turn_and_the_other_is_told() {
    let config = Config { step_delay: FOREVER, ..Config::default() };
    let server = TestServer::start(config).await.unwrap();
    let (first, second) = (session(&server), session(&server));
    let busy = async {
        while first.snapshot().snapshot.is_none() {
            tokio::task::yield_now().await;
        }
        second.submit("hello").await.unwrap_err()
    };
    match select(pin!(first.submit("hello")), pin!(busy)).await {
        Either::Left((outcome, _)) => panic!("{outcome:?}"),
        Either::Right((error, _)) => assert_busy(&error),
    }
    // What was refused at once has not run.
    let state = second.snapshot();
    assert_eq!((state.phase, state.messages.len()), (TurnPhase::Idle, 0));
    assert_eq!(state.error.as_ref().unwrap().status, Some(409));
    server.stop().await;
}

#[tokio::test]
async fn a_turn_that_has_ended_is_refused_and_nothing_changes() {
    let server = start().await;
    let (client, session) = (client(&server), session(&server));
    let event = client.submission(&SafeId::new("s-1").unwrap(), 0, "hello").unwrap();
    let options = RequestOptions::default();
    let mut stream = client.submit(&event, &options).await.unwrap();
    while let Some(line) = stream.next().await {
        session.apply(line.unwrap().event.unwrap());
    }
    assert_busy(&client.submit(&event, &options).await.unwrap_err());
    let newest = fetch(&server).await;
    assert!(session.apply(newest.clone()), "giving the session back was counted");
    assert!(!session.apply(fetch(&server).await), "and nothing since");
    let state = session.snapshot();
    assert_eq!((answer(&state), state.messages.len()), (GREETING, 2));
    server.stop().await;
}

/// Survives: the page is reloaded → the conversation and its card are there again
#[tokio::test]
async fn a_session_that_knows_nothing_takes_the_newest_snapshot_and_decides_what_waits() {
    let server = start().await;
    submit(&session(&server), "refund A-1001").await;
    let reloaded = session(&server);
    assert!(reloaded.apply(fetch(&server).await));
    let frame = component(&reloaded.snapshot());
    let state = submit(&reloaded, &frame.interact("approve", None).unwrap()).await;
    assert_eq!((answer(&state), refunds(&state)), (REFUNDED, vec![ToolCallStatus::Complete]));
    server.stop().await;
}
