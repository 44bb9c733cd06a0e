//! What a client asks for when it opens a session: its history and what is pending.

use super::messages::known_agent;
use crate::engine::SessionKey;
use crate::http::current::{with_current, with_current_of_history};
use crate::http::error::Failure;
use crate::http::reply;
use crate::store::ItemKind;
use crate::turns::{Current, Turns};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use turnwire::json::JsonObject;
use turnwire::loopengine::{LoopEvent, PendingApprovals, PendingQuestions, SessionHistory};

/// `GET /agents/:name/sessions/:id`: what was said so far, the running turn included; an unknown
/// session has an empty history.
pub(super) async fn history(
    State(turns): State<Turns>,
    Path((agent, session)): Path<(String, String)>,
) -> Result<Response, Failure> {
    known_agent(&turns, &agent)?;
    let key = SessionKey { scope: turns.scope(&agent), id: session };
    let (history, current) = turns.history(&key).await?;
    let len = history.len();
    let answer = SessionHistory { session_id: key.id, history, extra: JsonObject::new() };
    let response = reply::json(StatusCode::OK, &answer);
    Ok(with_current_of_history(response, current.as_ref(), len))
}

/// `GET /agents/:name/approvals`; an unknown agent has none.
pub(super) async fn approvals(
    State(turns): State<Turns>,
    Path(agent): Path<String>,
) -> Result<Response, Failure> {
    pending_approvals(&turns, &agent, None).await
}

/// `GET /agents/:name/sessions/:id/approvals`; an unknown session has none.
pub(super) async fn session_approvals(
    State(turns): State<Turns>,
    Path((agent, session)): Path<(String, String)>,
) -> Result<Response, Failure> {
    pending_approvals(&turns, &agent, Some(&session)).await
}

/// `GET /agents/:name/questions`; an unknown agent has none.
pub(super) async fn questions(
    State(turns): State<Turns>,
    Path(agent): Path<String>,
) -> Result<Response, Failure> {
    pending_questions(&turns, &agent, None).await
}

/// `GET /agents/:name/sessions/:id/questions`; an unknown session has none.
pub(super) async fn session_questions(
    State(turns): State<Turns>,
    Path((agent, session)): Path<(String, String)>,
) -> Result<Response, Failure> {
    pending_questions(&turns, &agent, Some(&session)).await
}

async fn pending_approvals(
    turns: &Turns,
    agent: &str,
    session: Option<&str>,
) -> Result<Response, Failure> {
    let (items, current) = pending(turns, ItemKind::Approval, agent, session).await?;
    let approvals = items.into_iter().filter_map(|event| match event {
        LoopEvent::ApprovalPending(item) => Some(item),
        _ => None,
    });
    let answer = PendingApprovals { approvals: approvals.collect() };
    Ok(with_current(reply::json(StatusCode::OK, &answer), current.as_ref()))
}

async fn pending_questions(
    turns: &Turns,
    agent: &str,
    session: Option<&str>,
) -> Result<Response, Failure> {
    let (items, current) = pending(turns, ItemKind::Question, agent, session).await?;
    let questions = items.into_iter().filter_map(|event| match event {
        LoopEvent::QuestionPending(item) => Some(item),
        _ => None,
    });
    let answer = PendingQuestions { questions: questions.collect() };
    Ok(with_current(reply::json(StatusCode::OK, &answer), current.as_ref()))
}

/// The items of a session come with its current turn; those of an agent are of many turns.
async fn pending(
    turns: &Turns,
    kind: ItemKind,
    agent: &str,
    session: Option<&str>,
) -> Result<(Vec<LoopEvent>, Option<Current>), Failure> {
    let scope = turns.scope(agent);
    let Some(id) = session else {
        return Ok((turns.store().pending(kind, &scope).await?, None));
    };
    Ok(turns.pending(kind, &SessionKey { scope, id: id.into() }).await?)
}
