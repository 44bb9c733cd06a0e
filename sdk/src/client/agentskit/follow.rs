//! Following a session by its newest snapshot, where no stream tells of its turn.

use super::session::{Shared, TurnGuard};
use super::{TurnClient, TurnPhase, TurnSession};
use crate::agentskit::{TurnEvent, decode_turn_event};
use crate::client::CancelToken;
use crate::client::endpoint::Endpoint;
use crate::client::reconnect::{Backoff, can_rejoin};
use crate::client::request::{BaseUrl, Draft, RequestOptions};
use crate::client::transport::{Method, Transport};
use crate::{Error, ErrorKind, Result};
use futures_util::future::{Either, select};
use std::time::Duration;

/// How long after one look the next one follows, while the turn goes on.
const PAUSE: Duration = Duration::from_millis(500);

impl<T: Transport> TurnClient<T> {
    /// Fetches the newest snapshot of a session from its own address.
    ///
    /// # Protocol
    /// Not part of the protocol: Turnwire's server gives it as one line under
    /// `/agents/:name/sessions/:id/snapshot`.
    ///
    /// # Errors
    /// Those of [every call](Self); `http-status` with 404 for a session in which nothing was said;
    /// `invalid-response` for what is no snapshot.
    pub async fn newest(&self, url: &str, options: &RequestOptions) -> Result<TurnEvent> {
        let endpoint = Endpoint { base: BaseUrl::of_route(url)?, ..self.endpoint.clone() };
        let draft = Draft { method: Method::Get, path: &[], body: None };
        let body = endpoint.ndjson(draft, options).await?;
        let text = body.read_all(endpoint.limits.max_response_bytes).await?;
        let event =
            decode_turn_event(text.as_str()).map_err(|diagnostic| misshapen(&diagnostic))?;
        match event.snapshot() {
            Some(_) => Ok(event),
            None => Err(misshapen(&"an event that is none")),
        }
    }
}

impl<T: Transport> TurnSession<T> {
    /// Takes over the newest snapshot of the session, from its own address, and looks again until
    /// its turn is over: for a page that was loaded again, and for a turn that broke off.
    ///
    /// It is under way as a turn is: [`stop`](Self::stop) ends it, and the phase is
    /// [`Streaming`](TurnPhase::Streaming) while the session's turn goes on.
    ///
    /// # Protocol
    /// Our choice, as the protocol never tells a turn again: see [`TurnClient::newest`]. What this
    /// gets is newer than what the session holds under the same number.
    ///
    /// # Errors
    /// `busy` while a turn is under way here; `aborted` after a stop; those of
    /// [`TurnClient::newest`], where asking again does not help or did not.
    ///
    /// # Cancellation
    /// Dropping the future is the same as [`stop`](Self::stop).
    ///
    /// # Examples
    /// ```
    /// # use turnwire::client::{Transport, TurnSession};
    /// # async fn show<T: Transport>(session: &TurnSession<T>) -> turnwire::Result<()> {
    /// session.follow("http://127.0.0.1:8787/agents/shop/sessions/s-1/snapshot").await?;
    /// println!("{} messages", session.snapshot().messages.len());
    /// # Ok(()) }
    /// ```
    pub async fn follow(&self, url: &str) -> Result<()> {
        let shared = self.shared();
        let guard = TurnGuard::look(shared)?;
        let outcome = shared.look(url, guard.stop()).await;
        guard.end(outcome)
    }
}

impl<T: Transport> Shared<T> {
    async fn look(&self, url: &str, stop: &CancelToken) -> Result<()> {
        let options = RequestOptions { cancel: Some(stop.clone()), ..RequestOptions::default() };
        let mut backoff = Backoff::new(self.client.reconnect);
        loop {
            let pause = match self.client.newest(url, &options).await {
                Ok(event) => {
                    backoff.progress();
                    if !self.store.update(|progress| progress.look(event)) {
                        return Ok(());
                    }
                    PAUSE
                }
                Err(error) => self.pause_after(error, &mut backoff)?,
            };
            self.pause(pause, stop).await?;
        }
    }

    /// # Errors
    /// The error, where looking again does not help any more.
    fn pause_after(&self, error: Error, backoff: &mut Backoff) -> Result<Duration> {
        if !can_rejoin(&error) {
            return Err(error);
        }
        match backoff.next(self.client.transport(), &error) {
            Some((attempt, pause)) => {
                self.show(TurnPhase::Reconnecting { attempt });
                Ok(pause)
            }
            None => Err(error),
        }
    }

    async fn pause(&self, pause: Duration, stop: &CancelToken) -> Result<()> {
        match select(stop.cancelled(), self.client.transport().sleep(pause)).await {
            Either::Left(_) => Err(Error::new(ErrorKind::Aborted, "stopped by the caller")),
            Either::Right(_) => Ok(()),
        }
    }
}

fn misshapen(found: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidResponse, format!("expected a snapshot: {found}"))
}
