//! A turn's next moment as a response: 200 where it is over, 202 where it needs a decision.

use crate::engine::SessionKey;
use crate::http::error::Failure;
use crate::http::reply;
use crate::http::url::encode_segment;
use crate::turns::{LiveTurn, Phase};
use axum::http::StatusCode;
use axum::response::Response;
use turnwire::json::JsonObject;
use turnwire::loopengine::{
    ApprovalPending, Finished, LoopEvent, PendingApproval, PendingQuestion, QuestionPending,
    Received, TurnResult,
};

/// Waits for the moment after the decision on `decided`, or for the first one.
///
/// # Protocol
/// loopengine Protocol v1, "Plain HTTP" and "Resolving a pending item". The answer is always about
/// this very turn; in the original it could be about another turn of the session.
pub(super) async fn answer(turn: &LiveTurn, decided: Option<&str>) -> Result<Response, Failure> {
    if turn.events().is_empty() {
        return Err(Failure::NotKept);
    }
    let response = match turn.next_moment(decided).await {
        Phase::Over => {
            let finished = finished(turn.events(), &turn.session().id)?;
            reply::json(StatusCode::OK, &finished)
        }
        Phase::Waiting(id) => {
            let pending = pending(turn.events(), turn.session(), &id)?;
            reply::json(StatusCode::ACCEPTED, &pending)
        }
        Phase::Left => return Err(Failure::Stopping),
        Phase::Running | Phase::Broken => return Err(Failure::Internal),
    };
    Ok(reply::with_turn(response, turn.id()))
}

fn finished(events: Vec<LoopEvent>, session_id: &str) -> Result<TurnResult, Failure> {
    let (text, stop_reason) = match events.last() {
        Some(LoopEvent::Done(done)) => (done.text.clone(), done.stop_reason.clone()),
        Some(LoopEvent::Error(error)) => return Err(Failure::Turn(error.error.clone())),
        _ => return Err(Failure::Internal),
    };
    Ok(TurnResult::Finished(Finished {
        text,
        session_id: session_id.into(),
        events: received(events),
        stop_reason,
        extra: JsonObject::new(),
    }))
}

/// The events go up to the pending item, even if the turn has gone on meanwhile.
fn pending(
    mut events: Vec<LoopEvent>,
    session: &SessionKey,
    id: &str,
) -> Result<TurnResult, Failure> {
    let at = events.iter().position(|event| item_id(event) == Some(id));
    events.truncate(at.map_or(0, |at| at + 1));
    match events.last().cloned() {
        Some(LoopEvent::ApprovalPending(item)) => Ok(approval(item, session, events)),
        Some(LoopEvent::QuestionPending(item)) => Ok(question(item, session, events)),
        _ => Err(Failure::Internal),
    }
}

fn approval(item: ApprovalPending, session: &SessionKey, events: Vec<LoopEvent>) -> TurnResult {
    let path = format!("/approvals/{}", encode_segment(&item.id));
    TurnResult::PendingApproval(PendingApproval {
        id: item.id,
        session_id: session.id.clone(),
        tool: item.tool,
        args: item.args,
        scope: item.scope,
        reason: item.reason,
        approve_url: format!("{path}/approve"),
        deny_url: format!("{path}/deny"),
        events: received(events),
        status_url: status_url(session),
        extra: JsonObject::new(),
    })
}

fn question(item: QuestionPending, session: &SessionKey, events: Vec<LoopEvent>) -> TurnResult {
    TurnResult::PendingQuestion(PendingQuestion {
        answer_url: format!("/questions/{}/answer", encode_segment(&item.id)),
        id: item.id,
        session_id: session.id.clone(),
        question: item.question,
        options: item.options,
        events: received(events),
        status_url: status_url(session),
        extra: JsonObject::new(),
    })
}

/// Encoded, so that it can be fetched as given; the original's cannot.
fn status_url(session: &SessionKey) -> String {
    format!(
        "/agents/{}/sessions/{}",
        encode_segment(&session.scope.agent),
        encode_segment(&session.id)
    )
}

fn item_id(event: &LoopEvent) -> Option<&str> {
    match event {
        LoopEvent::ApprovalPending(item) => Some(&item.id),
        LoopEvent::QuestionPending(item) => Some(&item.id),
        _ => None,
    }
}

fn received(events: Vec<LoopEvent>) -> Vec<Received> {
    events.into_iter().map(Received::Event).collect()
}
