//! A request on its way to a submission: each check in the protocol's order.

use crate::agentskit::{Fault, Submission};
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, Method};
use futures_util::StreamExt;
use turnwire::ErrorKind;
use turnwire::agentskit::{TurnPayload, decode_turn_event};
use turnwire::json::JsonText;

/// Bytes of a body that are taken in.
///
/// # Protocol
/// AgentsKit's default.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Takes a submission in.
///
/// # Protocol
/// Order of checks observed in AgentsKit-io/agentskit-chat@9836963: method, media type, announced
/// length, real length, JSON, event.
///
/// # Errors
/// The first check that fails.
pub(super) async fn submission(request: Request) -> Result<Submission, Fault> {
    let (parts, body) = request.into_parts();
    if parts.method != Method::POST {
        return Err(Fault::Method);
    }
    if !is_json(&parts.headers) {
        return Err(Fault::MediaType);
    }
    if announced(&parts.headers).is_some_and(|bytes| bytes > MAX_BODY_BYTES as u64) {
        return Err(Fault::TooLarge);
    }
    parse(&read(body).await?)
}

/// Whether the media type begins as JSON's does; nothing more is asked for.
fn is_json(headers: &HeaderMap) -> bool {
    let media_type = text(headers, &CONTENT_TYPE).unwrap_or_default();
    media_type.to_ascii_lowercase().starts_with("application/json")
}

/// What is no number is not looked at.
fn announced(headers: &HeaderMap) -> Option<u64> {
    text(headers, &CONTENT_LENGTH)?.trim().parse().ok()
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

async fn read(body: Body) -> Result<Vec<u8>, Fault> {
    let mut chunks = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Fault::Cancelled)?;
        if bytes.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(Fault::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Bytes that are no text become U+FFFD, and a byte order mark is dropped.
fn parse(bytes: &[u8]) -> Result<Submission, Fault> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    // JSON that nests too deep may still be a submission with a field that nobody reads.
    let within = match JsonText::parse(&text) {
        Ok(json) => json.to::<String>().ok(),
        Err(error) if error.kind() == ErrorKind::NestingTooDeep => None,
        Err(_) => return Err(Fault::NotJson),
    };
    // The original parses the body, and its decoder parses a text once more.
    let event = decode_turn_event(within.as_deref().unwrap_or(&text));
    let event = event.map_err(|_| Fault::NotSubmission)?;
    match event.payload {
        TurnPayload::Submit(submission) => Ok(Submission {
            session: event.session_id,
            turn: event.turn_id,
            input: submission.input,
        }),
        TurnPayload::Snapshot(_) | TurnPayload::Diagnostic(_) => Err(Fault::NotSubmission),
    }
}
