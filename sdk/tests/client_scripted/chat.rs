//! A chat: what it asks for, and what it shows meanwhile.

use crate::script::{Reply, SECOND, Script, Step, bytes};
use futures_util::future::{join, join3};
use std::sync::{Arc, Mutex};
use turnwire::chat::{ChatState, Decider, DecisionState, MessageStatus, Phase, Verdict};
use turnwire::client::{Chat, Reconnect};
use turnwire::{ErrorKind, Result};

const SESSION: &str = r#"{"type":"session","sessionId":"s"}"#;
const ASK: &str = r#"{"type":"approval:pending","id":"a1","tool":"issue_refund","args":{"orderId":"A-1001"},"scope":{"tenant":"d","environment":"p","agent":"c"},"reason":"r","requestedAt":"2026-01-01T00:00:00Z"}"#;
const ALLOWED: &str = r#"{"type":"actauth:decision","tool":"issue_refund","decision":"allow","reason":"r — human approved"}"#;
const DONE: &str = r#"{"type":"done","text":"Refunded."}"#;

fn frame(json: &str) -> Step {
    bytes(&format!("data: {json}\n\n"))
}

fn frames(events: &[&str]) -> Vec<Step> {
    events.iter().map(|json| frame(json)).collect()
}

fn finished(events: &[&str]) -> Reply {
    let events = events.join(",");
    Reply::json(200, format!(r#"{{"text":"Refunded.","sessionId":"s","events":[{events}]}}"#))
}

fn refused(status: u16) -> Reply {
    Reply::json(status, r#"{"error":"No pending approval 'a1'."}"#)
}

fn unreachable_server() -> Reply {
    let mut reply = Reply::json(200, "");
    reply.refused = true;
    reply
}

/// A stored session that waits for `a1`, as three responses.
fn stored(waits: bool) -> [Reply; 3] {
    let history = r#"{"sessionId":"s","history":[{"role":"user","content":"refund A-1001"},{"role":"assistant","content":[{"type":"text","text":"One moment."},{"type":"tool_use","id":"c1","name":"issue_refund","input":{}}]}]}"#;
    let item = ASK.replace(r#""type":"approval:pending","#, "");
    let approvals = format!(r#"{{"approvals":[{}]}}"#, if waits { &item } else { "" });
    [history, &approvals, r#"{"questions":[]}"#].map(|body| Reply::json(200, body.to_owned()))
}

fn chat(script: &Script) -> Chat<Script> {
    Chat::new(script.client(), "customer-service")
}

/// A chat whose stream waits for `a1`, then gets `rest`.
fn waiting(rest: Vec<Step>, replies: impl IntoIterator<Item = Reply>) -> Script {
    let stream = frames(&[SESSION, ASK]).into_iter().chain(rest);
    Script::new([Reply::stream(stream)].into_iter().chain(replies))
}

fn decision(state: &ChatState) -> DecisionState {
    let items = state.messages.iter().flat_map(|message| message.items());
    items.last().expect("an item was raised").decision.clone()
}

/// Sends a message and, one second later, does `then`.
fn send_and<V>(
    script: &Script,
    chat: &Chat<Script>,
    then: impl Future<Output = V>,
) -> (Result<()>, V) {
    use turnwire::client::Transport;
    let later = async {
        script.sleep(SECOND).await;
        then.await
    };
    script.run(join(chat.send("refund A-1001"), later))
}

fn approved_here() -> DecisionState {
    DecisionState::Settled { verdict: Some(Verdict::Approve), by: Some(Decider::Here) }
}

fn paths(script: &Script) -> Vec<String> {
    let path = |url: &str| url.trim_start_matches("http://h/").to_owned();
    script.requests().iter().map(|request| path(&request.url)).collect()
}

#[test]
fn a_turn_goes_from_send_through_a_verdict_to_the_answer() {
    let rest = [vec![Step::Wait(5 * SECOND)], frames(&[ALLOWED, DONE])].concat();
    let script = waiting(rest, [finished(&[SESSION, ASK, ALLOWED, DONE])]);
    let chat = chat(&script);
    let phases = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&phases);
    let _subscription = chat.subscribe(move |state| seen.lock().unwrap().push(state.phase));
    let (sent, approved) = send_and(&script, &chat, chat.approve("a1"));
    assert!(sent.is_ok() && approved.is_ok());
    let state = chat.snapshot();
    assert_eq!(decision(&state), approved_here());
    assert_eq!((state.phase, state.session_id.as_deref()), (Phase::Idle, Some("s")));
    let mut phases = phases.lock().unwrap().clone();
    phases.dedup();
    assert_eq!(phases, [Phase::Sending, Phase::Running, Phase::Waiting, Phase::Idle]);
    assert_eq!(paths(&script), ["agents/customer-service/messages/stream", "approvals/a1/approve"]);
}

#[test]
fn a_verdict_is_this_chats_own_whichever_source_tells_of_it_first() {
    let own = [frames(&[ALLOWED]), vec![Step::Wait(5 * SECOND)], frames(&[DONE])].concat();
    let late = finished(&[SESSION, ASK, ALLOWED, DONE]).after(2 * SECOND);
    for (rest, answer) in [
        ([vec![Step::Wait(2 * SECOND)], own].concat(), late.clone()),
        (vec![Step::Wait(9 * SECOND)], late),
    ] {
        let script = waiting(rest, [answer]);
        let chat = chat(&script);
        let (_, approved) = send_and(&script, &chat, chat.approve("a1"));
        approved.unwrap();
        assert_eq!(decision(&chat.snapshot()), approved_here());
    }
}

#[test]
fn a_stream_that_lags_behind_its_verdict_never_reaches_the_next_turn() {
    let late = [vec![Step::Wait(5 * SECOND)], frames(&[ALLOWED, DONE])].concat();
    let next = [frames(&[SESSION]), vec![Step::Wait(60 * SECOND)], frames(&[DONE])].concat();
    let replies = [finished(&[SESSION, ASK, ALLOWED, DONE]), Reply::stream(next)];
    let script = waiting(late, replies);
    let chat = chat(&script);
    let go_on = async {
        chat.approve("a1").await.unwrap();
        chat.send("hello").await
    };
    let (first, second) = send_and(&script, &chat, go_on);
    assert!(first.is_ok() && second.is_ok());
    let state = chat.snapshot();
    let parts: Vec<_> = state.messages.iter().map(|message| message.parts.len()).collect();
    assert_eq!((parts, state.phase), (vec![1, 2, 1, 1], Phase::Idle));
}

#[test]
fn the_second_message_names_the_session() {
    let replies = [0; 2].map(|_| Reply::stream(frames(&[SESSION, DONE])));
    let script = Script::new(replies);
    let chat = chat(&script);
    script.run(async {
        chat.send("one").await.unwrap();
        chat.send("two").await.unwrap();
    });
    let body = script.requests()[1].body.clone().unwrap();
    assert_eq!(body, r#"{"message":"two","sessionId":"s"}"#);
}

#[test]
fn two_clicks_are_one_request_and_the_opposite_is_refused() {
    let answer = finished(&[SESSION, ASK, ALLOWED, DONE]).after(SECOND);
    let script = waiting(vec![Step::Hang], [answer]);
    let chat = chat(&script);
    let clicks = async {
        let outcome = join3(chat.approve("a1"), chat.approve("a1"), chat.deny("a1")).await;
        chat.stop();
        outcome
    };
    let (_, (first, second, opposite)) = send_and(&script, &chat, clicks);
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(opposite.unwrap_err().kind(), ErrorKind::AlreadyDeciding);
    assert_eq!(script.requests().len(), 2);
}

#[test]
fn a_verdict_names_the_item_that_was_shown() {
    let script = waiting(vec![Step::Hang], []);
    let chat = chat(&script);
    let wrong = async {
        let unknown = chat.approve("a2").await.unwrap_err();
        let answered = chat.answer("a1", "yes").await.unwrap_err();
        chat.stop();
        (unknown.kind(), answered.kind())
    };
    let (_, kinds) = send_and(&script, &chat, wrong);
    assert_eq!(kinds, (ErrorKind::NotPending, ErrorKind::InvalidArgument));
    assert_eq!(script.requests().len(), 1, "nothing was sent");
    assert_eq!(decision(&chat.snapshot()), DecisionState::Idle);
}

#[test]
fn a_verdict_that_does_not_get_through_can_be_sent_again() {
    let replies = [unreachable_server(), refused(503), finished(&[SESSION, ASK, ALLOWED, DONE])];
    let script = waiting(vec![Step::Hang], replies);
    let chat = chat(&script);
    let tries = async {
        for code in ["network", "http-status"] {
            assert_eq!(chat.approve("a1").await.unwrap_err().code(), code);
            let state = chat.snapshot();
            let DecisionState::Failed { verdict, error } = decision(&state) else { panic!() };
            assert_eq!((verdict, error.code, error.retryable), (Verdict::Approve, code, true));
            assert_eq!((state.phase, state.pending.len()), (Phase::Waiting, 1));
        }
        chat.approve("a1").await
    };
    let (_, last) = send_and(&script, &chat, tries);
    assert!(last.is_ok());
    assert_eq!(chat.snapshot().phase, Phase::Idle);
}

#[test]
fn a_verdict_is_never_cleared_before_the_server_has_it() {
    let script = waiting(vec![Step::Hang], [refused(503).after(9 * SECOND)]);
    let chat = chat(&script);
    let watch = async {
        use turnwire::client::Transport;
        script.sleep(4 * SECOND).await;
        let state = chat.snapshot();
        chat.stop();
        (decision(&state), state.pending.len())
    };
    let (_, (_, shown)) = send_and(&script, &chat, join(chat.approve("a1"), watch));
    assert_eq!(shown, (DecisionState::Sending { verdict: Verdict::Approve }, 1));
}

#[test]
fn a_stale_item_is_told_once_and_never_asked_for_again() {
    for status in [404, 409, 410] {
        let [history, approvals, questions] = stored(true);
        let [now, gone, none] = stored(false);
        let script = Script::new([history, approvals, questions, refused(status), now, gone, none]);
        let chat = chat(&script);
        script.run(async {
            chat.open("s").await.unwrap();
            assert_eq!(chat.snapshot().phase, Phase::Waiting);
            assert_eq!(chat.approve("a1").await.unwrap_err().status(), Some(status));
            for _ in 0..3 {
                let again = chat.approve("a1").await.unwrap_err();
                assert_eq!(again.kind(), ErrorKind::DecisionStale);
            }
        });
        let state = chat.snapshot();
        let reason = "No pending approval 'a1'.".to_owned();
        assert_eq!(decision(&state), DecisionState::Stale { reason, expired: false });
        assert_eq!((state.phase, state.pending.len()), (Phase::Idle, 0));
        let decisions = paths(&script).iter().filter(|path| path.starts_with("approvals/")).count();
        assert_eq!((decisions, script.requests().len()), (1, 7), "one verdict, one resync");
    }
}

#[test]
fn a_verdict_that_came_too_late_shows_that_the_item_has_expired() {
    let expired = Reply::json(410, r#"{"error":"nobody decided in time","code":"expired"}"#);
    let script = waiting(vec![Step::Hang], [expired]);
    let chat = chat(&script);
    let decide = async {
        chat.approve("a1").await.unwrap_err();
        chat.stop();
    };
    send_and(&script, &chat, decide).0.unwrap_err();
    let reason = "nobody decided in time".to_owned();
    assert_eq!(decision(&chat.snapshot()), DecisionState::Stale { reason, expired: true });
}

#[test]
fn an_item_that_the_turn_says_has_expired_is_told_as_that() {
    let late = ALLOWED.replace("allow", "deny").replace("human approved", "nobody decided in time");
    let done = r#"{"type":"done","text":"Stopped.","stopReason":"denied"}"#;
    let script = waiting(frames(&[&late, done]), []);
    let chat = chat(&script);
    script.run(chat.send("refund")).unwrap();
    assert!(matches!(decision(&chat.snapshot()), DecisionState::Stale { expired: true, .. }));
}

#[test]
fn a_reload_shows_the_item_and_its_response_brings_the_rest() {
    let script =
        Script::new(stored(true).into_iter().chain([finished(&[SESSION, ASK, ALLOWED, DONE])]));
    let chat = chat(&script);
    script.run(async {
        chat.open("s").await.unwrap();
        let state = chat.snapshot();
        assert_eq!((state.phase, state.pending.len()), (Phase::Waiting, 1));
        chat.approve("a1").await.unwrap();
    });
    let state = chat.snapshot();
    assert_eq!((state.phase, state.messages.len()), (Phase::Idle, 2));
    assert_eq!(decision(&state), approved_here());
    assert_eq!(state.messages[1].parts.len(), 2, "the item and the answer, nothing twice");
}

#[test]
fn an_acknowledgement_without_a_stream_asks_how_the_turn_went_on() {
    let acknowledged = Reply::json(200, r#"{"ok":true}"#);
    let replies = stored(true).into_iter().chain([acknowledged]).chain(stored(false));
    let script = Script::new(replies);
    let chat = chat(&script);
    script.run(async {
        chat.open("s").await.unwrap();
        chat.approve("a1").await.unwrap();
    });
    assert_eq!((chat.snapshot().phase, script.requests().len()), (Phase::Idle, 7));
}

#[test]
fn a_message_that_was_not_taken_is_kept_and_sent_again() {
    let replies = [unreachable_server(), Reply::stream(frames(&[SESSION, DONE]))];
    let script = Script::new(replies);
    let chat = chat(&script);
    script.run(async {
        assert_eq!(chat.send("hello").await.unwrap_err().kind(), ErrorKind::Network);
        let state = chat.snapshot();
        assert_eq!((state.messages.len(), state.messages[0].status), (1, MessageStatus::Failed));
        assert_eq!(state.last_error.as_ref().unwrap().code, "network");
        chat.retry().await.unwrap();
    });
    let state = chat.snapshot();
    assert_eq!((state.messages.len(), &state.last_error), (2, &None));
}

#[test]
fn a_stream_that_breaks_off_is_never_sent_again() {
    let script = Script::new([Reply::stream(frames(&[SESSION]))]);
    let chat = Chat::new(script.client().with_reconnect(Reconnect::NEVER), "a");
    script.run(async {
        let error = chat.send("hello").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
        let state = chat.snapshot();
        assert_eq!(state.messages[1].status, MessageStatus::Interrupted);
        assert_eq!(state.last_error.as_ref().unwrap().code, "stream-interrupted");
        script.reply(stored(false));
        chat.retry().await.unwrap();
    });
    let posts = script.requests().iter().filter(|request| request.body.is_some()).count();
    assert_eq!(posts, 1, "retry asked for the session instead");
}

#[test]
fn one_turn_at_a_time_and_no_message_past_a_pending_item() {
    let script = waiting(vec![Step::Hang], []);
    let chat = chat(&script);
    let more = async {
        let error = chat.send("hello").await.unwrap_err();
        chat.stop();
        error
    };
    let (_, error) = send_and(&script, &chat, more);
    assert_eq!((error.kind(), error.items()), (ErrorKind::PendingItems, &["a1".to_owned()][..]));
    let script = Script::new([Reply::stream([frame(SESSION), Step::Hang])]);
    let chat = self::chat(&script);
    let more = async {
        let busy = (chat.send("hello").await.unwrap_err(), chat.open("s").await.unwrap_err());
        chat.stop();
        (busy.0.kind(), busy.1.kind())
    };
    assert_eq!(send_and(&script, &chat, more).1, (ErrorKind::Busy, ErrorKind::Busy));
}

#[test]
fn stop_cancels_the_request_and_says_so() {
    let script = Script::new([Reply::stream([frame(SESSION), Step::Hang])]);
    let chat = chat(&script);
    let (sent, ()) = send_and(&script, &chat, async { chat.stop() });
    assert_eq!(sent.unwrap_err().kind(), ErrorKind::Aborted);
    let state = chat.snapshot();
    assert_eq!((state.phase, state.messages[1].status), (Phase::Idle, MessageStatus::Stopped));
    assert_eq!((script.cancelled(), &state.last_error), (1, &None));
}

#[test]
fn dropping_the_future_of_a_send_is_a_stop() {
    use futures_util::future::{Either, select};
    use turnwire::client::Transport;
    let script = Script::new([Reply::stream([frame(SESSION), Step::Hang])]);
    let chat = chat(&script);
    script.run(async {
        let send = std::pin::pin!(chat.send("hello"));
        let Either::Right(((), _)) = select(send, script.sleep(SECOND)).await else { panic!() };
    });
    assert_eq!((chat.snapshot().phase, script.cancelled()), (Phase::Idle, 1));
}

#[test]
fn a_message_that_cannot_be_sent_leaves_no_trace() {
    let script = Script::new([]);
    let chat = chat(&script);
    let long = "x".repeat(300 * 1024);
    for text in ["", long.as_str()] {
        let error = script.run(chat.send(text)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(chat.snapshot().messages.is_empty());
    }
}

#[test]
fn a_closed_chat_refuses_everything() {
    let script = Script::new([]);
    let chat = chat(&script);
    chat.close();
    chat.close();
    script.run(async {
        for outcome in [
            chat.send("x").await,
            chat.approve("a1").await,
            chat.deny("a1").await,
            chat.answer("q1", "x").await,
            chat.open("s").await,
            chat.retry().await,
        ] {
            assert_eq!(outcome.unwrap_err().kind(), ErrorKind::Closed);
        }
    });
}

#[test]
fn a_damaged_approval_can_be_denied_and_never_approved() {
    let damaged = r#"{"type":"approval:pending","id":"a1","tool":"issue_refund"}"#;
    let denied =
        r#"{"type":"actauth:decision","tool":"issue_refund","decision":"deny","reason":"r"}"#;
    let done = r#"{"type":"done","text":"Stopped.","stopReason":"denied"}"#;
    let answer = finished(&[SESSION, damaged, denied, done]);
    let script = Script::new([Reply::stream([frame(SESSION), frame(damaged), Step::Hang]), answer]);
    let chat = chat(&script);
    let verdicts = async {
        let refused = chat.approve("a1").await.unwrap_err();
        assert!(chat.snapshot().pending[0].damaged);
        chat.deny("a1").await.unwrap();
        refused
    };
    let (_, refused) = send_and(&script, &chat, verdicts);
    assert_eq!((refused.kind(), script.requests().len()), (ErrorKind::ItemDamaged, 2));
    assert_eq!(chat.snapshot().phase, Phase::Idle);
}
