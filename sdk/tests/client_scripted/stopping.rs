//! Dropping, and the caller's switch.

use crate::script::{Reply, SECOND, Script, Step, bytes};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use turnwire::ErrorKind;
use turnwire::client::{CancelToken, RequestOptions};

const SESSION: &str = "data: {\"type\":\"session\",\"sessionId\":\"s\"}\n\n";

fn with_switch() -> (CancelToken, RequestOptions) {
    let token = CancelToken::new();
    let cancel = Some(token.clone());
    (token, RequestOptions { cancel, ..Default::default() })
}

#[test]
fn a_dropped_stream_cancels_its_request_once() {
    let script = Script::new([Reply::stream([bytes(SESSION), Step::Hang])]);
    script.run(async {
        let options = RequestOptions::default();
        let mut stream = script.client().stream("a", "m", &options).await.unwrap();
        assert!(stream.next().await.unwrap().is_ok());
        assert_eq!(script.cancelled(), 0);
    });
    assert_eq!((script.cancelled(), script.armed()), (1, 0));
}

#[test]
fn a_call_dropped_while_its_head_is_awaited_cancels_its_request() {
    let script = Script::new([Reply::json(200, "{}").after(SECOND)]);
    let (client, options) = (script.client(), RequestOptions::default());
    {
        let mut call = pin!(client.send("a", "m", &options));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(call.as_mut().poll(&mut cx).is_pending());
    }
    assert_eq!((script.requests().len(), script.cancelled(), script.armed()), (1, 1, 0));
}

#[test]
fn a_call_that_is_never_polled_sends_nothing() {
    let script = Script::new([]);
    let (client, options) = (script.client(), RequestOptions::default());
    drop(client.send("a", "m", &options));
    assert!(script.requests().is_empty());
}

#[test]
fn a_switched_token_keeps_a_request_from_being_sent() {
    let script = Script::new([]);
    let (token, options) = with_switch();
    token.cancel();
    let result = script.run(async { script.client().send("a", "m", &options).await });
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Aborted);
    assert!(script.requests().is_empty());
}

#[test]
fn a_switch_stops_a_call_that_waits_for_its_head() {
    let script = Script::new([Reply::json(200, "{}").after(60 * SECOND)]);
    let (token, options) = with_switch();
    script.switch_at(SECOND, &token);
    let result = script.run(async { script.client().deny("i", &options).await });
    let error = result.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Aborted, false));
    assert_eq!((script.now(), script.cancelled(), script.armed()), (SECOND, 1, 0));
}

#[test]
fn a_switch_stops_a_json_body() {
    let mut reply = Reply::json(200, "{");
    reply.steps.push(Step::Hang);
    let script = Script::new([reply]);
    let (token, options) = with_switch();
    script.switch_at(SECOND, &token);
    let result = script.run(async { script.client().send("a", "m", &options).await });
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Aborted);
}

#[test]
fn a_switch_stops_a_stream_and_what_it_had_decoded() {
    let both = format!("{SESSION}{SESSION}");
    let script = Script::new([Reply::stream([bytes(&both), Step::Hang])]);
    let (token, options) = with_switch();
    script.run(async {
        let mut stream = script.client().stream("a", "m", &options).await.unwrap();
        assert!(stream.next().await.unwrap().is_ok());
        token.cancel();
        assert_eq!(stream.next().await.unwrap().unwrap_err().kind(), ErrorKind::Aborted);
        assert_eq!(script.cancelled(), 1, "the request ends with the error, not with the drop");
        assert!(stream.next().await.is_none());
    });
}

#[test]
fn a_switch_wakes_a_stream_that_waits() {
    let script = Script::new([Reply::stream([bytes(SESSION), Step::Hang])]);
    let (token, options) = with_switch();
    script.switch_at(3 * SECOND, &token);
    let (frames, error) = script.play_with(&script.client(), &options);
    assert_eq!((frames.len(), error.unwrap().kind()), (1, ErrorKind::Aborted));
    assert_eq!((script.now(), script.cancelled(), script.armed()), (3 * SECOND, 1, 0));
}

#[test]
fn a_switch_after_the_turns_end_is_no_error() {
    let done = "data: {\"type\":\"done\",\"text\":\"x\"}\n\n";
    let script = Script::new([Reply::stream([bytes(done), Step::Hang])]);
    let (token, options) = with_switch();
    script.run(async {
        let mut stream = script.client().stream("a", "m", &options).await.unwrap();
        assert!(stream.next().await.unwrap().is_ok());
        token.cancel();
        assert!(stream.next().await.is_none());
    });
}

#[test]
fn one_switch_stops_many() {
    let reply = Reply::json(200, "{}").after(60 * SECOND);
    let script = Script::new([reply.clone(), reply]);
    let (token, options) = with_switch();
    script.switch_at(SECOND, &token);
    let (client, other) = (script.client(), script.client());
    let (first, second) = script.run(futures_util::future::join(
        client.send("a", "m", &options),
        other.history("a", "s", &options),
    ));
    assert_eq!(first.unwrap_err().kind(), ErrorKind::Aborted);
    assert_eq!(second.unwrap_err().kind(), ErrorKind::Aborted);
    assert_eq!(script.cancelled(), 2);
}
