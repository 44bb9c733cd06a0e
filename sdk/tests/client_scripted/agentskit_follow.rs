//! Sessions that are followed by their newest snapshot.

use crate::agentskit_turns::{
    answer, complete, diagnostic, of, session, snapshot, streaming, turn, watch,
};
use crate::script::{Reply, SECOND, Script};
use futures_util::future::join;
use std::sync::Arc;
use turnwire::ErrorKind;
use turnwire::client::{Transport, TurnPhase};

const URL: &str = "http://h/agents/shop/sessions/s1/snapshot";

#[test]
fn a_session_is_looked_at_until_its_turn_is_over() {
    let looks = [streaming(4, "a"), streaming(5, "ab"), complete(7, "abc")];
    let script = Script::new(looks.map(|look| turn(&[look])));
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    script.run(session.follow(URL)).unwrap();
    let seen = seen.lock().unwrap();
    let told: Vec<_> = seen.iter().map(|state| (answer(state), state.phase)).collect();
    let [streaming, idle] = [TurnPhase::Streaming, TurnPhase::Idle];
    let end = [("abc", streaming), ("abc", idle)];
    assert_eq!(told, [("a", streaming), ("ab", streaming), end[0], end[1]]);
    let requests = script.requests();
    assert!(requests.iter().all(|request| request.url == URL && request.body.is_none()));
    assert_eq!(requests.len(), 3);
}

#[test]
fn what_a_look_gets_is_newer_than_what_is_held_under_the_same_number() {
    let looks = [streaming(4, "a"), streaming(4, "ab"), streaming(3, "old"), complete(4, "abc")];
    let script = Script::new(looks.map(|look| turn(&[look])));
    let session = session(&script);
    script.run(session.follow(URL)).unwrap();
    assert_eq!(answer(&session.snapshot()), "abc");
}

#[test]
fn a_session_without_a_turn_is_looked_at_once() {
    let script = Script::new([turn(&[snapshot(0, "idle", "")])]);
    let session = session(&script);
    script.run(session.follow(URL)).unwrap();
    assert_eq!(session.snapshot().phase, TurnPhase::Idle);
    assert_eq!(script.requests().len(), 1);
}

#[test]
fn a_look_that_fails_is_repeated_and_told() {
    let script = Script::new([
        turn(&[streaming(4, "a")]),
        Reply::json(503, "{}"),
        turn(&[complete(5, "ab")]),
    ]);
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    script.run(session.follow(URL)).unwrap();
    let phases: Vec<_> = seen.lock().unwrap().iter().map(|state| state.phase).collect();
    assert!(phases.contains(&TurnPhase::Reconnecting { attempt: 1 }), "{phases:?}");
    assert_eq!(session.snapshot().phase, TurnPhase::Idle);
}

#[test]
fn a_session_that_the_server_does_not_know_is_an_error_at_once() {
    let unknown = r#"{"error":{"version":1,"code":"SESSION_NOT_FOUND","message":"There is no such session.","retryable":false}}"#;
    let script = Script::new([Reply::json(404, unknown)]);
    let session = session(&script);
    let error = script.run(session.follow(URL)).unwrap_err();
    assert_eq!(error.status(), Some(404));
    let state = session.snapshot();
    assert_eq!((state.phase, state.error.as_ref().unwrap().status), (TurnPhase::Idle, Some(404)));
}

#[test]
fn a_turn_whose_end_cannot_be_looked_at_is_interrupted() {
    let script = Script::new([turn(&[streaming(4, "a")]), Reply::json(403, "{}")]);
    let session = session(&script);
    script.run(session.follow(URL)).unwrap_err();
    assert_eq!(session.snapshot().phase, TurnPhase::Interrupted);
}

#[test]
fn what_is_no_snapshot_of_the_session_is_not_taken() {
    for body in ["", "{}", "[1]"] {
        let script = Script::new([Reply::new(200, "application/x-ndjson", body)]);
        let error = script.run(session(&script).follow(URL)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidResponse, "{body}");
    }
    let script = Script::new([turn(&[diagnostic("SERVER_TIMEOUT")])]);
    let error = script.run(session(&script).follow(URL)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidResponse);
    let script = Script::new([turn(&[of(complete(9, "x"), "sessionId", "another")])]);
    let session = session(&script);
    script.run(session.follow(URL)).unwrap();
    assert!(session.snapshot().messages.is_empty());
}

#[test]
fn following_is_under_way_as_a_turn_is_and_can_be_stopped() {
    let script = Script::new(std::iter::repeat_with(|| turn(&[streaming(4, "a")])).take(100));
    let session = session(&script);
    let stops = async {
        script.sleep(SECOND).await;
        let busy = session.submit("go").await.unwrap_err();
        assert_eq!(busy.kind(), ErrorKind::Busy);
        session.stop();
    };
    let (followed, ()) = script.run(join(session.follow(URL), stops));
    assert_eq!(followed.unwrap_err().kind(), ErrorKind::Aborted);
    assert_eq!(session.snapshot().phase, TurnPhase::Stopped);
    assert!(script.requests().len() < 5);
}

#[test]
fn a_look_without_news_tells_nobody() {
    let looks = [streaming(4, "a"), streaming(4, "a"), streaming(4, "a"), complete(5, "a")];
    let script = Script::new(looks.map(|look| turn(&[look])));
    let session = session(&script);
    let (seen, _subscription) = watch(&session);
    script.run(session.follow(URL)).unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 3, "the first look, the news of the last one, the end");
    assert!(Arc::ptr_eq(&seen[0].messages[0], &seen[2].messages[0]));
}
