//! A decision lets its turn go on, and is answered with what that turn needs next.

use super::moment;
use crate::http::error::Failure;
use crate::http::{body, reply};
use crate::store::{Decision, ItemKind};
use crate::turns::{Decided, Turns};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use turnwire::loopengine::TurnResult;

/// `POST /approvals/:id/approve`; a body is ignored.
pub(super) async fn approve(
    State(turns): State<Turns>,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    decide(&turns, &id, Decision::Approve).await
}

/// `POST /approvals/:id/deny`; a body is ignored.
pub(super) async fn deny(
    State(turns): State<Turns>,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    decide(&turns, &id, Decision::Deny).await
}

/// `POST /questions/:id/answer`.
pub(super) async fn answer(
    State(turns): State<Turns>,
    Path(id): Path<String>,
    body: Body,
) -> Result<Response, Failure> {
    let answer = body::answer(&body::object(body).await?)?;
    decide(&turns, &id, Decision::Answer(answer)).await
}

/// # Protocol
/// The original answers 404 to everything that is not pending. Ours tells apart, additively: the
/// same verdict again gets its answer again, another verdict 409, what came too late 410.
async fn decide(turns: &Turns, id: &str, decision: Decision) -> Result<Response, Failure> {
    let kind = decision.kind();
    match turns.decide(id, decision).await? {
        Decided::Taken(turn) => moment::answer(&turn, Some(id)).await,
        Decided::Untracked => Ok(reply::json(StatusCode::OK, &TurnResult::Acknowledged)),
        Decided::Other(standing) => Err(Failure::Decided(standing)),
        Decided::Expired => Err(Failure::Expired),
        Decided::Over => Err(Failure::TurnOver),
        Decided::Unknown => Err(match kind {
            ItemKind::Approval => Failure::NoApproval(id.to_owned()),
            ItemKind::Question => Failure::NoQuestion(id.to_owned()),
        }),
    }
}
