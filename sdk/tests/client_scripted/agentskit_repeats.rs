//! When a submission is sent again, and when it is not.

use crate::agentskit_turns::{answer, busy, client, complete, session, streaming, turn, watch};
use crate::requests::header;
use crate::script::{Reply, SECOND, Script, Step, bytes};
use crate::turns::unreachable_server;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use turnwire::ErrorKind;
use turnwire::agentskit::SnapshotCursor;
use turnwire::client::{
    BoxError, HeaderSource, Reconnect, Timeouts, TurnClient, TurnPhase, TurnSession,
};

fn session_of(client: TurnClient<Script>) -> TurnSession<Script> {
    TurnSession::new(client, SnapshotCursor::new("s1").unwrap())
}

fn done() -> Reply {
    turn(&[complete(2, "x")])
}

/// What a first answer leads to: the kind of the error, the phase, and how many requests there were.
fn after(first: Reply) -> (Option<ErrorKind>, TurnPhase, usize) {
    let script = Script::new([first, done()]);
    let session = session(&script);
    let kind = script.run(session.submit("hi")).err().map(|error| error.kind());
    (kind, session.snapshot().phase, script.requests().len())
}

#[test]
fn what_did_not_reach_the_server_is_sent_again_under_the_same_names() {
    let script = Script::new([unreachable_server(), unreachable_server(), done()]);
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    script.run(session.submit("hi")).unwrap();
    let requests = script.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|request| request.body == requests[0].body));
    let phases: Vec<_> = seen.lock().unwrap().iter().map(|state| state.phase).collect();
    let reconnecting = |attempt| TurnPhase::Reconnecting { attempt };
    let expected = [
        TurnPhase::Submitting,
        reconnecting(1),
        reconnecting(2),
        TurnPhase::Streaming,
        TurnPhase::Streaming,
        TurnPhase::Idle,
    ];
    assert_eq!(phases, expected);
    assert_eq!(script.now(), Duration::from_millis(250 + 500), "half of 500 and of 1000 ms");
}

#[test]
fn statuses_that_say_later_are_asked_past_and_others_are_final() {
    for status in [408, 425, 429, 500, 502, 503] {
        let (kind, phase, requests) = after(Reply::json(status, "{}"));
        assert_eq!((kind, phase, requests), (None, TurnPhase::Idle, 2), "{status}");
    }
    for status in [400, 401, 403, 404, 405, 409, 413, 415, 422] {
        let (kind, phase, requests) = after(Reply::json(status, "{}"));
        assert_eq!(
            (kind, phase, requests),
            (Some(ErrorKind::Http), TurnPhase::Idle, 1),
            "{status}"
        );
    }
    // The server cancelled what it had begun.
    let (kind, phase, requests) = after(Reply::json(499, "{}"));
    assert_eq!((kind, phase, requests), (Some(ErrorKind::Http), TurnPhase::Interrupted, 1));
}

#[test]
fn a_page_in_the_servers_place_is_final() {
    let page = Reply::new(200, "text/html", "<title>Sign in</title>");
    let (kind, _, requests) = after(page);
    assert_eq!((kind, requests), (Some(ErrorKind::UnexpectedContentType), 1));
    let events = Reply::stream([bytes("data: {}\n\n")]);
    assert_eq!(after(events).0, Some(ErrorKind::UnexpectedContentType));
    let nothing = Reply::new(204, "application/x-ndjson", "");
    assert_eq!(after(nothing).0, Some(ErrorKind::InvalidResponse));
}

#[test]
fn a_session_that_is_busy_is_the_callers_to_ask_again() {
    let script = Script::new([busy(), done()]);
    let session = session(&script);
    let error = script.run(session.submit("hi")).unwrap_err();
    assert_eq!((error.status(), error.is_retryable()), (Some(409), false));
    assert_eq!(error.http().unwrap().code.as_deref(), Some("SESSION_BUSY"));
    let state = session.snapshot();
    assert_eq!(state.phase, TurnPhase::Idle);
    assert_eq!(state.error.as_ref().unwrap().message, "Another turn is active for this session.");
    script.run(session.submit("hi")).unwrap();
    assert_eq!((answer(&session.snapshot()), &session.snapshot().error), ("x", &None));
}

#[test]
fn a_refusal_to_repeat_says_that_the_server_had_the_turn() {
    let script = Script::new([unreachable_server(), busy()]);
    let session = session(&script);
    let error = script.run(session.submit("hi")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Network, "what broke it, not what came of asking");
    assert_eq!(session.snapshot().phase, TurnPhase::Interrupted);
}

#[test]
fn a_repetition_that_may_not_be_sent_says_so_and_leaves_the_doubt() {
    let script = Script::new([unreachable_server(), Reply::json(403, "{}")]);
    let session = session(&script);
    assert_eq!(script.run(session.submit("hi")).unwrap_err().status(), Some(403));
    assert_eq!(session.snapshot().phase, TurnPhase::Interrupted);
}

#[test]
fn nothing_is_sent_again_once_the_servers_claim_may_have_ended() {
    let broken = turn(&[streaming(2, "x")]);
    let late = |after| {
        let mut reply = broken.clone();
        reply.steps.extend([Step::Wait(after), Step::Break]);
        let script = Script::new([reply, done()]);
        let kind = script.run(session(&script).submit("hi")).err().map(|error| error.kind());
        (kind, script.requests().len())
    };
    assert_eq!(late(29 * SECOND), (None, 2));
    assert_eq!(late(30 * SECOND), (Some(ErrorKind::Network), 1));

    let patient = Reconnect { attempts: u32::MAX, ..Reconnect::default() };
    let script = Script::new((0..20).map(|_| unreachable_server()));
    let session = session_of(client(&script).with_reconnect(patient));
    script.run(session.submit("hi")).unwrap_err();
    assert_eq!(script.now(), 30 * SECOND);
    assert_eq!(session.snapshot().phase, TurnPhase::Interrupted);
}

#[test]
fn retry_after_is_heeded_or_given_up() {
    let limited = |seconds| Reply::json(429, "{}").header("retry-after", seconds);
    let script = Script::new([limited("7"), done()]);
    script.run(session(&script).submit("hi")).unwrap();
    assert_eq!(script.now(), 7 * SECOND);

    let script = Script::new([limited("60"), done()]);
    let error = script.run(session(&script).submit("hi")).unwrap_err();
    assert_eq!(error.retry_after(), Some(60 * SECOND));
    assert_eq!((script.now(), script.requests().len()), (Duration::ZERO, 1));
}

#[test]
fn attempts_end_and_new_snapshots_count_anew() {
    let never = Script::new([unreachable_server(), done()]);
    let session = session_of(client(&never).with_reconnect(Reconnect::NEVER));
    assert!(never.run(session.submit("hi")).is_err());
    assert_eq!(never.requests().len(), 1);

    let once = Reconnect { attempts: 1, ..Reconnect::default() };
    let part = |sequence| Reply::lines([bytes(&format!("{}\n", streaming(sequence, "x")))]);
    let script = Script::new([part(2), part(3), part(4), part(4), done()]);
    let session = session_of(client(&script).with_reconnect(once));
    let error = script.run(session.submit("hi")).unwrap_err();
    assert_eq!((error.kind(), script.requests().len()), (ErrorKind::StreamInterrupted, 4));
}

#[test]
fn stalls_are_broken_off_and_asked_past() {
    let timeouts =
        Timeouts { connect: Some(3 * SECOND), idle: Some(5 * SECOND), ..Timeouts::default() };
    let stalled = Reply::lines([bytes(&format!("{}\n", streaming(2, "x"))), Step::Hang]);
    let script = Script::new([done().after(9 * SECOND), stalled, turn(&[complete(3, "y")])]);
    let session = session_of(client(&script).with_timeouts(timeouts));
    script.run(session.submit("hi")).unwrap();
    assert_eq!((answer(&session.snapshot()), script.cancelled()), ("y", 2));
}

#[test]
fn a_401_asks_for_fresh_headers_once() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let source = HeaderSource::new(move |_| {
        let token = format!("t{}", count.fetch_add(1, Ordering::Relaxed));
        std::future::ready(Ok::<_, BoxError>(vec![("authorization".to_owned(), token)]))
    });
    let script = Script::new([Reply::json(401, "{}"), done()]);
    let session = session_of(client(&script).with_header_source(source.clone()));
    script.run(session.submit("hi")).unwrap();
    let requests = script.requests();
    let tokens: Vec<_> =
        requests.iter().flat_map(|request| header(request, "authorization")).collect();
    assert_eq!(tokens, ["t0", "t1"]);

    let script = Script::new([Reply::json(401, "{}"), Reply::json(401, "{}"), done()]);
    let session = session_of(client(&script).with_header_source(source));
    assert_eq!(script.run(session.submit("hi")).unwrap_err().status(), Some(401));
    assert_eq!((session.snapshot().phase, script.requests().len()), (TurnPhase::Idle, 2));
}
