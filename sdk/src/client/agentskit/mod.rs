//! The client of AgentsKit's turn protocol.

use super::endpoint::Endpoint;
use super::header_source::HeaderSource;
use super::reconnect::Reconnect;
use super::request::{BaseUrl, Draft, RequestOptions, bounded, invalid};
use super::timeouts::Timeouts;
use super::transport::{Method, Transport, unique_name};
use crate::agentskit::{SafeId, Submission, Timestamp, TurnEvent, TurnPayload, encode_turn_event};
use crate::{Limits, Result};
use std::fmt;

pub use input::TurnInput;
pub use session::TurnSession;
pub use state::{DamagedLine, TurnPhase, TurnState};
pub use stream::{TurnLine, TurnStream};

mod follow;
mod input;
mod repeat;
mod session;
mod state;
mod stream;

/// Submits turns to one route and reads their events.
///
/// It keeps no state of a session: [`TurnSession`] does, and takes over what breaks off.
///
/// # Protocol
/// AgentsKit turn protocol v1 over HTTP, observed in AgentsKit-io/agentskit-chat@9836963: one POST a
/// turn, answered with one event a line. Nothing there prescribes a path.
///
/// # Errors
/// Every call can end with:
/// - `invalid-argument`, before anything is sent: an event that is no submission, an input over
///   [`Limits::max_message_bytes`], a header that cannot be sent;
/// - `headers-failed` where the [function](HeaderSource) that gives its headers fails;
/// - `http-status` for a status outside 2xx, with [what the server said](crate::Error::http): 409
///   where another turn is active in the session, or this one was taken before;
/// - `unexpected-content-type` and `invalid-response` for a success that is not the protocol's;
/// - `network`, `connect-timeout`, `total-timeout`, `aborted`.
///
/// # Cancellation
/// Dropping a call's future or its stream, or switching [`RequestOptions::cancel`], cancels the
/// request. A server that notices ends the turn.
///
/// # Examples
/// ```
/// use turnwire::agentskit::SafeId;
/// use turnwire::client::{RequestOptions, Transport, TurnClient};
///
/// async fn ask<T: Transport>(transport: T) -> turnwire::Result<()> {
///     let client = TurnClient::new(transport, "http://127.0.0.1:8787/agents/shop/turns")?;
///     let event = client.submission(&SafeId::new("s-1")?, 0, "hello")?;
///     let mut stream = client.submit(&event, &RequestOptions::default()).await?;
///     while let Some(line) = stream.next().await {
///         println!("{:?}", line?.event);
///     }
///     Ok(())
/// }
/// ```
pub struct TurnClient<T> {
    endpoint: Endpoint<T>,
    reconnect: Reconnect,
}

impl<T: Transport> TurnClient<T> {
    /// A client of the turn route at this address.
    ///
    /// `url` starts with `http://` or `https://`; in browsers it may also be a path of the page's own
    /// origin. It is sent as it is, a query too.
    ///
    /// # Errors
    /// `invalid-argument` for any other address, and for one with a fragment.
    pub fn new(transport: T, url: &str) -> Result<Self> {
        let endpoint = Endpoint::new(transport, BaseUrl::of_route(url)?);
        Ok(Self { endpoint, reconnect: Reconnect::default() })
    }

    /// Sets the headers of every request; those of a call replace them, whatever the case.
    ///
    /// # Errors
    /// `invalid-argument` for a name or a value that cannot be sent.
    pub fn with_headers(mut self, headers: Vec<(String, String)>) -> Result<Self> {
        self.endpoint.set_headers(headers)?;
        Ok(self)
    }

    /// Sets a function that is asked for the headers of each request; they replace the
    /// [static ones](Self::with_headers) of the same name.
    #[must_use]
    pub fn with_header_source(mut self, source: HeaderSource) -> Self {
        self.endpoint.header_source = Some(source);
        self
    }

    /// Sets how long to wait for what.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.endpoint.timeouts = timeouts;
        self
    }

    /// Sets how much is taken in and sent.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.endpoint.limits = limits;
        self
    }

    /// Sets how a [`TurnSession`] repeats submissions that broke off.
    #[must_use]
    pub fn with_reconnect(mut self, reconnect: Reconnect) -> Self {
        self.reconnect = reconnect;
        self
    }

    /// The event that submits an input under names of its own.
    ///
    /// `sequence` is where the sender stands in the session; servers do not look at it.
    ///
    /// # Errors
    /// `invalid-argument` for a blank input and one over [`Limits::max_message_bytes`].
    pub fn submission(
        &self,
        session_id: &SafeId,
        sequence: u64,
        input: impl Into<TurnInput>,
    ) -> Result<TurnEvent> {
        let input = input.into().into_text();
        bounded("input", &input, self.endpoint.limits.max_message_bytes)?;
        let event = TurnEvent {
            event_id: SafeId::new(unique_name(self.transport()))?,
            session_id: session_id.clone(),
            turn_id: SafeId::new(unique_name(self.transport()))?,
            sequence,
            emitted_at: Timestamp::from_unix_ms(self.transport().unix_ms()),
            payload: TurnPayload::Submit(Submission { input }),
        };
        encode_turn_event(&event).map(|_| event)
    }

    /// Submits a turn; done when the stream of its events is open.
    ///
    /// Of the options, headers and the switch count.
    ///
    /// # Errors
    /// Those of [every call](Self). The stream's own come from the stream.
    pub async fn submit(
        &self,
        event: &TurnEvent,
        options: &RequestOptions,
    ) -> Result<TurnStream<T>> {
        let TurnPayload::Submit(Submission { input }) = &event.payload else {
            return Err(invalid("event: expected a submission"));
        };
        bounded("input", input, self.endpoint.limits.max_message_bytes)?;
        let body = Some(encode_turn_event(event)?);
        let draft = Draft { method: Method::Post, path: &[], body };
        let body = self.endpoint.ndjson(draft, options).await?;
        Ok(TurnStream::new(event, body, &self.endpoint.limits))
    }

    fn transport(&self) -> &T {
        &self.endpoint.transport
    }
}

impl<T> Clone for TurnClient<T> {
    fn clone(&self) -> Self {
        Self { endpoint: self.endpoint.clone(), reconnect: self.reconnect }
    }
}

impl<T> fmt::Debug for TurnClient<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnClient")
            .field("timeouts", &self.endpoint.timeouts)
            .field("limits", &self.endpoint.limits)
            .finish_non_exhaustive()
    }
}
