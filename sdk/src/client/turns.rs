//! Turns by their ids, on a server that keeps their events.

use super::events::EventStream;
use super::loopengine::LoopClient;
use super::reconnect::Backoff;
use super::request::{Draft, RequestOptions};
use super::transport::{Method, Transport, unique_name};
use crate::json::{self, type_name};
use crate::{Error, ErrorKind, Result};
use serde_json::Value;

/// Where a turn stands, as `GET /turns/:id` tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnInfo {
    /// How many events it has had.
    pub events: usize,
    /// What its message says, where the server tells.
    pub message: Option<String>,
}

impl<T: Transport> LoopClient<T> {
    /// Joins a turn's stream behind its first `seen` events; done when the stream is open.
    ///
    /// # Protocol
    /// Not part of Protocol v1: Turnwire's server numbers the events of a turn from 0 and names the
    /// turn in the header `x-turnwire-turn`, see [`EventStream::turn_id`].
    ///
    /// # Errors
    /// Those of [every call](Self); `http-status` with 404 for a turn that the server does not know,
    /// 410 for one whose events it no longer keeps, 400 for more events than the turn has.
    pub async fn join(
        &self,
        turn_id: &str,
        seen: u64,
        options: &RequestOptions,
    ) -> Result<EventStream<T>> {
        let path = &["turns", turn_id, "stream"];
        let mut options = options.clone();
        if let Some(last) = seen.checked_sub(1) {
            options.headers.push(("last-event-id".into(), last.to_string()));
        }
        let draft = Draft { method: Method::Get, path, body: None };
        let (headers, body) = self.endpoint.events(draft, &options).await?;
        Ok(EventStream::new(&headers, body, &self.endpoint.limits))
    }

    /// Asks the server to stop a turn; done when it is over. A turn that was over stays as it is.
    ///
    /// # Protocol
    /// Not part of Protocol v1, as [`join`](Self::join).
    ///
    /// # Errors
    /// Those of [every call](Self); `http-status` with 404 for a turn that the server does not know.
    pub async fn cancel(&self, turn_id: &str, options: &RequestOptions) -> Result<()> {
        let draft = Draft { method: Method::Post, path: &["turns", turn_id, "cancel"], body: None };
        let limit = self.endpoint.timeouts.connect;
        self.exchange(draft, limit, options, |_| Ok(())).await.map(|_| ())
    }

    /// Asks where a turn stands.
    ///
    /// # Protocol
    /// Not part of Protocol v1, as [`join`](Self::join).
    ///
    /// # Errors
    /// As for [`join`](Self::join).
    pub async fn turn(&self, turn_id: &str, options: &RequestOptions) -> Result<TurnInfo> {
        let draft = Draft { method: Method::Get, path: &["turns", turn_id], body: None };
        let limit = self.endpoint.timeouts.connect;
        Ok(self.exchange(draft, limit, options, turn_info).await?.value)
    }

    pub(super) fn backoff(&self) -> Backoff {
        Backoff::new(self.reconnect)
    }

    /// A name for a message that nobody else gives.
    pub(super) fn new_name(&self) -> String {
        unique_name(self.transport())
    }

    /// Whether the server is another one than the page's, as browsers have it.
    pub(super) fn is_foreign(&self) -> bool {
        self.transport().is_foreign(self.address())
    }

    /// The server's address, without a slash at its end.
    #[must_use]
    pub fn address(&self) -> &str {
        self.endpoint.base.as_str()
    }

    /// # Errors
    /// `invalid-argument` for a message that cannot be sent.
    pub(super) fn check_message(&self, message: &str) -> Result<()> {
        self.message_body(message, &RequestOptions::default()).map(drop)
    }

    pub(super) fn transport(&self) -> &T {
        &self.endpoint.transport
    }
}

fn turn_info(text: &str) -> Result<TurnInfo> {
    let turn = json::parse(text)?;
    let events = turn.get("events").and_then(Value::as_u64);
    let message = turn.get("message").and_then(Value::as_str).map(str::to_owned);
    match events.and_then(|events| usize::try_from(events).ok()) {
        Some(events) => Ok(TurnInfo { events, message }),
        None => Err(Error::new(
            ErrorKind::InvalidResponse,
            format!("expected a turn with its number of events, found {}", type_name(&turn)),
        )),
    }
}
