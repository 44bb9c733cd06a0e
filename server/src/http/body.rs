//! Request bodies: read with a limit, parsed as JSON whatever their content type says.

use super::error::Failure;
use axum::body::Body;
use futures_util::StreamExt;
use serde_json::Value;
use turnwire::Limits;
use turnwire::json::{JsonObject, type_name};

/// Bytes of a body that are taken in.
pub(super) const MAX_BODY_BYTES: usize = 1024 * 1024;

/// Bytes of a session id.
const MAX_SESSION_ID_BYTES: usize = 1024;

/// Reads a body as a JSON object; an empty body is an empty object.
///
/// # Protocol
/// As observed in loopengine 8f93a10, the content type is not looked at. Malformed JSON is 400 here,
/// where the original answers 500.
pub(super) async fn object(body: Body) -> Result<JsonObject, Failure> {
    let bytes = read(body).await?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|_| Failure::BadRequest("the body is not valid UTF-8".into()))?;
    if text.is_empty() {
        return Ok(JsonObject::new());
    }
    let value: Value = serde_json::from_str(text)
        .map_err(|error| Failure::BadRequest(format!("the body is not valid JSON: {error}")))?;
    match value {
        Value::Object(object) => Ok(object),
        other => Err(Failure::BadRequest(format!(
            "the body must be a JSON object, found {}",
            type_name(&other)
        ))),
    }
}

/// The message of a turn.
pub(super) fn message(object: &JsonObject) -> Result<String, Failure> {
    match text(object, "message")? {
        None | Some("") => Err(Failure::BadRequest("message is required".into())),
        Some(message) => checked_length(message, "the message"),
    }
}

/// The session id, if the client gives one.
pub(super) fn session_id(object: &JsonObject) -> Result<Option<String>, Failure> {
    match text(object, "sessionId")? {
        None | Some("") => Ok(None),
        Some(id) if id.len() > MAX_SESSION_ID_BYTES => Err(Failure::BadRequest(format!(
            "`sessionId` is longer than {MAX_SESSION_ID_BYTES} bytes"
        ))),
        Some(id) => Ok(Some(id.into())),
    }
}

/// The answer to a question; an empty one is an answer.
pub(super) fn answer(object: &JsonObject) -> Result<String, Failure> {
    match text(object, "answer")? {
        None => Err(Failure::BadRequest("answer is required".into())),
        Some(answer) => checked_length(answer, "the answer"),
    }
}

fn text<'a>(object: &'a JsonObject, name: &str) -> Result<Option<&'a str>, Failure> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(Failure::BadRequest(format!(
            "`{name}` must be a string, found {}",
            type_name(other)
        ))),
    }
}

fn checked_length(text: &str, what: &'static str) -> Result<String, Failure> {
    let max_bytes = Limits::default().max_message_bytes;
    if text.len() > max_bytes {
        return Err(Failure::TooLarge { what, max_bytes });
    }
    Ok(text.into())
}

async fn read(body: Body) -> Result<Vec<u8>, Failure> {
    let mut chunks = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Failure::BadRequest("the body broke off".into()))?;
        if bytes.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(Failure::TooLarge { what: "the body", max_bytes: MAX_BODY_BYTES });
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
