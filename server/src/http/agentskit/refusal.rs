//! The response to a request that is refused.

use crate::agentskit::Fault;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A status for a client that broke off, which nobody is there to read; nginx's own.
const CLIENT_CLOSED_REQUEST: u16 = 499;

/// # Protocol
/// Statuses and body observed in AgentsKit-io/agentskit-chat@9836963. `Allow`, which HTTP asks for,
/// is ours.
pub(super) fn response(fault: Fault) -> Response {
    let headers = [(CONTENT_TYPE, "application/json; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    let error = json!({
        "version": 1,
        "code": fault.code(),
        "message": fault.message(),
        "retryable": fault.is_retryable(),
    });
    let mut response =
        (status(fault), headers, json!({ "error": error }).to_string()).into_response();
    if fault == Fault::Method {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
    }
    response
}

fn status(fault: Fault) -> StatusCode {
    match fault {
        Fault::Method => StatusCode::METHOD_NOT_ALLOWED,
        Fault::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Fault::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Fault::NotJson | Fault::NotSubmission => StatusCode::BAD_REQUEST,
        Fault::UnknownAgent | Fault::UnknownSession => StatusCode::NOT_FOUND,
        Fault::Busy | Fault::Conflict => StatusCode::CONFLICT,
        Fault::Timeout => StatusCode::REQUEST_TIMEOUT,
        Fault::Cancelled => {
            StatusCode::from_u16(CLIENT_CLOSED_REQUEST).unwrap_or(StatusCode::BAD_REQUEST)
        }
        Fault::Stopping => StatusCode::SERVICE_UNAVAILABLE,
        Fault::Turn | Fault::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
