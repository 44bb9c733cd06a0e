//! The route of AgentsKit's turn protocol v1.
//!
//! # Protocol
//! As observed in AgentsKit-io/agentskit-chat@9836963, where nothing is prescribed about paths. The
//! deadline runs from the request's arrival. What stands before every route comes first: a request
//! of a foreign page is refused there, in this server's own words.

use crate::agentskit::{Desk, Fault, Lines};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use futures_util::stream;
use std::convert::Infallible;
use tokio::time::{Instant, timeout_at};

mod checks;
mod refusal;

pub(super) fn routes(desk: Desk) -> Router {
    Router::new()
        // Other methods come here too, as they are answered in the protocol's own way.
        .route("/agents/{agent}/turns", any(submit))
        .route("/agents/{agent}/sessions/{session}/snapshot", get(snapshot))
        .with_state(desk)
}

/// `POST /agents/:name/turns`: snapshots of the session until the turn rests, one a line.
async fn submit(State(desk): State<Desk>, Path(agent): Path<String>, request: Request) -> Response {
    let deadline = desk.deadline();
    match timeout_at(deadline, begin(&desk, &agent, request, deadline)).await {
        Ok(Ok(lines)) => response(stream(lines)),
        Ok(Err(fault)) => refusal::response(fault),
        Err(_) => refusal::response(Fault::Timeout),
    }
}

async fn begin(
    desk: &Desk,
    agent: &str,
    request: Request,
    deadline: Instant,
) -> Result<Lines, Fault> {
    let submission = checks::submission(request).await?;
    desk.submit(agent, submission, deadline).await
}

/// `GET /agents/:name/sessions/:id/snapshot`: the newest snapshot, in one line.
///
/// # Protocol
/// Our choice, additive: a page that was reloaded, or whose stream broke off, has to learn what it
/// missed, as a turn is never told again. The number is the session's as it is counted; while a
/// turn is active, what is told may be a little newer than what the turn's own stream has under it.
async fn snapshot(
    State(desk): State<Desk>,
    Path((agent, session)): Path<(String, String)>,
) -> Response {
    match desk.snapshot(&agent, &session).await {
        Ok(line) => response(Body::from(line)),
        Err(fault) => refusal::response(fault),
    }
}

/// # Cancellation
/// A reader that goes away ends the response; the turn goes on.
fn stream(lines: Lines) -> Body {
    Body::from_stream(stream::unfold(lines, |mut lines| async move {
        let line = lines.next().await?;
        Some((Ok::<_, Infallible>(line), lines))
    }))
}

fn response(body: Body) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/x-ndjson; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, body).into_response()
}
