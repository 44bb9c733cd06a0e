//! The send → decide → … loop for programs.

use crate::script::{Reply, Script};
use std::cell::RefCell;
use turnwire::chat::Verdict;
use turnwire::client::{PendingDecision, RequestOptions, run_turn};
use turnwire::loopengine::Finished;
use turnwire::{ErrorKind, Result};

fn approval(id: &str) -> Reply {
    let body = serde_json::json!({
        "pending": true, "type": "approval", "id": id, "sessionId": "s", "tool": "t", "args": {},
        "scope": {"tenant": "d", "environment": "p", "agent": "a"}, "reason": "r",
        "approveUrl": "/", "denyUrl": "/", "events": [], "statusUrl": "/"});
    Reply::json(202, body.to_string())
}

fn question(id: &str) -> Reply {
    let body = serde_json::json!({
        "pending": true, "type": "question", "id": id, "sessionId": "s", "question": "?",
        "answerUrl": "/", "events": [], "statusUrl": "/"});
    Reply::json(202, body.to_string())
}

fn finished() -> Reply {
    Reply::json(200, r#"{"text":"ok","sessionId":"s","events":[]}"#)
}

fn turn(script: &Script, verdicts: &[Verdict]) -> Result<Finished> {
    let verdicts = RefCell::new(verdicts.iter().cloned());
    let mut options =
        RequestOptions { headers: vec![("x-tenant".into(), "t".into())], ..Default::default() };
    options.body.insert("email".into(), "a@b".into());
    let decider = async |_: PendingDecision| verdicts.borrow_mut().next().unwrap();
    script.run(run_turn(&script.client(), "a", "m", &options, decider))
}

fn answer(text: &str) -> Verdict {
    Verdict::Answer { text: text.into() }
}

#[test]
fn decides_until_the_turn_is_over() {
    let script = Script::new([question("q"), approval("1"), approval("2"), finished()]);
    let result = turn(&script, &[answer("A-1001"), Verdict::Approve, Verdict::Deny]);
    assert_eq!(result.unwrap().text, "ok");
    let requests = script.requests();
    let paths: Vec<_> = requests.iter().map(|request| &request.url["http://h".len()..]).collect();
    let right =
        ["/agents/a/messages", "/questions/q/answer", "/approvals/1/approve", "/approvals/2/deny"];
    assert_eq!(paths, right);
    assert_eq!(requests[1].body.as_deref(), Some(r#"{"answer":"A-1001"}"#));
    assert_eq!(requests[2].body, None, "extra fields belong to the message");
    assert!(
        requests.iter().all(|request| request.headers.contains(&("x-tenant".into(), "t".into())))
    );
}

#[test]
fn an_item_that_is_pending_again_is_decided_once() {
    let script = Script::new([approval("1"), approval("2"), approval("1")]);
    let error = turn(&script, &[Verdict::Approve, Verdict::Approve]).unwrap_err();
    assert_eq!((error.kind(), script.requests().len()), (ErrorKind::NoProgress, 3));
}

#[test]
fn a_turn_that_the_server_lost_is_no_progress() {
    let script = Script::new([approval("1"), Reply::json(200, r#"{"ok":true}"#)]);
    let error = turn(&script, &[Verdict::Approve]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoProgress);
}

#[test]
fn a_turn_that_asks_on_and_on_is_left() {
    let script = Script::new((0..40).map(|n| approval(&n.to_string())));
    let error = turn(&script, &vec![Verdict::Approve; 40]).unwrap_err();
    assert_eq!((error.kind(), script.requests().len()), (ErrorKind::DecisionLimit, 33));
}

#[test]
fn a_verdict_that_does_not_fit_is_not_sent() {
    for (item, verdict) in [
        (approval("1"), answer("x")),
        (question("1"), Verdict::Approve),
        (question("1"), Verdict::Deny),
    ] {
        let script = Script::new([item]);
        let error = turn(&script, &[verdict]).unwrap_err();
        assert_eq!((error.kind(), script.requests().len()), (ErrorKind::InvalidArgument, 1));
    }
}

#[test]
fn a_failed_decision_ends_the_loop_with_its_error() {
    let script =
        Script::new([approval("1"), Reply::json(404, r#"{"error":"not found or expired"}"#)]);
    let error = turn(&script, &[Verdict::Deny]).unwrap_err();
    assert_eq!((error.status(), error.server_message()), (Some(404), Some("not found or expired")));
}
