//! A message starts a turn.

use super::moment;
use crate::agents::Agent;
use crate::http::error::Failure;
use crate::http::sse::Numbering;
use crate::http::{body, reply, sse};
use crate::turns::{LiveTurn, Message, Started, Turns};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use std::sync::Arc;

/// Bytes of a message's name.
const MAX_KEY_BYTES: usize = 255;

/// `POST /agents/:name/messages`: answers when the turn is over or needs a decision.
pub(super) async fn send(
    State(turns): State<Turns>,
    Path(agent): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let turn = start(&turns, &agent, &headers, body).await?;
    moment::answer(&turn, None).await
}

/// `POST /agents/:name/messages/stream`: the same checks, then the events as they come.
pub(super) async fn stream(
    State(turns): State<Turns>,
    Path(agent): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let turn = start(&turns, &agent, &headers, body).await?;
    if turn.events().is_empty() {
        return Err(Failure::NotKept);
    }
    let response = sse::response(turn.follow(0), Numbering::None);
    Ok(reply::with_turn(response, turn.id()))
}

/// The agent is looked up before the body is read, as the original does.
async fn start(
    turns: &Turns,
    agent: &str,
    headers: &HeaderMap,
    body: Body,
) -> Result<Arc<LiveTurn>, Failure> {
    let agent = known_agent(turns, agent)?;
    let object = body::object(body).await?;
    let message = Message {
        text: body::message(&object)?,
        session: body::session_id(&object)?,
        key: key(headers)?,
    };
    if turns.is_stopping() {
        return Err(Failure::Stopping);
    }
    match turns.start(&agent, message).await? {
        Started::Turn(turn) => Ok(turn),
        Started::KeyTaken => Err(Failure::KeyTaken),
    }
}

/// The name of a message.
///
/// # Protocol
/// Our choice, additive: `Idempotency-Key`, as in the IETF draft of that name. A message that is
/// sent again under its name joins its turn.
fn key(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    match value.to_str() {
        Ok(key) if !key.is_empty() && key.len() <= MAX_KEY_BYTES => Ok(Some(key.into())),
        _ => Err(Failure::BadRequest(format!(
            "`Idempotency-Key` must be 1 to {MAX_KEY_BYTES} visible ASCII characters"
        ))),
    }
}

pub(super) fn known_agent(turns: &Turns, name: &str) -> Result<Arc<Agent>, Failure> {
    turns.agents().get(name).cloned().ok_or_else(|| Failure::UnknownAgent(name.to_owned()))
}
