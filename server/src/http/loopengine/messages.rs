//! A message starts a turn.

use super::moment;
use crate::agents::Agent;
use crate::http::error::Failure;
use crate::http::{body, reply, sse};
use crate::turns::{LiveTurn, Turns};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::Response;
use std::sync::Arc;

/// `POST /agents/:name/messages`: answers when the turn is over or needs a decision.
pub(super) async fn send(
    State(turns): State<Turns>,
    Path(agent): Path<String>,
    body: Body,
) -> Result<Response, Failure> {
    let turn = start(&turns, &agent, body).await?;
    moment::answer(&turn, None).await
}

/// `POST /agents/:name/messages/stream`: the same checks, then the events as they come.
pub(super) async fn stream(
    State(turns): State<Turns>,
    Path(agent): Path<String>,
    body: Body,
) -> Result<Response, Failure> {
    let turn = start(&turns, &agent, body).await?;
    let response = sse::response(turn.follow(0));
    Ok(reply::with_turn(response, turn.id()))
}

/// The agent is looked up before the body is read, as the original does.
async fn start(turns: &Turns, agent: &str, body: Body) -> Result<Arc<LiveTurn>, Failure> {
    let agent = known_agent(turns, agent)?;
    let object = body::object(body).await?;
    let message = body::message(&object)?;
    let session = body::session_id(&object)?.unwrap_or_else(|| turns.new_id());
    if turns.is_stopping() {
        return Err(Failure::Stopping);
    }
    Ok(turns.start(&agent, session, message).await?)
}

pub(super) fn known_agent(turns: &Turns, name: &str) -> Result<Arc<Agent>, Failure> {
    turns.agents().get(name).cloned().ok_or_else(|| Failure::UnknownAgent(name.to_owned()))
}
