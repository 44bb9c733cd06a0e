//! The client of AgentsKit's turn protocol.

use super::endpoint::Endpoint;
use super::reconnect::Reconnect;
use super::request::{BaseUrl, Draft, RequestOptions, bounded, invalid};
use super::settings::client_settings;
use super::transport::{Method, Transport, unique_name};
use crate::Result;
use crate::agentskit::{SafeId, Submission, Timestamp, TurnEvent, TurnPayload, encode_turn_event};

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
///   [`max_message_bytes`](crate::Limits::max_message_bytes), a header that cannot be sent;
/// - `headers-failed` where the [function](super::HeaderSource) that gives its headers fails;
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

client_settings!(TurnClient);

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

    /// The event that submits an input under names of its own.
    ///
    /// `sequence` is where the sender stands in the session; servers do not look at it.
    ///
    /// # Errors
    /// `invalid-argument` for a blank input and one over [`max_message_bytes`](crate::Limits::max_message_bytes).
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
