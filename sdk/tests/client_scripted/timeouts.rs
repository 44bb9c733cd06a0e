//! Each clock, on virtual time.

use crate::script::{Reply, SECOND, Script, Step, bytes};
use std::time::Duration;
use turnwire::ErrorKind;
use turnwire::client::{RequestOptions, Timeouts};

const DONE: &str = "data: {\"type\":\"done\",\"text\":\"x\"}\n\n";
const FINISHED: &str = r#"{"text":"x","sessionId":"s","events":[]}"#;

fn minutes(count: u64) -> Duration {
    Duration::from_secs(60 * count)
}

/// How a stream ends, and when.
fn ends(steps: Vec<Step>, timeouts: Timeouts) -> (Option<ErrorKind>, Duration) {
    let script = Script::new([Reply::stream(steps)]);
    let client = script.client().with_timeouts(timeouts);
    let (_, error) = script.play(&client);
    assert_eq!(script.armed(), 0, "no timer outlives its stream");
    (error.map(|error| error.kind()), script.now())
}

#[test]
fn a_stream_whose_head_does_not_come_fails_after_30_seconds() {
    let script = Script::new([Reply::stream([bytes(DONE)]).after(minutes(1))]);
    let (_, error) = script.play(&script.client());
    let error = error.unwrap();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::ConnectTimeout, true));
    assert_eq!((script.now(), script.cancelled(), script.armed()), (30 * SECOND, 1, 0));
}

#[test]
fn a_plain_message_may_take_as_long_as_its_turn() {
    let script = Script::new([Reply::json(200, FINISHED).after(minutes(60))]);
    let options = RequestOptions::default();
    let result = script.run(async { script.client().send("a", "m", &options).await });
    assert_eq!((result.is_ok(), script.now()), (true, minutes(60)));
}

#[test]
fn a_plain_message_is_bounded_where_the_caller_says_so() {
    let script = Script::new([Reply::json(200, FINISHED).after(minutes(60))]);
    let timeouts = Timeouts { response: Some(SECOND), ..Timeouts::default() };
    let client = script.client().with_timeouts(timeouts);
    let options = RequestOptions::default();
    let result = script.run(async { client.approve("i", &options).await });
    assert_eq!(result.unwrap_err().kind(), ErrorKind::ConnectTimeout);
    assert_eq!((script.now(), script.cancelled()), (SECOND, 1));
}

#[test]
fn lists_and_histories_are_answered_at_once_or_never() {
    let options = RequestOptions::default();
    let script = Script::new([0; 3].map(|_| Reply::json(200, "").after(minutes(1))));
    let client = script.client();
    let history = script.run(async { client.history("a", "s", &options).await }).map(drop);
    let approvals = script.run(async { client.approvals("a", None, &options).await }).map(drop);
    let questions = script.run(async { client.questions("a", None, &options).await }).map(drop);
    for result in [history, approvals, questions] {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::ConnectTimeout);
    }
    assert_eq!(script.now(), 90 * SECOND);
}

#[test]
fn silence_while_a_person_decides_is_waited_out() {
    let steps = vec![bytes(": hi\n"), Step::Wait(minutes(5)), bytes(DONE)];
    assert_eq!(ends(steps, Timeouts::default()), (None, minutes(5)));
}

#[test]
fn a_dead_socket_is_noticed() {
    let steps = vec![bytes("data: {\"type\":\"n\"}\n\n"), Step::Hang];
    let late = Duration::from_secs(330);
    assert_eq!(ends(steps, Timeouts::default()), (Some(ErrorKind::IdleTimeout), late));
}

#[test]
fn comments_and_single_bytes_keep_a_stream_alive() {
    let beat = |text| [Step::Wait(44 * SECOND), bytes(text)];
    let steps = [": keep\n\n", ":\n", "d", "ata: {}\n\n", DONE].into_iter().flat_map(beat);
    let timeouts = Timeouts { idle: Some(45 * SECOND), ..Timeouts::default() };
    assert_eq!(ends(steps.collect(), timeouts), (None, 220 * SECOND));
}

#[test]
fn what_has_arrived_wins_over_the_idle_clock() {
    let steps = vec![Step::Wait(SECOND), bytes(DONE)];
    let timeouts = Timeouts { idle: Some(SECOND), ..Timeouts::default() };
    assert_eq!(ends(steps, timeouts), (None, SECOND));
}

#[test]
fn the_total_time_runs_also_while_bytes_come() {
    let beat = || [Step::Wait(SECOND), bytes(": keep\n")];
    let steps = (0..100).flat_map(|_| beat()).collect();
    let timeouts = Timeouts { total: Some(10 * SECOND), ..Timeouts::default() };
    assert_eq!(ends(steps, timeouts), (Some(ErrorKind::TotalTimeout), 10 * SECOND));
}

#[test]
fn the_total_time_includes_the_head() {
    let script = Script::new([Reply::json(200, FINISHED).after(minutes(1))]);
    let timeouts = Timeouts { total: Some(SECOND), ..Timeouts::default() };
    let client = script.client().with_timeouts(timeouts);
    let options = RequestOptions::default();
    let result = script.run(async { client.send("a", "m", &options).await });
    assert_eq!(result.unwrap_err().kind(), ErrorKind::TotalTimeout);
}

#[test]
fn a_json_body_that_stalls_is_idle() {
    let mut reply = Reply::json(200, "{\"te");
    reply.steps.push(Step::Hang);
    let script = Script::new([reply]);
    let options = RequestOptions::default();
    let result = script.run(async { script.client().send("a", "m", &options).await });
    assert_eq!(result.unwrap_err().kind(), ErrorKind::IdleTimeout);
    assert_eq!(script.cancelled(), 1);
}

#[test]
fn an_errors_body_that_stalls_does_not_hold_the_error_back() {
    let mut reply = Reply::new(502, "text/html", "<h1>Bad");
    reply.steps.push(Step::Hang);
    let script = Script::new([reply]);
    let (_, error) = script.play(&script.client());
    let error = error.unwrap();
    assert_eq!((error.status(), script.now()), (Some(502), 5 * SECOND));
    assert_eq!(error.http().unwrap().excerpt.as_deref(), Some("<h1>Bad"));
}

#[test]
fn without_limits_everything_is_waited_for() {
    let timeouts = Timeouts { connect: None, response: None, idle: None, total: None };
    let steps = vec![Step::Wait(minutes(6000)), bytes(DONE)];
    assert_eq!(ends(steps, timeouts), (None, minutes(6000)));
}
