//! The routes of loopengine Protocol v1.
//!
//! # Protocol
//! loopengine Protocol v1, "Transports", and what loopengine 8f93a10 was observed to do beside it.

use crate::turns::Turns;
use axum::Router;
use axum::routing::{get, post};

mod agents;
mod decisions;
mod lists;
mod messages;
mod moment;

pub(super) fn routes(turns: Turns) -> Router {
    Router::new()
        .route("/agents", get(agents::list))
        .route("/agents/{agent}/messages", post(messages::send))
        .route("/agents/{agent}/messages/stream", post(messages::stream))
        .route("/agents/{agent}/sessions/{session}", get(lists::history))
        .route("/agents/{agent}/approvals", get(lists::approvals))
        .route("/agents/{agent}/questions", get(lists::questions))
        .route("/agents/{agent}/sessions/{session}/approvals", get(lists::session_approvals))
        .route("/agents/{agent}/sessions/{session}/questions", get(lists::session_questions))
        .route("/approvals/{id}/approve", post(decisions::approve))
        .route("/approvals/{id}/deny", post(decisions::deny))
        .route("/questions/{id}/answer", post(decisions::answer))
        .with_state(turns)
}
