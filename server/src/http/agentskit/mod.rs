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
use axum::routing::any;
use futures_util::stream;
use std::convert::Infallible;
use tokio::time::{Instant, timeout_at};

mod checks;
mod refusal;

pub(super) fn routes(desk: Desk) -> Router {
    // Other methods come here too, as they are answered in the protocol's own way.
    Router::new().route("/agents/{agent}/turns", any(submit)).with_state(desk)
}

/// `POST /agents/:name/turns`: snapshots of the session until the turn rests, one a line.
async fn submit(State(desk): State<Desk>, Path(agent): Path<String>, request: Request) -> Response {
    let deadline = desk.deadline();
    match timeout_at(deadline, begin(&desk, &agent, request, deadline)).await {
        Ok(Ok(lines)) => response(lines),
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

/// # Cancellation
/// A reader that goes away ends the response; the turn goes on.
fn response(lines: Lines) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/x-ndjson; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    let lines = stream::unfold(lines, |mut lines| async move {
        let line = lines.next().await?;
        Some((Ok::<_, Infallible>(line), lines))
    });
    (headers, Body::from_stream(lines)).into_response()
}
