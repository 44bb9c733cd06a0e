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
use turnwire::loopengine::{LoopEvent, to_sse};

/// How long a stream is silent before it says that it is still there.
///
/// # Protocol
/// Our choice: proxies and clients give up after 30 s or more without a byte; the original sends
/// nothing while a person decides.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A comment, which every parser of event streams skips.
const COMMENT: &str = ": still here\n\n";

/// Whether frames tell the numbers of their events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbering {
    /// As the protocol has it: without.
    None,
    /// `id: <number>`, from the follower's own start on.
    From(usize),
}

/// The events of a turn until it is over.
///
/// # Protocol
/// loopengine Protocol v1, "SSE stream". `no-transform` and `x-accel-buffering` keep proxies from
/// holding events back. Numbers are our choice, additive.
///
/// # Cancellation
/// A reader that goes away ends the response; the turn goes on.
pub(super) fn response(follower: Follower, numbering: Numbering) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-cache, no-transform"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    let chunks =
        stream::unfold((follower, numbering), |(mut follower, mut numbering)| async move {
            let chunk = next_chunk(&mut follower, &mut numbering).await?;
            Some((Ok::<_, Infallible>(chunk), (follower, numbering)))
        });
    (StatusCode::OK, headers, Body::from_stream(chunks)).into_response()
}

/// One event at a time: a reader that does not read keeps no more than that waiting for itself.
async fn next_chunk(follower: &mut Follower, numbering: &mut Numbering) -> Option<String> {
    match timeout(HEARTBEAT, follower.next()).await {
        Ok(event) => Some(frame(&event?, numbering)),
        Err(_) => Some(COMMENT.to_owned()),
    }
}

fn frame(event: &LoopEvent, numbering: &mut Numbering) -> String {
    let text = to_sse(event);
    match numbering {
        Numbering::None => text,
        Numbering::From(number) => {
            let numbered = format!("id: {number}\n{text}");
            *number += 1;
            numbered
        }
    }
}
