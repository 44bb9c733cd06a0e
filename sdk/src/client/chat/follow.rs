//! Following one turn to its end, over as many streams as it takes.

use super::Shared;
use super::arrival::Arrival;
use super::control::{Reading, Switches};
use crate::chat::{Connection, Diagnostic};
use crate::client::pace::Pace;
use crate::client::platform::Lead;
use crate::client::reconnect::{Backoff, can_rejoin, is_refusal};
use crate::client::{EventStream, RequestOptions, Transport};
use crate::loopengine::EventFrame;
use crate::{Error, ErrorKind, Result};
use futures_util::future::{Either, select};
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

/// What a window tells last may arrive after the lock that it held is free.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A turn that is followed.
pub(super) struct Follow<'a, T: Transport> {
    pub(super) shared: &'a Shared<T>,
    pub(super) switches: Switches,
    pub(super) backoff: Backoff,
    /// The right to be the one window that reads the session's stream.
    lead: Option<Lead>,
    /// Whether that right was asked for.
    asked_to_lead: bool,
}

/// Where a turn's events come from.
pub(super) enum Line<T: Transport> {
    /// The response to its message, whose events are not numbered.
    Own(EventStream<T>),
    /// A stream that was joined behind the last whole event.
    Joined(EventStream<T>),
    /// None: the turn has to be joined.
    None,
}

/// Why a line brings no more events although the turn goes on.
enum Broken {
    /// It failed.
    By(Error),
    /// The platform says that it may be dead.
    Suspected,
}

impl<'a, T: Transport> Follow<'a, T> {
    pub(super) fn new(shared: &'a Shared<T>, switches: Switches) -> Self {
        let backoff = shared.client.backoff();
        Self { shared, switches, backoff, lead: None, asked_to_lead: false }
    }

    /// Applies every event of the turn once, whatever becomes of its streams.
    ///
    /// # Errors
    /// `aborted` where the person stopped it or the owner went away; what broke the last stream,
    /// where the turn cannot be joined or not in time; what the server says to the attempt, where it
    /// refuses the client itself.
    pub(super) async fn run(mut self, mut line: Line<T>) -> Result<()> {
        loop {
            let read = match line {
                Line::Own(stream) => self.apply_all(stream, false).await,
                Line::Joined(stream) => self.apply_all(stream, true).await,
                Line::None => Err(Broken::Suspected),
            };
            let broken = match read {
                Err(broken) if !self.is_over_without(&broken) => broken,
                _ => return Ok(()),
            };
            self.shared.control.renew_hurry(&mut self.switches);
            line = match self.join(broken).await? {
                Some(stream) => Line::Joined(stream),
                None => return Ok(()),
            };
        }
    }

    /// Whether the answer to a decision told the end of the turn before the stream did.
    fn is_over_without(&self, broken: &Broken) -> bool {
        let is_stopped = matches!(broken, Broken::By(error) if error.kind() == ErrorKind::Aborted);
        !is_stopped && self.shared.store.read(|chat| chat.is_turn_over())
    }

    async fn apply_all(
        &mut self,
        mut stream: EventStream<T>,
        numbered: bool,
    ) -> std::result::Result<(), Broken> {
        let shared = self.shared;
        let mut pace = Pace::new(shared.client.transport(), || shared.publish());
        let mut arrival = Arrival::new(self.shared.client.transport());
        let _reading = Reading::begin(&self.shared.control);
        self.diagnose(stream.take_diagnostics());
        loop {
            let next = arrival.watch(stream.next());
            let next = pace.until(self.or_hurry(next)).await.map_err(Broken::By)?;
            let Some(frame) = next.ok_or(Broken::Suspected)? else { break };
            let frame = frame.map_err(|error| self.broken(error, &stream))?;
            arrival.came();
            if self.apply(&frame, numbered).map_err(Broken::By)? {
                self.backoff.progress();
            }
            pace.changed();
            self.lead_if_free().await;
        }
        self.diagnose(arrival.end());
        Ok(())
    }

    /// Keeps other windows from reading the session's stream, too.
    async fn lead_if_free(&mut self) {
        if self.asked_to_lead || !self.shared.platform.has_peers() {
            return;
        }
        self.asked_to_lead = true;
        if let Some(session_id) = self.shared.session_id() {
            self.lead = self.shared.platform.lead(&session_id, false).await;
        }
    }

    /// Waits until no other window reads the session's stream: what that one reads arrives
    /// meanwhile. True if the turn is over by then.
    ///
    /// # Errors
    /// `aborted`.
    async fn wait_to_lead(&mut self, turn_id: &str) -> Result<bool> {
        let session_id = self.shared.session_id().filter(|_| self.shared.platform.has_peers());
        let Some(session_id) = session_id.filter(|_| self.lead.is_none()) else { return Ok(false) };
        self.asked_to_lead = true;
        self.lead = self.shared.platform.lead(&session_id, false).await;
        if self.lead.is_none() {
            self.hear_until_lead(&session_id, turn_id).await?;
        }
        Ok(self.shared.store.read(|chat| chat.is_turn_over()))
    }

    async fn hear_until_lead(&mut self, session_id: &str, turn_id: &str) -> Result<()> {
        self.show(Connection::Steady);
        self.shared.ask_for(turn_id, self.shared.store.update(|chat| chat.resume()));
        // A window that should lead and does not answer is not waited for.
        if let Some(lead) = self.or_hurry(self.shared.platform.lead(session_id, true)).await? {
            self.lead = lead;
            let last_words = self.shared.client.transport().sleep(LAST_WORDS);
            self.until_stop(last_words).await?;
        }
        self.shared.control.renew_hurry(&mut self.switches);
        Ok(())
    }

    /// True if the event is one that was not shown yet.
    fn apply(&self, frame: &EventFrame, numbered: bool) -> Result<bool> {
        let number = frame.id.as_deref().filter(|_| numbered).and_then(|id| id.parse().ok());
        let applied = self.shared.store.update_quietly(|conversation| match number {
            Some(number) => {
                let is_new = conversation.take_numbered(number, &frame.received)?;
                Ok::<_, Error>(is_new.then_some(number))
            }
            None => Ok(conversation.take_next(&frame.received)),
        })?;
        if let Some(number) = applied {
            self.shared.pass_on(number, &frame.json);
        }
        Ok(applied.is_some())
    }

    fn broken(&self, error: Error, stream: &EventStream<T>) -> Broken {
        if let (ErrorKind::IdleTimeout, Some(silence)) = (error.kind(), stream.heartbeat_limit()) {
            let silent_ms = u64::try_from(silence.as_millis()).unwrap_or(u64::MAX);
            self.diagnose([Diagnostic::NoHeartbeat { silent_ms }]);
        }
        Broken::By(error)
    }

    fn diagnose(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.shared.store.update_quietly(|conversation| conversation.diagnose(diagnostic));
        }
    }

    /// A stream behind the last whole event; none if the turn came to its end another way.
    async fn join(&mut self, broken: Broken) -> Result<Option<EventStream<T>>> {
        let turn_id = self.shared.store.read(|chat| chat.turn_id().map(str::to_owned));
        match (turn_id, broken) {
            (_, Broken::By(error)) if !can_rejoin(&error) => Err(error),
            (Some(turn_id), broken) => self.try_to_join(&turn_id, broken).await,
            (None, Broken::By(error)) => self.poll(error).await.map(|()| None),
            (None, Broken::Suspected) => self.poll(interrupted()).await.map(|()| None),
        }
    }

    async fn try_to_join(
        &mut self,
        turn_id: &str,
        broken: Broken,
    ) -> Result<Option<EventStream<T>>> {
        let (mut error, mut is_first) = match broken {
            Broken::By(error) => (error, false),
            Broken::Suspected => (interrupted(), true),
        };
        let broken = error.clone();
        if self.wait_to_lead(turn_id).await? {
            return Ok(None);
        }
        while can_rejoin(&error) {
            if !is_first && !self.wait_for_attempt(&error).await? {
                break;
            }
            if self.shared.store.read(|chat| chat.is_turn_over()) {
                return Ok(None);
            }
            is_first = false;
            let seen = self.shared.store.update(|conversation| conversation.resume());
            match self.join_behind(turn_id, seen).await {
                Ok(stream) => {
                    // Whether an event comes or a person is waited for, the line is there.
                    self.show(Connection::Steady);
                    return Ok(Some(stream));
                }
                Err(failed) => error = failed,
            }
        }
        if is_unknown_turn(&error) {
            return self.poll(broken).await.map(|()| None);
        }
        Err(if is_refusal(&error) { error } else { broken })
    }

    async fn join_behind(&self, turn_id: &str, seen: u64) -> Result<EventStream<T>> {
        let cancel = Some(self.switches.abort.clone());
        let options = RequestOptions { cancel, ..RequestOptions::default() };
        self.until_stop(self.shared.client.join(turn_id, seen, &options)).await?
    }

    /// Shows the next attempt and waits for it; false if there are to be no more.
    pub(super) async fn wait_for_attempt(&mut self, error: &Error) -> Result<bool> {
        let Some((attempt, wait)) = self.backoff.next(self.shared.client.transport(), error) else {
            return Ok(false);
        };
        self.show(Connection::Reconnecting { attempt });
        self.wait(wait).await?;
        Ok(true)
    }

    /// Waits, but less long if the platform says that trying now can help.
    ///
    /// # Errors
    /// `aborted`.
    pub(super) async fn wait(&mut self, wait: Duration) -> Result<()> {
        let sleep = self.shared.client.transport().sleep(wait);
        if self.or_hurry(sleep).await?.is_none() {
            self.backoff.progress();
            self.shared.control.renew_hurry(&mut self.switches);
        }
        Ok(())
    }

    pub(super) fn show(&self, connection: Connection) {
        self.shared.store.update(|conversation| conversation.set_connection(connection));
    }

    /// The future's output, or nothing if the platform is in a hurry first.
    ///
    /// # Errors
    /// `aborted` if the chat is stopped meanwhile.
    async fn or_hurry<F: Future>(&self, future: F) -> Result<Option<F::Output>> {
        let hurry = pin!(self.switches.hurry.cancelled());
        let future = pin!(future);
        match self.until_stop(select(future, hurry)).await? {
            Either::Left((output, _)) => Ok(Some(output)),
            Either::Right(((), _)) => Ok(None),
        }
    }

    /// # Errors
    /// `aborted` if the chat is stopped or closed meanwhile.
    pub(super) async fn until_stop<F: Future>(&self, future: F) -> Result<F::Output> {
        let (stop, abort) = (self.switches.stop.cancelled(), self.switches.abort.cancelled());
        let ended = pin!(select(stop, abort));
        // The switches come first: what has arrived by then is not wanted any more.
        match select(ended, pin!(future)).await {
            Either::Left(_) => Err(Error::new(ErrorKind::Aborted, "stopped by the caller")),
            Either::Right((output, _)) => Ok(output),
        }
    }
}

/// Whether the server does not keep the turn's events, or knows no such routes.
fn is_unknown_turn(error: &Error) -> bool {
    matches!(error.status(), Some(404 | 405 | 410 | 501))
}

fn interrupted() -> Error {
    Error::new(ErrorKind::StreamInterrupted, "the stream ended before the turn did")
}
