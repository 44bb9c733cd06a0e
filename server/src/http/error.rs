//! What can go wrong with a request, and the response to each.

use super::reply;
use crate::store::{Decision, StoreError};
use crate::turns::INTERNAL;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request is refused or failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The request is not what it should be; the text says how.
    #[error("{0}")]
    BadRequest(String),
    /// Another site's page, or a name that is not this server's.
    #[error("{0}")]
    Forbidden(String),
    /// No route.
    #[error("not found")]
    NotFound,
    /// No agent of that name.
    #[error("unknown agent '{0}'")]
    UnknownAgent(String),
    /// No such item; the original has one text for all three reasons.
    #[error("No pending approval '{0}' (already decided, timed out, or never existed).")]
    NoApproval(String),
    /// No such item; the original has one text for all three reasons.
    #[error("No pending question '{0}' (already answered, timed out, or never existed).")]
    NoQuestion(String),
    /// No turn of that id.
    #[error("no turn '{0}'")]
    NoTurn(String),
    /// The turn's events have been dropped.
    #[error("the events of this turn are no longer kept")]
    NotKept,
    /// Another decision stands.
    #[error("{}", standing(.0))]
    Decided(Decision),
    /// The item was not decided in time.
    #[error("this has expired: nobody decided in time")]
    Expired,
    /// The turn is over.
    #[error("the turn that asked for this is over")]
    TurnOver,
    /// The name of a message was given to another one.
    #[error("this `Idempotency-Key` was used for another message")]
    KeyTaken,
    /// Too many bytes.
    #[error("{what} is larger than {max_bytes} bytes")]
    TooLarge { what: &'static str, max_bytes: usize },
    /// The turn failed; the text is its `error` event's.
    #[error("{0}")]
    Turn(String),
    /// The server is stopping.
    #[error("the server is stopping; the turn goes on when it is back")]
    Stopping,
    /// The server failed; the log has the details.
    #[error("{INTERNAL}")]
    Internal,
}

impl Failure {
    fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound
            | Self::UnknownAgent(_)
            | Self::NoApproval(_)
            | Self::NoQuestion(_)
            | Self::NoTurn(_) => StatusCode::NOT_FOUND,
            Self::NotKept | Self::Expired | Self::TurnOver => StatusCode::GONE,
            Self::Decided(_) | Self::KeyTaken => StatusCode::CONFLICT,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Turn(_) | Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Stopping => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl Failure {
    /// A word for programs that have to tell failures of one status apart.
    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Expired => Some("expired"),
            Self::TurnOver => Some("turn-over"),
            Self::NotKept => Some("not-kept"),
            _ => None,
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.to_string() });
        if let Some(code) = self.code() {
            body["code"] = code.into();
        }
        if let Self::Decided(decision) = &self {
            body["verdict"] = verdict(decision).into();
        }
        if let Self::Decided(Decision::Answer(answer)) = &self {
            body["answer"] = answer.as_str().into();
        }
        reply::json(self.status(), &body)
    }
}

fn verdict(decision: &Decision) -> &'static str {
    match decision {
        Decision::Approve => "approve",
        Decision::Deny => "deny",
        Decision::Answer(_) => "answer",
    }
}

fn standing(decision: &Decision) -> &'static str {
    match decision {
        Decision::Approve => "this was approved already",
        Decision::Deny => "this was denied already",
        Decision::Answer(_) => "this was answered already",
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store failed");
        Self::Internal
    }
}
