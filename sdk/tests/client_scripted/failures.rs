//! Every response that is no success, and every success that is none of the protocol's.

use crate::script::{Reply, Script};
use std::time::Duration;
use turnwire::client::RequestOptions;
use turnwire::loopengine::TurnResult;
use turnwire::{Error, ErrorKind};

fn plain(reply: Reply) -> Result<TurnResult, Error> {
    let script = Script::new([reply]);
    let options = RequestOptions::default();
    let result = script.run(async { script.client().send("a", "m", &options).await });
    assert_eq!(script.requests().len(), 1, "nothing is tried again");
    result.map(|result| result.value)
}

fn streamed(reply: Reply) -> Error {
    let script = Script::new([reply]);
    let (frames, error) = script.play(&script.client());
    assert_eq!((frames.len(), script.requests().len()), (0, 1));
    error.unwrap()
}

#[test]
fn the_servers_text_and_code_are_found_in_every_shape() {
    for (body, code, message) in [
        (r#"{"error":"unknown agent 'x'"}"#, None, Some("unknown agent 'x'")),
        (
            r#"{"error":{"code":"quota","message":"limit reached"}}"#,
            Some("quota"),
            Some("limit reached"),
        ),
        (r#"{"error":{"type":"overloaded","message":"later"}}"#, Some("overloaded"), Some("later")),
        (r#"{"code":42,"message":"m"}"#, Some("42"), Some("m")),
        (
            r#"{"type":"https://h/out-of-credit","title":"No credit","detail":"30 short"}"#,
            Some("https://h/out-of-credit"),
            Some("30 short"),
        ),
        (r#"{"type":"about:blank","title":"Not Found"}"#, None, Some("Not Found")),
        (r#"{"error":{},"detail":[1]}"#, None, None),
        (r#""just text""#, None, Some("just text")),
        ("null", None, None),
    ] {
        for error in [
            plain(Reply::json(402, body)).unwrap_err(),
            streamed(Reply::new(402, "application/problem+json", body)),
        ] {
            assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(402)));
            let details = error.http().unwrap();
            assert_eq!(
                (details.code.as_deref(), details.message.as_deref()),
                (code, message),
                "{body}"
            );
            assert_eq!(details.excerpt, None);
            assert_eq!(error.to_string(), "the server answered with status 402");
        }
    }
}

#[test]
fn a_page_is_quoted_not_parsed() {
    let page = format!("<html>\r\n\t<h1>Bad\u{0}\u{7} Gateway</h1>{}", "x".repeat(100_000));
    let error = plain(Reply::new(502, "text/html; charset=utf-8", page)).unwrap_err();
    let details = error.http().unwrap();
    assert_eq!(details.media_type.as_deref(), Some("text/html"));
    let excerpt = details.excerpt.as_deref().unwrap();
    assert!(excerpt.starts_with("<html> <h1>Bad Gateway</h1>xxx"), "{excerpt}");
    assert_eq!((excerpt.chars().count(), error.is_retryable()), (200, true));
}

#[test]
fn an_error_without_a_body_stands() {
    let mut reply = Reply::new(500, "text/plain", "");
    reply.headers.clear();
    let error = plain(reply).unwrap_err();
    let details = error.http().unwrap();
    assert_eq!((details.status, &details.excerpt, &details.media_type), (500, &None, &None));
}

#[test]
fn an_error_whose_body_breaks_stands() {
    let mut reply = Reply::json(404, r#"{"error":"no"}"#);
    reply.steps.push(crate::script::Step::Break);
    assert_eq!(streamed(reply).server_message(), Some("no"));
}

#[test]
fn headers_that_explain_a_failure_are_kept() {
    let reply = Reply::json(401, "{}")
        .header("WWW-Authenticate", "Basic realm=\"x\"")
        .header("Retry-After", " 7 ")
        .header("X-Request-Id", "r-1");
    let error = streamed(reply);
    let details = error.http().unwrap();
    assert_eq!(details.www_authenticate.as_deref(), Some("Basic realm=\"x\""));
    assert_eq!(details.request_id.as_deref(), Some("r-1"));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    let dated = Reply::json(503, "{}").header("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT");
    assert_eq!(streamed(dated).retry_after(), None);
}

#[test]
fn statuses_say_whether_to_try_again() {
    for (status, retryable) in [
        (301, false),
        (400, false),
        (401, false),
        (404, false),
        (408, true),
        (409, false),
        (410, false),
        (413, false),
        (425, true),
        (429, true),
        (500, true),
        (501, false),
        (502, true),
        (503, true),
        (504, true),
        (505, false),
    ] {
        let error = streamed(Reply::json(status, "{}"));
        assert_eq!((error.status(), error.is_retryable()), (Some(status), retryable));
    }
}

#[test]
fn the_status_counts_before_the_media_type() {
    let error = streamed(Reply::new(
        500,
        "text/event-stream",
        "data: {\"type\":\"done\",\"text\":\"\"}\n\n",
    ));
    assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(500)));
}

#[test]
fn a_login_page_is_no_stream() {
    let mut reply = Reply::new(200, "Text/HTML; charset=utf-8", "<h1>Log in</h1>");
    reply.redirected = true;
    let error = streamed(reply);
    assert_eq!((error.kind(), error.status()), (ErrorKind::UnexpectedContentType, Some(200)));
    assert_eq!(error.to_string(), "expected text/event-stream, found text/html, after a redirect");
    let details = error.http().unwrap();
    assert_eq!(details.excerpt.as_deref(), Some("<h1>Log in</h1>"));
    assert!(details.redirected && !error.is_retryable());
}

#[test]
fn a_json_success_is_no_stream_but_its_text_is_told() {
    let error = streamed(Reply::json(200, r#"{"error":"streams are off"}"#));
    assert_eq!(error.kind(), ErrorKind::UnexpectedContentType);
    assert_eq!(error.server_message(), Some("streams are off"));
}

#[test]
fn a_stream_without_a_media_type_is_none() {
    let mut reply = Reply::stream([]);
    reply.headers.clear();
    let error = streamed(reply);
    assert_eq!(error.to_string(), "expected text/event-stream, found no media type");
}

#[test]
fn media_types_are_compared_by_essence_whatever_the_case() {
    for media_type in [
        "Text/Event-Stream; charset=utf-8",
        "text/event-stream;charset=UTF-8",
        " TEXT/EVENT-STREAM ",
    ] {
        let script = Script::new([Reply::new(
            200,
            media_type,
            "data: {\"type\":\"done\",\"text\":\"\"}\n\n",
        )]);
        let (frames, error) = script.play(&script.client());
        assert_eq!((frames.len(), error.is_none()), (1, true), "{media_type}");
    }
}

#[test]
fn nothing_to_stream_is_told_by_its_status() {
    let error = streamed(Reply::new(204, "text/event-stream", ""));
    assert_eq!((error.kind(), error.status()), (ErrorKind::InvalidResponse, Some(204)));
}

#[test]
fn a_plain_success_that_is_not_the_protocols_is_never_a_result() {
    for (reply, kind) in [
        (Reply::new(200, "text/html", "<h1>Log in</h1>"), ErrorKind::UnexpectedContentType),
        (Reply::new(200, "text/event-stream", "data: {}\n\n"), ErrorKind::UnexpectedContentType),
        (Reply::json(200, "<h1>Log in</h1>"), ErrorKind::InvalidResponse),
        (Reply::json(200, "null"), ErrorKind::InvalidResponse),
        (Reply::json(200, "{}"), ErrorKind::InvalidResponse),
        (Reply::json(200, r#"{"error":"HTTP 200"}"#), ErrorKind::InvalidResponse),
        (Reply::json(202, r#"{"pending":true,"type":"vote"}"#), ErrorKind::InvalidResponse),
        (Reply::json(200, ""), ErrorKind::InvalidResponse),
        (Reply::new(204, "", ""), ErrorKind::InvalidResponse),
        (Reply::json(200, "[".repeat(200)), ErrorKind::NestingTooDeep),
    ] {
        let status = reply.status;
        let error = plain(reply).unwrap_err();
        assert_eq!((error.kind(), error.status()), (kind, Some(status)), "{error}");
        assert!(!error.is_retryable());
    }
}

#[test]
fn a_success_of_an_unknown_type_is_given_the_benefit_of_the_doubt() {
    let body = "\u{feff}{\"text\":\"x\",\"sessionId\":\"s\",\"events\":[]}";
    for media_type in
        ["application/json; charset=utf-8", "text/json", "application/ld+json", "text/plain", ""]
    {
        assert!(
            matches!(plain(Reply::new(200, media_type, body)), Ok(TurnResult::Finished(_))),
            "{media_type}"
        );
    }
}

#[test]
fn a_refused_connection_is_a_network_fault() {
    let mut reply = Reply::json(200, "");
    reply.refused = true;
    let error = plain(reply).unwrap_err();
    assert_eq!(
        (error.kind(), error.is_retryable(), error.status()),
        (ErrorKind::Network, true, None)
    );
}

#[test]
fn a_body_that_breaks_is_a_network_fault() {
    let mut reply = Reply::json(200, "{");
    reply.steps.push(crate::script::Step::Break);
    assert_eq!(plain(reply).unwrap_err().kind(), ErrorKind::Network);
}
