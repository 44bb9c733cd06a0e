//! JSON responses.

use super::error::Failure;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

/// Tells which turn a response belongs to.
///
/// # Protocol
/// Our choice, additive: with it a client can join the turn again.
pub(super) const TURN: HeaderName = HeaderName::from_static("x-turnwire-turn");

/// A JSON response.
pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    match serde_json::to_vec(body) {
        Ok(bytes) => (status, headers, bytes).into_response(),
        Err(error) => {
            tracing::error!(%error, "a response cannot be written as JSON");
            Failure::Internal.into_response()
        }
    }
}

/// Adds the id of a response's turn.
pub(super) fn with_turn(mut response: Response, turn: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(turn) {
        response.headers_mut().insert(TURN, value);
    }
    response
}

/// Gives the router's own refusals of a method a body that says so; their `Allow` header stays.
pub(super) async fn explain_status(response: Response) -> Response {
    let is_explained = response.headers().contains_key(CONTENT_TYPE);
    if response.status() != StatusCode::METHOD_NOT_ALLOWED || is_explained {
        return response;
    }
    let body = json!({ "error": "method not allowed" });
    let mut explained = json(StatusCode::METHOD_NOT_ALLOWED, &body);
    if let Some(allow) = response.headers().get(axum::http::header::ALLOW) {
        explained.headers_mut().insert(axum::http::header::ALLOW, allow.clone());
    }
    explained
}
