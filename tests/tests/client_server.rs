//! The native client against the real server, over loopback.

#![cfg(not(target_arch = "wasm32"))]

use serde_json::Value;
use std::time::Duration;
use turnwire::chat::{Decider, DecisionState, Phase, Verdict};
use turnwire::client::{
    CancelToken, Chat, Decoded, EventStream, LoopClient, PendingDecision, RequestOptions,
    ReqwestTransport, run_turn,
};
use turnwire::loopengine::{
    ApprovalPending, Content, LoopEvent, QuestionPending, Received, StopReason, TurnResult,
};
use turnwire::{ErrorKind, Limits};
use turnwire_server::{Config, TestServer};

const AGENT: &str = "customer-service";
const REFUND: &str = "order A-1001 arrived broken, can you refund it?";
const REFUNDED: &str = "Refunded $42.00 to your original payment method.";

type Client = LoopClient<ReqwestTransport>;

async fn start() -> (TestServer, Client) {
    let server = TestServer::start(Config::default()).await.unwrap();
    // With a slash at the end, as people copy it.
    let address = format!("{}/", server.base_url());
    let client = LoopClient::new(ReqwestTransport::new(), &address).unwrap();
    (server, client)
}

fn in_session(id: &str) -> RequestOptions {
    RequestOptions { session_id: Some(id.into()), ..Default::default() }
}

fn plain() -> RequestOptions {
    RequestOptions::default()
}

async fn next_event(stream: &mut EventStream<ReqwestTransport>) -> Option<LoopEvent> {
    let frame = stream.next().await?.unwrap();
    match frame.received {
        Received::Event(event) => Some(event),
        Received::Damaged(damaged) => panic!("{}", damaged.error),
    }
}

async fn rest_of(stream: &mut EventStream<ReqwestTransport>) -> Vec<LoopEvent> {
    let mut events = Vec::new();
    while let Some(event) = next_event(stream).await {
        events.push(event);
    }
    events
}

async fn pending_approval(stream: &mut EventStream<ReqwestTransport>) -> ApprovalPending {
    loop {
        if let LoopEvent::ApprovalPending(item) = next_event(stream).await.unwrap() {
            return item;
        }
    }
}

async fn pending_question(stream: &mut EventStream<ReqwestTransport>) -> QuestionPending {
    loop {
        if let LoopEvent::QuestionPending(item) = next_event(stream).await.unwrap() {
            return item;
        }
    }
}

fn types(events: &[LoopEvent]) -> Vec<&str> {
    events.iter().map(LoopEvent::event_type).collect()
}

fn finished(result: Decoded<TurnResult>) -> (String, Option<StopReason>) {
    match result.value {
        TurnResult::Finished(turn) => (turn.text, turn.stop_reason),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_refund_is_streamed_approved_and_stored() {
    let (server, client) = start().await;
    let options = in_session("s-1");
    let mut stream = client.stream(AGENT, REFUND, &options).await.unwrap();
    assert!(stream.turn_id().is_some());
    let item = pending_approval(&mut stream).await;
    assert_eq!(Value::from(item.args.clone()), serde_json::json!({"orderId": "A-1001"}));
    assert!(item.reason.contains("refunds-need-approval"), "{}", item.reason);

    // Neither waits for the other: the decision is answered while nobody reads the stream.
    let decided = client.approve(&item.id, &plain()).await.unwrap();
    let again: Vec<_> = decided.value.events().iter().filter_map(Received::as_event).collect();
    assert_eq!((again[0].event_type(), again.last().unwrap().event_type()), ("session", "done"));
    assert_eq!(finished(decided), (REFUNDED.into(), None));

    let rest = rest_of(&mut stream).await;
    assert!(types(&rest).ends_with(&["loop:done", "done"]), "{:?}", types(&rest));
    let refunded = |event: &LoopEvent| matches!(event, LoopEvent::ToolResult(call) if call.tool == "issue_refund");
    assert!(rest.iter().any(refunded));

    let history = client.history(AGENT, "s-1", &plain()).await.unwrap().value;
    assert_eq!(history.session_id, "s-1");
    assert_eq!(history.history[0].content, Content::Text(REFUND.into()));
    server.stop().await;
}

#[tokio::test]
async fn a_denied_refund_ends_the_turn_on_both_ways() {
    let (server, client) = start().await;
    let mut stream = client.stream(AGENT, REFUND, &plain()).await.unwrap();
    let item = pending_approval(&mut stream).await;
    let options = plain();
    let (decided, rest) = tokio::join!(client.deny(&item.id, &options), rest_of(&mut stream));
    assert_eq!(finished(decided.unwrap()).1, Some(StopReason::Denied));
    let Some(LoopEvent::Done(done)) = rest.last() else { panic!("{:?}", types(&rest)) };
    assert_eq!(done.stop_reason, Some(StopReason::Denied));
    server.stop().await;
}

#[tokio::test]
async fn a_question_is_answered_and_the_turn_goes_on_to_its_approval() {
    let (server, client) = start().await;
    let mut stream = client.stream(AGENT, "I want a refund", &plain()).await.unwrap();
    let item = pending_question(&mut stream).await;
    assert_eq!(item.options.as_deref().unwrap(), ["A-1001", "A-1002"]);
    let next = client.answer(&item.id, "A-1001", &plain()).await.unwrap();
    let TurnResult::PendingApproval(call) = next.value else { panic!("{:?}", next.json) };
    let same = pending_approval(&mut stream).await;
    assert_eq!((call.tool.as_str(), &call.id), ("issue_refund", &same.id));
    let decided = client.approve(&call.id, &plain()).await.unwrap();
    assert_eq!(finished(decided).0, REFUNDED);
    server.stop().await;
}

#[tokio::test]
async fn a_plain_message_is_answered_at_the_turns_next_moment() {
    let (server, client) = start().await;
    let greeting = client.send(AGENT, "hello", &plain()).await.unwrap();
    assert!(finished(greeting).0.starts_with("Hello!"));
    let pending = client.send(AGENT, REFUND, &in_session("s-2")).await.unwrap();
    assert!(pending.json.contains("\"pending\":true"));
    let TurnResult::PendingApproval(item) = pending.value else { panic!("{}", pending.json) };
    assert_eq!(item.session_id, "s-2");
    server.stop().await;
}

#[tokio::test]
async fn a_program_runs_a_whole_turn() {
    let (server, client) = start().await;
    let mut asked = Vec::new();
    let turn =
        run_turn(&client, AGENT, "refund and email me", &RequestOptions::default(), |item| {
            let verdict = match &item {
                PendingDecision::Approval(call) => {
                    asked.push(call.tool.clone());
                    Verdict::Approve
                }
                PendingDecision::Question(_) => {
                    asked.push("?".into());
                    Verdict::Answer { text: "A-1001".into() }
                }
            };
            async move { verdict }
        })
        .await
        .unwrap();
    assert_eq!(asked, ["?", "issue_refund", "send_email"]);
    assert!(turn.text.starts_with(REFUNDED), "{}", turn.text);
    server.stop().await;
}

#[tokio::test]
async fn a_denied_sibling_skips_the_approved_call() {
    let (server, client) = start().await;
    let options = RequestOptions::default();
    let turn =
        run_turn(&client, AGENT, "refund A-1001 and email me", &options, async |item| match item {
            PendingDecision::Approval(call) if call.tool == "issue_refund" => Verdict::Approve,
            _ => Verdict::Deny,
        })
        .await
        .unwrap();
    assert_eq!(turn.stop_reason, Some(StopReason::Denied));
    let skipped = |event: &&LoopEvent| matches!(event, LoopEvent::LoopSkipped(_));
    assert_eq!(turn.events.iter().filter_map(Received::as_event).filter(skipped).count(), 1);
    server.stop().await;
}

#[tokio::test]
async fn what_is_pending_is_listed_until_it_is_decided() {
    let (server, client) = start().await;
    client.send(AGENT, REFUND, &in_session("s-1")).await.unwrap();
    client.send(AGENT, "refund, please", &in_session("s-2")).await.unwrap();
    let approvals = client.approvals(AGENT, None, &plain()).await.unwrap().value.approvals;
    assert_eq!(approvals.len(), 1);
    let of_session = async |id| {
        let approvals = client.approvals(AGENT, Some(id), &plain()).await.unwrap().value;
        let questions = client.questions(AGENT, Some(id), &plain()).await.unwrap().value;
        (approvals.approvals.len(), questions.questions.len())
    };
    assert_eq!((of_session("s-1").await, of_session("s-2").await), ((1, 0), (0, 1)));
    client.deny(&approvals[0].id, &plain()).await.unwrap();
    assert_eq!(of_session("s-1").await, (0, 0));
    assert_eq!(client.questions(AGENT, None, &plain()).await.unwrap().value.questions.len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn another_verdict_is_told_which_one_stands_and_the_same_one_gets_its_answer() {
    let (server, client) = start().await;
    let mut stream = client.stream(AGENT, REFUND, &plain()).await.unwrap();
    let item = pending_approval(&mut stream).await;
    let first = client.approve(&item.id, &plain()).await.unwrap();
    let again = client.approve(&item.id, &plain()).await.unwrap();
    assert_eq!(again.json, first.json);
    let error = client.deny(&item.id, &plain()).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(409)));
    assert_eq!(error.http().unwrap().verdict.as_deref(), Some("approve"));
    assert_eq!(error.server_message(), Some("this was approved already"));
    server.stop().await;
}

#[tokio::test]
async fn the_servers_own_words_come_with_the_error() {
    let (server, client) = start().await;
    let sent = client.send("no/such agent", "hi", &plain()).await.unwrap_err();
    let streamed = client.stream("no/such agent", "hi", &plain()).await.unwrap_err();
    for error in [sent, streamed] {
        assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(404)));
        assert_eq!(error.server_message(), Some("unknown agent 'no/such agent'"));
        assert!(!error.is_retryable());
    }
    let error = client.answer("gone", "x", &plain()).await.unwrap_err();
    assert!(error.server_message().unwrap().starts_with("No pending question 'gone'"));
    server.stop().await;
}

#[tokio::test]
async fn a_message_that_the_server_finds_too_large_is_refused_with_its_words() {
    let (server, client) = start().await;
    let client = client.with_limits(Limits { max_message_bytes: usize::MAX, ..Limits::default() });
    let error = client.send(AGENT, &"x".repeat(300 * 1024), &in_session("s-9")).await.unwrap_err();
    assert!(matches!(error.status(), Some(400 | 413)), "{error}");
    assert!(error.server_message().is_some());
    let history = client.history(AGENT, "s-9", &plain()).await.unwrap().value;
    assert!(history.history.is_empty(), "nothing is stored");
    server.stop().await;
}

#[tokio::test]
async fn a_turn_that_breaks_ends_with_an_error_event_and_a_plain_one_with_a_status() {
    let (server, client) = start().await;
    let mut stream = client.stream(AGENT, "break", &plain()).await.unwrap();
    let events = rest_of(&mut stream).await;
    assert_eq!(events.last().unwrap().event_type(), "error");
    let error = client.send(AGENT, "break", &plain()).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(500)));
    server.stop().await;
}

#[tokio::test]
async fn every_conversation_streams_to_its_end() {
    let (server, client) = start().await;
    for (message, ending) in [
        ("hello", ["loop:done", "done"]),
        ("use the returns skill", ["loop:done", "done"]),
        ("compact", ["loop:done", "done"]),
        ("nudge", ["loop:done", "done"]),
        ("never stop", ["loop:max_turns", "done"]),
        ("delete everything", ["loop:denied", "done"]),
    ] {
        let mut stream = client.stream(AGENT, message, &plain()).await.unwrap();
        let events = rest_of(&mut stream).await;
        assert!(types(&events).starts_with(&["session"]), "{message}");
        assert!(types(&events).ends_with(&ending), "{message}: {:?}", types(&events));
    }
    server.stop().await;
}

#[tokio::test]
async fn leaving_a_stream_does_not_end_its_turn() {
    let (server, client) = start().await;
    let stop = CancelToken::new();
    let options = RequestOptions { cancel: Some(stop.clone()), ..in_session("s-1") };
    let mut stream = client.stream(AGENT, REFUND, &options).await.unwrap();
    let item = pending_approval(&mut stream).await;
    stop.cancel();
    assert_eq!(stream.next().await.unwrap().unwrap_err().kind(), ErrorKind::Aborted);
    let decided = client.approve(&item.id, &plain()).await.unwrap();
    assert_eq!(finished(decided).0, REFUNDED);
    server.stop().await;
}

#[tokio::test]
async fn a_stopped_server_is_told_from_a_turns_end() {
    let (server, client) = start().await;
    let mut stream = client.stream(AGENT, REFUND, &plain()).await.unwrap();
    pending_approval(&mut stream).await;
    let (end, ()) = tokio::join!(stream.next(), server.stop());
    let error = end.unwrap().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::StreamInterrupted | ErrorKind::Network), "{error}");
    assert!(error.is_retryable());
    let error = client.send(AGENT, "hello", &plain()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Network);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_turns_run_at_once_on_many_threads() {
    let (server, client) = start().await;
    let turns = (0..16).map(|n| {
        let client = client.clone();
        tokio::spawn(async move {
            let options = in_session(&format!("s-{n}"));
            let turn = run_turn(&client, AGENT, REFUND, &options, async |_| Verdict::Approve);
            tokio::time::timeout(Duration::from_secs(30), turn).await.unwrap().unwrap().text
        })
    });
    for turn in futures_util::future::join_all(turns).await {
        assert_eq!(turn.unwrap(), REFUNDED);
    }
    server.stop().await;
}

async fn until_pending(chat: &Chat<ReqwestTransport>) -> String {
    loop {
        if let [item, ..] = &chat.snapshot().pending[..] {
            return item.id.clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn decision(chat: &Chat<ReqwestTransport>) -> DecisionState {
    let state = chat.snapshot();
    let items = state.messages.iter().flat_map(|message| message.items());
    items.last().unwrap().decision.clone()
}

#[tokio::test]
async fn a_stop_ends_the_turn_at_the_server_and_leaving_does_not() {
    let (server, client) = start().await;
    let chat = Chat::new(client.clone(), AGENT);
    let stop = async {
        until_pending(&chat).await;
        chat.stop();
    };
    let (sent, ()) = tokio::join!(chat.send(REFUND), stop);
    assert_eq!(sent.unwrap_err().kind(), ErrorKind::Aborted);
    assert!(matches!(decision(&chat), DecisionState::Stale { .. }));
    assert_eq!(chat.snapshot().phase, Phase::Idle);
    let pending =
        || async { client.approvals(AGENT, None, &plain()).await.unwrap().value.approvals };
    assert!(pending().await.is_empty());

    let left = Chat::new(client.clone(), AGENT);
    tokio::select! {
        _ = left.send(REFUND) => panic!("the turn waits"),
        _ = until_pending(&left) => {}
    }
    left.close();
    assert_eq!(pending().await.len(), 1);
    // The next message runs: nothing of the stopped turn is in its way.
    chat.send("hello").await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn the_one_who_decides_second_sees_what_the_first_decided() {
    let (server, client) = start().await;
    let (first, second) = (Chat::new(client.clone(), AGENT), Chat::new(client, AGENT));
    let decide = async {
        let id = until_pending(&first).await;
        let session = first.snapshot().session_id.clone().unwrap();
        second.open(&session).await.unwrap();
        assert_eq!(until_pending(&second).await, id);
        first.approve(&id).await.unwrap();
        assert_eq!(second.deny(&id).await.unwrap_err().status(), Some(409));
    };
    let (sent, ()) = tokio::join!(first.send(REFUND), decide);
    sent.unwrap();
    let approved = |by| DecisionState::Settled { verdict: Some(Verdict::Approve), by: Some(by) };
    assert_eq!(decision(&first), approved(Decider::Here));
    assert_eq!(decision(&second), approved(Decider::Elsewhere));
    server.stop().await;
}
