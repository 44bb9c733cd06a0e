//! A response that is no success → an error that says what the server said.

use super::body::WatchedBody;
use super::transport::{Response, Transport};
use crate::error::HttpDetails;
use crate::{Error, ErrorKind, json};
use serde_json::Value;
use std::time::Duration;

/// How long the body of an error may take: the error itself is known already.
const BODY_WAIT: Duration = Duration::from_secs(5);

const MAX_EXCERPT_CHARS: usize = 200;

/// The parts of a head that explain a failure.
pub(super) fn details_of<B>(response: &Response<B>) -> HttpDetails {
    let header = |name| response.headers.get(name);
    HttpDetails {
        status: response.status,
        media_type: response.media_type(),
        retry_after: header("retry-after")
            .and_then(|seconds| seconds.trim().parse().ok())
            .map(Duration::from_secs),
        www_authenticate: header("www-authenticate").map(str::to_owned),
        request_id: header("x-request-id").map(str::to_owned),
        redirected: response.redirected,
        ..HttpDetails::default()
    }
}

/// The error for a status outside 2xx.
pub(super) async fn status_error<T: Transport>(
    details: HttpDetails,
    body: WatchedBody<T>,
    max_bytes: usize,
) -> Error {
    let message = format!("the server answered with status {}", details.status);
    let details = explained(details, body, max_bytes).await;
    Error::from_http(ErrorKind::Http, message, details)
}

/// The error for a success of another media type.
pub(super) async fn media_type_error<T: Transport>(
    expected: &str,
    details: HttpDetails,
    body: WatchedBody<T>,
    max_bytes: usize,
) -> Error {
    let details = explained(details, body, max_bytes).await;
    let found: String = match &details.media_type {
        Some(found) => found.chars().take(40).collect(),
        None => "no media type".into(),
    };
    let redirect = if details.redirected { ", after a redirect" } else { "" };
    Error::from_http(
        ErrorKind::UnexpectedContentType,
        format!("expected {expected}, found {found}{redirect}"),
        details,
    )
}

/// Adds what the start of the body says; whatever becomes of the body, the error stands.
async fn explained<T: Transport>(
    mut details: HttpDetails,
    mut body: WatchedBody<T>,
    max_bytes: usize,
) -> HttpDetails {
    body.watch().limit_rest(BODY_WAIT);
    let text = body.read_start(max_bytes).await;
    match json::parse(&text) {
        Ok(value) => {
            details.code = code_of(&value);
            details.message = message_of(&value);
            let text = |name| value.get(name).and_then(Value::as_str).map(str::to_owned);
            details.verdict = text("verdict");
            details.answer = text("answer");
        }
        Err(_) => details.excerpt = excerpt_of(&text),
    }
    details
}

/// The start of a text on one line without control characters; none of an empty text.
pub(super) fn excerpt_of(text: &str) -> Option<String> {
    let words =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let mut line = String::new();
    for word in words {
        if line.len() > 4 * MAX_EXCERPT_CHARS {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let excerpt: String = line.chars().take(MAX_EXCERPT_CHARS).collect();
    (!excerpt.is_empty()).then_some(excerpt)
}

/// `code`, `error.code`, or a problem's `type` (RFC 9457) unless it is the one that says nothing.
fn code_of(body: &Value) -> Option<String> {
    let error = body.get("error");
    let nested = error.and_then(|error| error.get("code").or_else(|| error.get("type")));
    let problem = body.get("type").filter(|kind| *kind != "about:blank");
    [body.get("code"), nested, problem].into_iter().flatten().find_map(|code| match code {
        Value::String(code) => Some(code.clone()),
        Value::Number(code) => Some(code.to_string()),
        _ => None,
    })
}

/// `error`, `error.message`, `message`, `detail` or `title`, the first that is text.
fn message_of(body: &Value) -> Option<String> {
    let error = body.get("error");
    [
        error,
        error.and_then(|error| error.get("message")),
        body.get("message"),
        body.get("detail"),
        body.get("title"),
        Some(body),
    ]
    .into_iter()
    .flatten()
    .find_map(|text| text.as_str().filter(|text| !text.is_empty()))
    .map(str::to_owned)
}
