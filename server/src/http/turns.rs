//! A turn by its id: where it stands, its events from any of them on, its stop.
//!
//! # Protocol
//! Our choice, additive: `x-turnwire-turn` of a message's response names the turn. Its events are
//! numbered from 0, in the order in which every stream of the turn has them. `GET /turns/:id` tells
//! the user's message too: the history of the session lacks it while the turn waits for its place.

use super::error::Failure;
use super::reply;
use super::sse::{self, Numbering};
use crate::turns::{LiveTurn, Phase, Turns};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use serde_json::json;
use std::sync::Arc;
use turnwire::loopengine::LoopEvent;

pub(super) fn routes(turns: Turns) -> Router {
    Router::new()
        .route("/turns/{turn}", get(state))
        .route("/turns/{turn}/stream", get(stream))
        .route("/turns/{turn}/cancel", post(cancel))
        .with_state(turns)
}

/// `GET /turns/:id`.
async fn state(State(turns): State<Turns>, Path(id): Path<String>) -> Result<Response, Failure> {
    Ok(describe(&*known(&turns, &id).await?))
}

/// `GET /turns/:id/stream`: from the start, or behind `Last-Event-ID`, to the turn's end.
async fn stream(
    State(turns): State<Turns>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let turn = known(&turns, &id).await?;
    let start = start(&headers, turn.events().len())?;
    let response = sse::response(turn.follow(start), Numbering::From(start));
    Ok(reply::with_turn(response, turn.id()))
}

/// `POST /turns/:id/cancel`: answers once the turn is over; a turn that is over stays as it is.
async fn cancel(State(turns): State<Turns>, Path(id): Path<String>) -> Result<Response, Failure> {
    let turn = known(&turns, &id).await?;
    turns.cancel(&turn).await?;
    match turn.over().await {
        Phase::Left => Err(Failure::Stopping),
        _ => Ok(describe(&turn)),
    }
}

async fn known(turns: &Turns, id: &str) -> Result<Arc<LiveTurn>, Failure> {
    let turn = turns.find(id).await?.ok_or_else(|| Failure::NoTurn(id.to_owned()))?;
    match turn.events().is_empty() {
        true => Err(Failure::NotKept),
        false => Ok(turn),
    }
}

/// The number of the first event that the client lacks.
fn start(headers: &HeaderMap, len: usize) -> Result<usize, Failure> {
    let Some(last) = headers.get("last-event-id") else { return Ok(0) };
    let last: Option<usize> = last.to_str().ok().and_then(|text| text.parse().ok());
    match last {
        Some(last) if last < len => Ok(last + 1),
        _ => Err(Failure::BadRequest(format!(
            "`Last-Event-ID` must be the number of an event of this turn, below {len}"
        ))),
    }
}

fn describe(turn: &LiveTurn) -> Response {
    let (events, phase) = (turn.events(), turn.phase());
    let mut body = json!({
        "id": turn.id(),
        "agent": turn.session().scope.agent,
        "sessionId": turn.session().id,
        "message": turn.message(),
        "state": state_of(&phase, events.last()),
        "events": events.len(),
    });
    if let Phase::Waiting(item) = phase {
        body["pendingId"] = item.into();
    }
    reply::json(StatusCode::OK, &body)
}

/// Where a turn stands, in a word.
pub(super) fn state_of(phase: &Phase, last: Option<&LoopEvent>) -> &'static str {
    match (phase, last) {
        (_, Some(LoopEvent::Done(_))) => "done",
        (_, Some(LoopEvent::Error(_))) => "error",
        (Phase::Waiting(_), _) => "waiting",
        (Phase::Running, _) => "running",
        (Phase::Over | Phase::Broken | Phase::Left, _) => "interrupted",
    }
}
