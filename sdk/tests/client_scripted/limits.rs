//! What is too much, in both directions.

use crate::script::{Reply, Script, Step, bytes};
use turnwire::client::{LoopClient, RequestOptions};
use turnwire::{ErrorKind, Limits};

fn limited(script: &Script) -> LoopClient<Script> {
    script.client().with_limits(Limits {
        max_frame_bytes: 64,
        max_response_bytes: 60,
        max_error_body_bytes: 10,
        max_message_bytes: 8,
    })
}

#[test]
fn a_message_over_the_limit_is_not_sent() {
    let script = Script::new([]);
    let (client, options) = (limited(&script), RequestOptions::default());
    for text in ["123456789", "äöüßé"] {
        let sent = script.run(async { client.send("a", text, &options).await });
        assert_eq!(sent.unwrap_err().kind(), ErrorKind::InvalidArgument);
        let opened = script.run(async { client.stream("a", text, &options).await });
        assert_eq!(opened.unwrap_err().kind(), ErrorKind::InvalidArgument);
        let answered = script.run(async { client.answer("q", text, &options).await });
        let error = answered.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(!error.to_string().contains(text));
    }
    assert!(script.requests().is_empty());
}

#[test]
fn a_response_over_the_limit_is_cancelled() {
    let body = r#"{"text":"x","sessionId":"s","events":[]}"#;
    let padded = |spaces: usize| Reply::json(200, format!("{body}{}", " ".repeat(spaces)));
    let script = Script::new([padded(60 - body.len()), padded(61 - body.len())]);
    let (client, options) = (limited(&script), RequestOptions::default());
    assert!(script.run(async { client.send("a", "m", &options).await }).is_ok());
    let error = script.run(async { client.send("a", "m", &options).await }).unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::ResponseTooLarge, false));
    assert_eq!(script.cancelled(), 1);
}

#[test]
fn no_more_of_an_errors_body_is_read_than_allowed() {
    let mut reply = Reply::new(500, "text/plain", "abcde");
    reply.steps.extend([bytes("fghij-and-more"), Step::Hang]);
    let script = Script::new([reply]);
    let (_, error) = script.play(&limited(&script));
    assert_eq!(error.unwrap().http().unwrap().excerpt.as_deref(), Some("abcdefghij"));
    assert_eq!((script.cancelled(), script.now().is_zero()), (1, true));
}

#[test]
fn a_frame_over_the_limit_ends_the_stream_after_what_was_whole() {
    let small = "data: {\"type\":\"n\"}\n\n";
    let endless = std::iter::repeat_n(bytes("data: xxxxxxxxxxxxxxxxxx\n"), 10);
    let steps = std::iter::once(bytes(small)).chain(endless).chain([Step::Hang]);
    let script = Script::new([Reply::stream(steps)]);
    let (frames, error) = script.play(&limited(&script));
    assert_eq!((frames.len(), error.unwrap().kind()), (1, ErrorKind::FrameTooLarge));
    assert_eq!((script.cancelled(), script.now().is_zero()), (1, true));
}

#[test]
fn a_frame_over_the_limit_in_one_chunk_does_not_take_the_whole_ones_with_it() {
    let chunk = format!("data: {{\"type\":\"n\"}}\n\ndata: {}", "x".repeat(100));
    let script = Script::new([Reply::stream([bytes(&chunk)])]);
    let (frames, error) = script.play(&limited(&script));
    assert_eq!((frames.len(), error.unwrap().kind()), (1, ErrorKind::FrameTooLarge));
}
