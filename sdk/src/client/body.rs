//! A response's body under watch, and its collection into text.

use super::transport::Transport;
use super::watch::Watch;
use crate::{Error, ErrorKind, Result};
use bytes::Bytes;
use futures_core::Stream;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The chunks of a body, until its end, a fault, the caller's switch or a clock.
///
/// Dropping it cancels the request, as dropping the transport's own body does.
pub(super) struct WatchedBody<T: Transport> {
    body: T::Body,
    watch: Watch<T>,
}

impl<T: Transport> WatchedBody<T> {
    pub(super) fn new(body: T::Body, watch: Watch<T>) -> Self {
        Self { body, watch }
    }

    /// The watch, to change what is watched.
    pub(super) fn watch(&mut self) -> &mut Watch<T> {
        &mut self.watch
    }

    pub(super) fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes>>> {
        if let Poll::Ready(stop) = self.watch.poll_stop(cx) {
            return Poll::Ready(Some(Err(stop)));
        }
        let chunk = Pin::new(&mut self.body).poll_next(cx);
        if chunk.is_ready() {
            self.watch.touch();
            return chunk;
        }
        self.watch.poll_idle(cx).map(|error| Some(Err(error)))
    }

    /// The whole body.
    ///
    /// # Errors
    /// `response-too-large`, and what a body can end with: `network`, `aborted`, `idle-timeout`,
    /// `total-timeout`.
    pub(super) async fn read_all(mut self, max_bytes: usize) -> Result<String> {
        let mut bytes = Vec::new();
        while let Some(chunk) = poll_fn(|cx| self.poll_chunk(cx)).await {
            let chunk = chunk?;
            if chunk.len() > max_bytes - bytes.len() {
                return Err(too_large(max_bytes));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(to_text(bytes))
    }

    /// As much of the body as comes within the bounds, whatever becomes of the rest.
    pub(super) async fn read_start(mut self, max_bytes: usize) -> String {
        let mut bytes = Vec::new();
        while let Some(Ok(chunk)) = poll_fn(|cx| self.poll_chunk(cx)).await {
            let room = max_bytes - bytes.len();
            bytes.extend(chunk.iter().take(room));
            if chunk.len() >= room {
                break;
            }
        }
        to_text(bytes)
    }
}

/// UTF-8 as browsers decode it: a leading byte order mark goes, what is malformed becomes U+FFFD.
fn to_text(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

fn too_large(max_bytes: usize) -> Error {
    Error::new(
        ErrorKind::ResponseTooLarge,
        format!("the response is larger than {max_bytes} bytes"),
    )
}
