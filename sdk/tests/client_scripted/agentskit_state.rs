//! What a session shows, and how it is stopped.

use crate::agentskit_turns::{
    SESSION, answer, client, complete, diagnostic, lines, of, session, streaming, turn, watch,
};
use crate::script::{Reply, SECOND, Script, Step, bytes};
use futures_util::FutureExt;
use futures_util::future::join;
use serde_json::Value;
use std::sync::Arc;
use turnwire::ErrorKind;
use turnwire::agentskit::{DiagnosticCode, SnapshotCursor, TurnEvent, decode_turn_event};
use turnwire::client::{Transport, TurnPhase, TurnSession};

const SNAPSHOTS: u64 = 2_000;

fn event(json: &Value) -> TurnEvent {
    decode_turn_event(json).unwrap()
}

#[test]
fn many_snapshots_at_once_are_told_at_the_first_and_at_the_end() {
    let events: Vec<_> = (2..SNAPSHOTS).map(|n| streaming(n, &n.to_string())).collect();
    let text: String = events.iter().map(|event| format!("{event}\n")).collect();
    let last = format!("{}\n", complete(SNAPSHOTS, "end"));
    let script = Script::new([Reply::lines([bytes(&text), bytes(&last)])]);
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    script.run(session.submit("go")).unwrap();
    let seen = seen.lock().unwrap();
    let answers: Vec<_> = seen.iter().map(|state| answer(state)).collect();
    assert_eq!(answers, ["", "2", "end", "end"], "sent, first, rest, end");
}

#[test]
fn snapshots_that_keep_coming_are_told_once_a_frame() {
    let line = |n: u64| bytes(&format!("{}\n", streaming(n, &n.to_string())));
    let steps = (2..102).flat_map(|n| [line(n), Step::Wait(SECOND / 1000)]);
    let end = bytes(&format!("{}\n", complete(200, "end")));
    let script = Script::new([Reply::lines(steps.chain([end]))]);
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    script.run(session.submit("go")).unwrap();
    let seen = seen.lock().unwrap().len();
    assert!((6..=11).contains(&seen), "100 ms hold 6 frames: {seen}");
    assert_eq!(answer(&session.snapshot()), "end");
}

#[test]
fn what_the_getter_gives_changes_only_with_a_notification() {
    let line = |n: u64| bytes(&format!("{}\n", streaming(n, "x")));
    let steps = (2..102).flat_map(|n| [line(n), Step::Wait(SECOND / 1000)]);
    let script = Script::new([Reply::lines(steps.chain([Step::Hang]))]);
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    let looks = async {
        for _ in 0..90 {
            script.sleep(SECOND / 1000).await;
            let told = seen.lock().unwrap().last().cloned().unwrap();
            assert!(Arc::ptr_eq(&told, &session.snapshot()));
        }
        session.stop();
    };
    let _ = script.run(join(session.submit("go"), looks));
}

#[test]
fn messages_that_did_not_change_keep_their_identity() {
    let script = Script::new([turn(&[streaming(2, "a"), streaming(3, "ab"), complete(4, "ab")])]);
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    script.run(session.submit("go")).unwrap();
    let seen = seen.lock().unwrap();
    let (first, last) = (&seen[1].messages, &seen[seen.len() - 1].messages);
    assert!(Arc::ptr_eq(&first[0], &last[0]));
    assert!(!Arc::ptr_eq(&first[1], &last[1]));
}

#[test]
fn a_session_goes_on_where_its_cursor_was_saved() {
    let script =
        Script::new([turn(&[complete(7, "x")]), turn(&[complete(7, "y"), complete(8, "z")])]);
    let before = session(&script);
    script.run(before.submit("go")).unwrap();
    let cursor = SnapshotCursor::restore(&before.cursor().save().unwrap()).unwrap();
    let after = TurnSession::new(client(&script), cursor);
    assert_eq!(answer(&after.snapshot()), "x");
    let (seen, _subscription) = watch(&after);
    script.run(after.submit("go on")).unwrap();
    let seen = seen.lock().unwrap();
    assert!(seen.iter().all(|state| answer(state) != "y"), "it has that number already");
    assert_eq!(answer(&after.snapshot()), "z");
    assert!(script.requests()[1].body.as_ref().unwrap().contains(r#""sequence":7"#));
}

#[test]
fn a_snapshot_that_came_another_way_is_shown_if_it_is_newer() {
    let script = Script::new([turn(&[complete(7, "x")])]);
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    assert!(!session.apply(event(&diagnostic("SERVER_TIMEOUT"))));
    assert!(session.apply(event(&complete(6, "w"))));
    script.run(session.submit("go")).unwrap();
    for stale in [complete(6, "y"), complete(7, "y"), streaming(7, "y")] {
        assert!(!session.apply(event(&stale)));
    }
    assert!(!session.apply(event(&of(complete(9, "y"), "sessionId", "another"))));
    assert!(session.apply(event(&streaming(8, "z"))));
    let told = seen.lock().unwrap().last().cloned().unwrap();
    assert_eq!((answer(&told), told.phase), ("z", TurnPhase::Idle));
    assert_eq!(session.cursor().snapshot().unwrap().sequence, 8);
}

#[test]
fn what_the_server_says_went_wrong_is_shown_until_the_next_turn() {
    let script = Script::new([
        turn(&[streaming(2, "x"), diagnostic("SERVER_TIMEOUT")]),
        turn(&[complete(3, "y")]),
    ]);
    let session = session(&script);
    script.run(session.submit("go")).unwrap();
    let state = session.snapshot();
    assert_eq!((state.phase, answer(&state)), (TurnPhase::Idle, "x"));
    assert_eq!(state.failure.as_ref().unwrap().code.as_str(), "SERVER_TIMEOUT");
    script.run(session.submit("go")).unwrap();
    assert_eq!(session.snapshot().failure, None);
}

#[test]
fn damaged_lines_are_counted_and_the_first_of_them_kept() {
    let text = format!("{}{}\n", "{\"protocol\"\n".repeat(300), complete(2, "x"));
    let script = Script::new([Reply::lines([bytes(&text)]), turn(&[complete(3, "y")])]);
    let session = session(&script);
    script.run(session.submit("go")).unwrap();
    let state = session.snapshot();
    assert_eq!((state.damaged.len(), state.damaged_lines, answer(&state)), (256, 300, "x"));
    let second = &state.damaged[1];
    assert_eq!((second.line, second.position), (2, 12));
    assert_eq!(second.diagnostic.code(), DiagnosticCode::ProtocolInvalidPayload);
    script.run(session.submit("go")).unwrap();
    assert_eq!((session.snapshot().damaged.len(), session.snapshot().damaged_lines), (0, 0));
}

/// A turn that does not end.
fn endless() -> Script {
    Script::new([
        Reply::lines(lines(&[streaming(2, "x")]).into_iter().chain([Step::Hang])),
        turn(&[complete(3, "y")]),
    ])
}

#[test]
fn stop_leaves_the_turn_and_another_can_be_submitted() {
    let script = endless();
    let session = session(&script);
    let stops = async {
        script.sleep(SECOND).await;
        let error = session.submit("again").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Busy);
        session.stop();
    };
    let (outcome, ()) = script.run(join(session.submit("go"), stops));
    assert_eq!(outcome.unwrap_err().kind(), ErrorKind::Aborted);
    let state = session.snapshot();
    assert_eq!((state.phase, answer(&state), &state.error), (TurnPhase::Stopped, "x", &None));
    assert_eq!(script.cancelled(), 1);
    script.run(session.submit("go")).unwrap();
    assert_eq!(answer(&session.snapshot()), "y");
}

#[test]
fn stop_ends_the_wait_for_the_next_attempt_too() {
    let script = Script::new([crate::turns::unreachable_server()]);
    let session = session(&script);
    let stops = async {
        script.sleep(SECOND / 10).await;
        assert!(matches!(session.snapshot().phase, TurnPhase::Reconnecting { attempt: 1 }));
        session.stop();
    };
    let (outcome, ()) = script.run(join(session.submit("go"), stops));
    assert_eq!(outcome.unwrap_err().kind(), ErrorKind::Aborted);
    assert_eq!((session.snapshot().phase, script.requests().len()), (TurnPhase::Stopped, 1));
    assert_eq!(script.armed(), 0);
}

#[test]
fn dropping_a_submission_stops_it() {
    let script = endless();
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    script.run(async {
        let mut submission = Box::pin(session.submit("go"));
        assert!(submission.as_mut().now_or_never().is_none());
        script.sleep(SECOND).await;
    });
    assert_eq!(session.snapshot().phase, TurnPhase::Stopped);
    assert_eq!(seen.lock().unwrap().last().unwrap().phase, TurnPhase::Stopped);
    assert_eq!((script.cancelled(), script.armed()), (1, 0));
    script.run(session.submit("go")).unwrap();
}

#[test]
fn a_closed_session_stops_and_refuses() {
    let script = endless();
    let session = session(&script);
    let closes = async {
        script.sleep(SECOND).await;
        session.clone().close();
        session.close();
    };
    let (outcome, ()) = script.run(join(session.submit("go"), closes));
    assert_eq!(outcome.unwrap_err().kind(), ErrorKind::Aborted);
    assert_eq!(script.run(session.submit("go")).unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(script.requests().len(), 1);
    assert_eq!(session.cursor().session_id().as_str(), SESSION);
}
