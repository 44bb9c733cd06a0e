//! A chat whose server keeps each turn's events.

use crate::script::{Reply, SECOND, Script, Step};
use crate::turns::*;
use futures_util::future::join;
use turnwire::chat::{
    Connection, Decider, DecisionState, Diagnostic, MessageStatus, Phase, Verdict,
};
use turnwire::client::{Chat, Reconnect, Transport};
use turnwire::{ErrorKind, Result};

/// Opens session `s` and follows its turn.
async fn open(chat: &Chat<Script>) -> Result<()> {
    chat.open("s").await?;
    chat.follow_turn().await
}

/// Survives: the page is reloaded → the conversation and its card are there again
#[test]
fn opening_replays_the_current_turn_and_following_goes_on_behind_it() {
    let stored =
        at(history(&[("user", "hi"), ("assistant", "Hello."), ("user", "refund")]), "2", "2");
    let replay = named([numbered(0, &TURN[..2]), vec![Step::Hang]].concat());
    let rest = named(numbered(2, &TURN[2..]));
    let script = Script::new([stored, replay, rest]);
    let chat = chat(&script);
    script.run(async {
        chat.open("s").await.unwrap();
        let state = chat.snapshot();
        assert_eq!((state.phase, state.messages.len()), (Phase::Waiting, 4));
        assert_eq!(decision(&state), DecisionState::Idle);
        chat.follow_turn().await.unwrap();
    });
    let state = chat.snapshot();
    assert_eq!(said(&state), ["hi", "Hello.", "refund", "Refunded."]);
    let by = Some(Decider::Elsewhere);
    assert_eq!(decision(&state), DecisionState::Settled { verdict: Some(Verdict::Approve), by });
    assert_eq!((state.phase, state.connection), (Phase::Idle, Connection::Steady));
    assert_eq!(paths(&script)[1..], ["turns/t/stream", "turns/t/stream"]);
    assert_eq!(header(&script, 2, "last-event-id").as_deref(), Some("1"));
}

#[test]
fn nobody_saw_who_decided_before_the_session_was_opened() {
    let stored = at(history(&[("user", "refund")]), "4", "0");
    let script = Script::new([stored, named(numbered(0, &TURN))]);
    let chat = chat(&script);
    script.run(open(&chat)).unwrap();
    let verdict = Some(Verdict::Approve);
    assert_eq!(decision(&chat.snapshot()), DecisionState::Settled { verdict, by: None });
    assert_eq!(script.requests().len(), 2, "there is nothing to follow");
}

#[test]
fn a_turn_whose_message_is_not_stored_yet_is_shown_with_it() {
    let stored = at(history(&[("user", "hi"), ("assistant", "Hello.")]), "1", "2");
    let turn = Reply::json(200, r#"{"id":"t","events":1,"message":"refund"}"#);
    let replay = named([numbered(0, &TURN[..1]), vec![Step::Hang]].concat());
    let script = Script::new([stored, turn, replay]);
    let chat = chat(&script);
    script.run(chat.open("s")).unwrap();
    assert_eq!(said(&chat.snapshot()), ["hi", "Hello.", "refund"]);
}

#[test]
fn a_turn_whose_events_are_no_longer_kept_is_shown_as_it_is_stored() {
    let stored = at(history(&[("user", "hi"), ("assistant", "Hello.")]), "3", "0");
    let gone = Reply::json(410, r#"{"error":"the events of this turn are no longer kept"}"#);
    let script = Script::new([stored, gone]);
    let chat = chat(&script);
    script.run(open(&chat)).unwrap();
    assert_eq!(said(&chat.snapshot()), ["hi", "Hello."]);
    assert_eq!(chat.snapshot().phase, Phase::Idle);
}

#[test]
fn a_replay_that_breaks_leaves_the_turn_for_another_try_and_sends_nothing_again() {
    let stored = || at(history(&[("user", "refund")]), "4", "0");
    let broken = named([numbered(0, &TURN[..1]), vec![Step::Break]].concat());
    let script = Script::new([stored(), broken, stored(), named(numbered(0, &TURN))]);
    let chat = chat(&script);
    script.run(async {
        assert_eq!(chat.open("s").await.unwrap_err().kind(), ErrorKind::Network);
        let state = chat.snapshot();
        assert_eq!(
            (state.phase, state.messages[1].status),
            (Phase::Idle, MessageStatus::Interrupted)
        );
        chat.retry().await.unwrap();
    });
    assert_eq!(said(&chat.snapshot()), ["refund", "Refunded."]);
    assert!(script.requests().iter().all(|request| request.body.is_none()));
}

#[test]
fn what_is_replayed_again_is_shown_once() {
    for from in 0..TURN.len() {
        let own = named([frames(&TURN[..2]), vec![Step::Break]].concat());
        let script = Script::new([own, named(numbered(from.min(2), &TURN[from.min(2)..]))]);
        let chat = chat(&script);
        script.run(chat.send("refund")).unwrap();
        let state = chat.snapshot();
        assert_eq!((said(&state).len(), state.messages[1].parts.len()), (2, 2), "from {from}");
    }
}

#[test]
fn a_stream_that_leaves_events_out_is_joined_again() {
    let own = named([frames(&TURN[..1]), vec![Step::Break]].concat());
    let gap = named(numbered(2, &TURN[2..]));
    let script = Script::new([own, gap, named(numbered(1, &TURN[1..]))]);
    let chat = chat(&script);
    script.run(chat.send("refund")).unwrap();
    assert_eq!(chat.snapshot().messages[1].parts.len(), 2);
    assert_eq!(header(&script, 2, "last-event-id").as_deref(), Some("0"));
}

/// Survives: a connection goes silent without an end → after three heartbeats the turn is joined again
#[test]
fn silence_where_heartbeats_are_sent_is_a_dead_line() {
    let beat = crate::script::bytes(": still here\n\n");
    let beats = (0..6).flat_map(|_| [beat.clone(), Step::Wait(20 * SECOND)]).collect();
    let alive = [frames(&TURN[..2]), beats, vec![Step::Hang]].concat();
    let script = Script::new([named(alive), named(numbered(2, &TURN[2..]))]);
    let chat = chat(&script);
    script.run(chat.send("refund")).unwrap();
    let state = chat.snapshot();
    assert_eq!(state.diagnostics, [Diagnostic::NoHeartbeat { silent_ms: 45_000 }]);
    assert!(script.now() >= 120 * SECOND, "heartbeats keep a silent turn alive");
    assert_eq!(state.phase, Phase::Idle);
}

#[test]
fn a_turn_that_the_server_has_forgotten_is_looked_for_in_what_is_stored() {
    let own = named([frames(&TURN[..1]), vec![Step::Break]].concat());
    let unknown = Reply::json(404, r#"{"error":"no turn 't'"}"#);
    let stored = history(&[("user", "refund"), ("assistant", "Refunded.")]);
    let script = Script::new([own, unknown, stored, approvals(&[]), no_questions()]);
    let chat = chat(&script);
    script.run(chat.send("refund")).unwrap();
    let state = chat.snapshot();
    assert_eq!(
        (said(&state), state.connection),
        (vec!["refund".into(), "Refunded.".into()], Connection::Degraded)
    );
}

/// Survives: Stop is pressed before the server has answered → the turn ends there
#[test]
fn a_stop_before_the_server_has_answered_still_ends_the_turn() {
    let late = named(frames(&TURN[..1])).after(3 * SECOND);
    let script = Script::new([late, Reply::json(200, "{}")]);
    let chat = chat(&script);
    let stop = async {
        script.sleep(SECOND).await;
        chat.stop();
        script.sleep(SECOND).await;
        chat.snapshot().phase
    };
    let (sent, phase) = script.run(join(chat.send("refund"), stop));
    assert_eq!((sent.unwrap_err().kind(), phase), (ErrorKind::Aborted, Phase::Idle));
    assert_eq!(paths(&script)[1..], ["turns/t/cancel"]);
    assert_eq!(chat.snapshot().messages[0].status, MessageStatus::Stopped);
}

#[test]
fn a_stop_waits_only_so_long_for_a_server_that_says_nothing() {
    let script = Script::new([named(frames(&TURN)).after(100 * SECOND)]);
    let chat = chat(&script);
    let stop = async {
        script.sleep(SECOND).await;
        chat.stop();
    };
    let (sent, ()) = script.run(join(chat.send("refund"), stop));
    assert_eq!(sent.unwrap_err().kind(), ErrorKind::Aborted);
    assert_eq!((script.now(), script.cancelled()), (6 * SECOND, 1));
}

#[test]
fn a_stop_ends_a_followed_turn_at_the_server_and_closing_does_not() {
    for stops in [true, false] {
        let stored = at(history(&[("user", "refund")]), "1", "0");
        let replay = named([numbered(0, &TURN[..1]), vec![Step::Hang]].concat());
        let live = named(vec![Step::Wait(9 * SECOND), Step::Hang]);
        let script = Script::new([stored, replay, live, Reply::json(200, "{}")]);
        let chat = chat(&script);
        let end = async {
            script.sleep(SECOND).await;
            if stops { chat.stop() } else { chat.close() }
        };
        let (followed, ()) = script.run(join(open(&chat), end));
        assert_eq!(followed.unwrap_err().kind(), ErrorKind::Aborted);
        let cancels = paths(&script).iter().filter(|path| path.ends_with("/cancel")).count();
        assert_eq!(cancels, usize::from(stops));
    }
}

/// Survives: an answer is overtaken by a later one → what arrived since is never overwritten
#[test]
fn of_two_sessions_opened_at_once_the_last_is_shown() {
    let slow = at(history(&[("user", "old")]), "1", "0").after(5 * SECOND);
    let quick =
        Reply::json(200, r#"{"sessionId":"s2","history":[{"role":"user","content":"new"}]}"#);
    let script = Script::new([slow, quick, approvals(&[]), no_questions()]);
    let chat = chat(&script);
    let (first, second) = script.run(join(chat.open("s"), chat.open("s2")));
    assert_eq!(first.unwrap_err().kind(), ErrorKind::Aborted);
    second.unwrap();
    let state = chat.snapshot();
    assert_eq!((said(&state), state.session_id.as_deref()), (vec!["new".to_owned()], Some("s2")));
}

#[test]
fn a_page_that_is_shown_again_joins_a_line_that_lags_behind() {
    let own = named([frames(&TURN[..1]), vec![Step::Hang]].concat());
    let info = Reply::json(200, r#"{"id":"t","events":4}"#);
    let script = Script::new([own, info, named(numbered(1, &TURN[1..]))]);
    let chat = chat(&script);
    let check = async {
        script.sleep(SECOND).await;
        chat.catch_up().await
    };
    let (sent, checked) = script.run(join(chat.send("refund"), check));
    assert!(sent.is_ok() && checked.is_ok());
    assert_eq!((said(&chat.snapshot()).len(), script.now()), (2, SECOND), "at once");
}

#[test]
fn a_page_that_is_shown_again_leaves_a_line_alone_that_is_up_to_date() {
    let wait = vec![Step::Wait(5 * SECOND)];
    let own = named([frames(&TURN[..1]), wait, frames(&TURN[1..])].concat());
    let script = Script::new([own, Reply::json(200, r#"{"id":"t","events":1}"#)]);
    let chat = chat(&script);
    let check = async {
        script.sleep(SECOND).await;
        chat.catch_up().await
    };
    let (sent, checked) = script.run(join(chat.send("refund"), check));
    assert!(sent.is_ok() && checked.is_ok());
    assert_eq!(script.requests().len(), 2);
}

#[test]
fn a_page_that_is_shown_again_shows_a_turn_that_began_elsewhere() {
    let script = Script::new([named(frames(&[SESSION, r#"{"type":"done","text":"Hello."}"#]))]);
    let chat = chat(&script);
    script.run(chat.send("hi")).unwrap();
    let before = chat.snapshot().messages.clone();
    let stored = history(&[("user", "hi"), ("assistant", "Hello."), ("user", "refund")]);
    let stored = stored.header("x-turnwire-turn", "t2");
    let stored = stored.header("x-turnwire-events", "4").header("x-turnwire-before", "2");
    script.reply([stored, named(numbered(0, &TURN))]);
    script.run(async { chat.catch_up().await.and(chat.follow_turn().await) }).unwrap();
    let state = chat.snapshot();
    assert_eq!(said(&state), ["hi", "Hello.", "refund", "Refunded."]);
    for (kept, now) in before.iter().zip(&state.messages) {
        assert!(std::sync::Arc::ptr_eq(kept, now), "what was shown keeps its identity");
    }
}

#[test]
fn the_network_coming_back_cuts_the_wait_for_the_next_attempt_short() {
    let own = named([frames(&TURN[..1]), vec![Step::Break]].concat());
    let refused = Reply::json(503, "{}").header("retry-after", "200");
    let script = Script::new([own, refused, named(numbered(1, &TURN[1..]))]);
    let chat = Chat::new(
        script.client().with_reconnect(Reconnect { base: SECOND / 1000, ..Reconnect::default() }),
        "a",
    );
    let network = async {
        script.sleep(SECOND).await;
        chat.set_online(false);
        script.sleep(SECOND).await;
        chat.set_online(true);
    };
    let (sent, ()) = script.run(join(chat.send("refund"), network));
    assert!(sent.is_ok());
    assert_eq!(script.now(), 2 * SECOND);
}

#[test]
fn a_turn_that_the_answer_to_its_verdict_ends_is_joined_no_more() {
    let own = named([frames(&TURN[..2]), vec![Step::Break]].concat());
    let refused = Reply::json(503, "{}").header("retry-after", "100");
    let script = Script::new([own, refused, finished(&TURN)]);
    let chat = chat(&script);
    let approve = async {
        script.sleep(5 * SECOND).await;
        chat.approve("a1").await
    };
    let (sent, approved) = script.run(join(chat.send("refund"), approve));
    assert!(sent.is_ok() && approved.is_ok());
    let state = chat.snapshot();
    assert_eq!((state.phase, state.connection), (Phase::Idle, Connection::Steady));
    assert_eq!((script.now(), script.requests().len()), (5 * SECOND, 3), "at once");
}
