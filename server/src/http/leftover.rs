//! What a route leaves unread of a request's body is read and dropped before the answer goes out.
//!
//! hyper closes a connection whose request was not read to its end. Bytes that arrive then make the
//! system reset the connection, and the client loses the end of the answer, or all of it.

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use futures_util::{Stream, StreamExt};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::oneshot;

/// Bytes that are read and dropped; whoever sends more does not want an answer.
const MAX_DRAINED_BYTES: usize = 16 * 1024 * 1024;

/// Lends the body to the routes and reads what they leave of it.
pub(super) async fn drain(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let (back, leftover) = oneshot::channel();
    let lent = Lent { body: Some((body.into_data_stream(), back)) };
    let response = next.run(Request::from_parts(parts, Body::from_stream(lent))).await;
    // Whoever took too long to send a request is not waited for any longer.
    if response.status() == StatusCode::REQUEST_TIMEOUT {
        return response;
    }
    if let Ok(leftover) = leftover.await {
        read_and_drop(leftover).await;
    }
    response
}

async fn read_and_drop(mut leftover: BodyDataStream) {
    let mut seen = 0;
    while seen <= MAX_DRAINED_BYTES
        && let Some(Ok(chunk)) = leftover.next().await
    {
        seen += chunk.len();
    }
}

/// A body that comes back when the route drops it.
struct Lent {
    /// None once it is on its way back.
    body: Option<(BodyDataStream, oneshot::Sender<BodyDataStream>)>,
}

impl Stream for Lent {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match &mut self.body {
            Some((body, _)) => body.poll_next_unpin(cx),
            None => Poll::Ready(None),
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some((body, back)) = self.body.take() {
            // The client is gone: nobody needs the rest.
            let _ = back.send(body);
        }
    }
}
