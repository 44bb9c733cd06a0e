//! Wherever a turn's stream is cut, the session comes to the same snapshot.

use crate::agentskit_turns::{
    SESSION, TURN, answer, busy, complete, diagnostic, of, session, streaming, text_of, turn,
};
use crate::script::{Reply, Script, Step};
use bytes::Bytes;
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use turnwire::ErrorKind;
use turnwire::agentskit::{SnapshotCursor, snapshot_messages};
use turnwire::client::TurnPhase;

/// A recorded stream with all that changes nothing: repeated, stale and foreign snapshots, another
/// session's failure, a kind of event that nobody knows, a blank line.
static RECORDED: LazyLock<String> = LazyLock::new(|| {
    let events: [Value; 9] = [
        streaming(2, ""),
        streaming(3, "Är"),
        streaming(2, "stale"),
        of(complete(90, "foreign"), "sessionId", "s2"),
        streaming(3, "repeated"),
        of(diagnostic("SERVER_TIMEOUT"), "sessionId", "s2"),
        of(streaming(4, ""), "event", "server.turn.later"),
        streaming(5, "Ärger \u{2028} mit 📦"),
        complete(7, LAST),
    ];
    text_of(&events).replacen('\n', "\r\n\n", 1)
});

const LAST: &str = "Ärger \u{2028} mit 📦: erstattet.";

/// What the agent has said once so many bytes have come; at a clean end a last line counts that has
/// no line end.
fn said_after(cut: usize, ends_cleanly: bool) -> String {
    let text = String::from_utf8_lossy(&RECORDED.as_bytes()[..cut]);
    let whole = if ends_cleanly { text.len() } else { text.rfind('\n').map_or(0, |end| end + 1) };
    let mut cursor = SnapshotCursor::new(SESSION).unwrap();
    for line in text[..whole].lines() {
        let _ = cursor.apply(line);
    }
    let messages = cursor.snapshot().and_then(|event| snapshot_messages(event));
    messages.map_or_else(String::new, |messages| messages[1].content.clone())
}

/// The recorded stream up to a cut, and how it ends there.
fn cut_at(cut: usize, end: Option<Step>) -> Reply {
    let start = Bytes::from_static(&RECORDED.as_bytes()[..cut]);
    Reply::lines([Step::Bytes(start)].into_iter().chain(end))
}

fn whole() -> Reply {
    cut_at(RECORDED.len(), None)
}

#[test]
fn every_cut_between_chunks_gives_the_same_last_snapshot() {
    for cut in 0..=RECORDED.len() {
        let (left, right) = RECORDED.as_bytes().split_at(cut);
        let steps = [left, right].map(|part| Step::Bytes(Bytes::from_static(part)));
        let script = Script::new([Reply::lines(steps)]);
        let session = session(&script);
        script.run(session.submit("hi")).unwrap();
        let state = session.snapshot();
        assert_eq!((state.phase, answer(&state)), (TurnPhase::Idle, LAST), "cut at {cut}");
        assert_eq!((state.damaged.len(), state.damaged_lines), (1, 1), "cut at {cut}");
        assert_eq!(state.damaged[0].diagnostic.event_id().map(|id| id.as_str()), Some("e4"));
        assert_eq!(state.damaged[0].line, 8, "cut at {cut}");
    }
}

#[test]
fn a_turn_comes_whole_one_byte_at_a_time() {
    let bytes = RECORDED.bytes().map(|byte| Step::Bytes(vec![byte].into()));
    let script = Script::new([Reply::lines(bytes)]);
    let session = session(&script);
    script.run(session.submit("hi")).unwrap();
    assert_eq!(answer(&session.snapshot()), LAST);
    assert_eq!(session.cursor().snapshot().unwrap().sequence, 7);
}

/// Where the turn's last event is whole: its JSON, not yet its line end.
fn turn_is_over_after(cut: usize, ends_cleanly: bool) -> bool {
    cut >= RECORDED.len() - usize::from(ends_cleanly)
}

#[test]
fn every_break_is_mended_where_the_server_gives_the_turn_again() {
    for (end, ends_cleanly) in [(Some(Step::Break), false), (None, true)] {
        for cut in 0..=RECORDED.len() {
            let script = Script::new([cut_at(cut, end.clone()), whole()]);
            let session = session(&script);
            script.run(session.submit("hi")).unwrap();
            let state = session.snapshot();
            assert_eq!(answer(&state), LAST, "cut at {cut}");
            assert_eq!((state.phase, &state.error), (TurnPhase::Idle, &None), "cut at {cut}");
            let requests = script.requests();
            let expected = if turn_is_over_after(cut, ends_cleanly) { 1 } else { 2 };
            assert_eq!(requests.len(), expected, "cut at {cut}");
            assert!(requests.iter().all(|request| request.body == requests[0].body));
        }
    }
}

#[test]
fn every_break_interrupts_where_the_server_refuses_to_repeat_the_turn() {
    for (end, kinds) in [
        (Some(Step::Break), [ErrorKind::Network, ErrorKind::Network]),
        (None, [ErrorKind::StreamInterrupted, ErrorKind::FrameTruncated]),
    ] {
        for cut in 0..=RECORDED.len() {
            let script = Script::new([cut_at(cut, end.clone()), busy()]);
            let session = session(&script);
            let outcome = script.run(session.submit("hi"));
            let state = session.snapshot();
            if turn_is_over_after(cut, end.is_none()) {
                assert_eq!((outcome.is_ok(), state.phase), (true, TurnPhase::Idle));
                continue;
            }
            let kind = outcome.unwrap_err().kind();
            assert!(kinds.contains(&kind), "cut at {cut}: {kind:?}");
            assert_eq!(state.phase, TurnPhase::Interrupted, "cut at {cut}");
            assert_eq!(answer(&state), said_after(cut, end.is_none()), "cut at {cut}");
            assert_eq!(state.error.as_ref().map(|error| error.code), Some(kind.code()));
        }
    }
}

#[test]
fn a_stream_that_was_seen_before_changes_nothing() {
    let script = Script::new([whole(), whole()]);
    let session = session(&script);
    script.run(session.submit("hi")).unwrap();
    let before = session.snapshot();
    script.run(session.submit("again")).unwrap();
    let after = session.snapshot();
    assert!(Arc::ptr_eq(before.snapshot.as_ref().unwrap(), after.snapshot.as_ref().unwrap()));
}

#[test]
fn another_turns_snapshot_is_shown_but_does_not_end_this_one() {
    let other = of(complete(4, "another window's"), "turnId", "t2");
    let script = Script::new([turn(&[streaming(3, "x"), other]), busy()]);
    let session = session(&script);
    let error = script.run(session.submit("hi")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    let state = session.snapshot();
    assert_eq!(answer(&state), "another window's");
    assert_eq!(state.turn_id.as_deref(), Some(TURN));
}
