//! A turn's events as server-sent events.

use crate::turns::Follower;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::timeout;
use turnwire::loopengine::to_sse;

/// How long a stream is silent before it says that it is still there.
///
/// # Protocol
/// Our choice: proxies and clients give up after 30 s or more without a byte; the original sends
/// nothing while a person decides.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A comment, which every parser of event streams skips.
const COMMENT: &str = ": still here\n\n";

/// The events of a turn until it is over.
///
/// # Protocol
/// loopengine Protocol v1, "SSE stream". `no-transform` and `x-accel-buffering` keep proxies from
/// holding events back.
///
/// # Cancellation
/// A reader that goes away ends the response; the turn goes on.
pub(super) fn response(follower: Follower) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-cache, no-transform"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    let chunks = stream::unfold(follower, |mut follower| async move {
        let chunk = next_chunk(&mut follower).await?;
        Some((Ok::<_, Infallible>(chunk), follower))
    });
    (StatusCode::OK, headers, Body::from_stream(chunks)).into_response()
}

async fn next_chunk(follower: &mut Follower) -> Option<String> {
    match timeout(HEARTBEAT, follower.next()).await {
        Ok(events) => Some(events?.iter().map(to_sse).collect()),
        Err(_) => Some(COMMENT.to_owned()),
    }
}
