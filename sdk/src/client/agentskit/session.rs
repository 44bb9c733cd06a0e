//! A session: a client, a snapshot cursor, and the turn under way between them.

use super::repeat::{Repeat, can_repeat};
use super::state::{Progress, TurnPhase, TurnState};
use super::{TurnClient, TurnInput};
use crate::agentskit::{SnapshotCursor, TurnEvent};
use crate::client::pace::Pace;
use crate::client::reconnect::is_refusal;
use crate::client::{CancelToken, RequestOptions, Transport};
use crate::store::{Store, Subscription};
use crate::{Error, ErrorKind, Result};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One session with an application, for user interfaces.
///
/// What its turns bring goes through a [`SnapshotCursor`] into the state, which subscribers are told
/// of: stale, repeated and foreign snapshots change nothing. Clones share the session.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: a server runs a turn of one id once and refuses
/// it with status 409 afterwards, as long as its claim of 45 seconds holds and longer if it ended. A
/// submission that breaks off is repeated under the same ids in the first 30 seconds; where the
/// answer is that refusal, or nothing can be had in time, the phase is
/// [`Interrupted`](TurnPhase::Interrupted), and whether to ask anew is the caller's to decide. How
/// often and when is the client's [`Reconnect`](super::super::Reconnect).
///
/// # Errors
/// `closed` after [`close`](Self::close).
///
/// # Cancellation
/// Dropping the future of [`submit`](Self::submit) is the same as [`stop`](Self::stop).
///
/// # Examples
/// ```
/// use turnwire::agentskit::SnapshotCursor;
/// use turnwire::client::{Transport, TurnClient, TurnSession};
/// # async fn show<T: Transport>(transport: T) -> turnwire::Result<()> {
/// let client = TurnClient::new(transport, "http://127.0.0.1:8787/agents/shop/turns")?;
/// let session = TurnSession::new(client, SnapshotCursor::new("s-1")?);
/// let subscription = session.subscribe(|state| println!("{} messages", state.messages.len()));
/// session.submit("hello").await?;
/// let saved = session.cursor().save()?;
/// # drop((subscription, saved)); Ok(()) }
/// ```
pub struct TurnSession<T>(Arc<Shared<T>>);

pub(super) struct Shared<T> {
    pub(super) client: TurnClient<T>,
    pub(super) store: Store<Progress>,
    control: Control,
}

/// What can be stopped.
#[derive(Debug, Default)]
struct Control(Mutex<UnderWay>);

#[derive(Debug, Default)]
struct UnderWay {
    is_closed: bool,
    /// Stops the turn under way.
    turn: Option<CancelToken>,
}

impl<T: Transport> TurnSession<T> {
    /// A session that goes on where the cursor is.
    #[must_use]
    pub fn new(client: TurnClient<T>, cursor: SnapshotCursor) -> Self {
        let store = Store::of(Progress::new(cursor));
        Self(Arc::new(Shared { client, store, control: Control::default() }))
    }

    /// The state that subscribers know; the same `Arc` until another one is published.
    #[must_use]
    pub fn snapshot(&self) -> Arc<TurnState> {
        self.0.store.snapshot()
    }

    /// The cursor as of now, to be saved.
    #[must_use]
    pub fn cursor(&self) -> SnapshotCursor {
        self.0.store.read(|progress| progress.cursor.clone())
    }

    /// Calls `listener` with every new state until the subscription is dropped: at once, but while
    /// a stream brings events at most once a frame of 16 ms.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn subscribe(
        &self,
        listener: impl Fn(&Arc<TurnState>) + Send + Sync + 'static,
    ) -> Subscription<TurnState> {
        self.0.store.subscribe(listener)
    }

    /// Calls `listener` with every new state until the subscription is dropped: at once, but while
    /// a stream brings events at most once a frame of 16 ms.
    #[cfg(target_arch = "wasm32")]
    pub fn subscribe(
        &self,
        listener: impl Fn(&Arc<TurnState>) + 'static,
    ) -> Subscription<TurnState> {
        self.0.store.subscribe(listener)
    }

    /// Submits a turn and follows it; done when the turn is over and the session free again.
    ///
    /// A turn that fails at the server is no error here: that is in the state, as is every error.
    ///
    /// # Errors
    /// `busy` while a turn is under way here; `aborted` after [`stop`](Self::stop); those of
    /// [`TurnClient::submit`] and of its stream. What broke a submission off is told in favour of
    /// what its repetition was refused with, but for 401 and 403.
    pub async fn submit(&self, input: impl Into<TurnInput>) -> Result<()> {
        let shared = &*self.0;
        let (session_id, sequence) = shared
            .store
            .read(|progress| (progress.cursor.session_id().clone(), progress.sequence()));
        let event = shared.client.submission(&session_id, sequence, input)?;
        let guard = TurnGuard::begin(shared, &event)?;
        let outcome = shared.play(&event, &guard.stop).await;
        guard.end(outcome)
    }

    /// Takes an event that came another way, such as the newest snapshot of a session whose page was
    /// loaded again or whose turn broke off; true if it is a newer snapshot of this session.
    ///
    /// The phase stays: it tells of the turn that was submitted here.
    #[expect(clippy::must_use_candidate, reason = "a stale event may be let go unasked")]
    pub fn apply(&self, event: TurnEvent) -> bool {
        self.0.store.update(|progress| progress.apply(event))
    }

    /// Stops the turn by leaving it; a server that notices ends it, and answers 409 to the next one
    /// until it has.
    pub fn stop(&self) {
        self.0.control.stop();
    }

    /// Stops what is under way and refuses what comes after. Closing twice is fine.
    pub fn close(&self) {
        self.0.control.lock().is_closed = true;
        self.0.control.stop();
    }

    pub(super) fn shared(&self) -> &Shared<T> {
        &self.0
    }
}

impl<T: Transport> Shared<T> {
    /// Sends the submission, again where that is safe and can help, until its turn is over.
    async fn play(&self, event: &TurnEvent, stop: &CancelToken) -> Result<()> {
        let options = RequestOptions { cancel: Some(stop.clone()), ..RequestOptions::default() };
        let mut repeat = Repeat::begin(self.client.transport(), self.client.reconnect);
        let mut broken: Option<Error> = None;
        loop {
            let Err(error) = self.attempt(event, &options, &mut repeat).await else {
                return Ok(());
            };
            self.store.update_quietly(|progress| progress.note(&error));
            if !can_repeat(&error) {
                let told = broken.filter(|_| !is_refusal(&error));
                return Err(told.unwrap_or(error));
            }
            let Some((attempt, wait)) = repeat.next(&error) else { return Err(error) };
            self.show(TurnPhase::Reconnecting { attempt });
            if !repeat.wait(wait, stop).await? {
                return Err(error);
            }
            broken = Some(error);
        }
    }

    async fn attempt(
        &self,
        event: &TurnEvent,
        options: &RequestOptions,
        repeat: &mut Repeat<'_, T>,
    ) -> Result<()> {
        let mut stream = self.client.submit(event, options).await?;
        if self.store.read(Progress::is_reconnecting) {
            self.show(TurnPhase::Streaming);
        }
        let mut pace = Pace::new(self.client.transport(), || self.store.publish_news());
        while let Some(line) = pace.until(stream.next()).await.transpose()? {
            if self.store.update_quietly(|progress| progress.take(line)) {
                repeat.progress();
            }
            pace.changed();
        }
        Ok(())
    }

    pub(super) fn show(&self, phase: TurnPhase) {
        self.store.update(|progress| progress.set_phase(phase));
    }
}

impl Control {
    /// # Errors
    /// `closed`, `busy`.
    fn begin(&self) -> Result<CancelToken> {
        let mut under_way = self.lock();
        if under_way.is_closed {
            return Err(Error::new(ErrorKind::Closed, "the session was closed"));
        }
        if under_way.turn.is_some() {
            return Err(Error::new(ErrorKind::Busy, "a turn is under way in this session"));
        }
        Ok(under_way.turn.insert(CancelToken::new()).clone())
    }

    fn stop(&self) {
        let turn = self.lock().turn.clone();
        if let Some(turn) = turn {
            turn.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, UnderWay> {
        // Every change under the lock is complete in itself, so a poisoned one is still sound.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn under way; dropping it without an outcome stops it.
pub(super) struct TurnGuard<'a, T: Transport> {
    shared: &'a Shared<T>,
    stop: CancelToken,
    is_over: bool,
}

impl<'a, T: Transport> TurnGuard<'a, T> {
    /// # Errors
    /// `closed`, `busy`.
    fn begin(shared: &'a Shared<T>, event: &TurnEvent) -> Result<Self> {
        let stop = shared.control.begin()?;
        shared.store.update(|progress| progress.begin(&event.turn_id));
        Ok(Self { shared, stop, is_over: false })
    }

    /// # Errors
    /// `closed`, `busy`.
    pub(super) fn look(shared: &'a Shared<T>) -> Result<Self> {
        let stop = shared.control.begin()?;
        shared.store.update(Progress::begin_look);
        Ok(Self { shared, stop, is_over: false })
    }

    pub(super) fn stop(&self) -> &CancelToken {
        &self.stop
    }

    pub(super) fn end(mut self, outcome: Result<()>) -> Result<()> {
        self.settle(&outcome);
        outcome
    }

    /// Frees the session for the next turn first: whoever hears of the end may submit it.
    fn settle(&mut self, outcome: &Result<()>) {
        if !std::mem::replace(&mut self.is_over, true) {
            self.shared.control.lock().turn = None;
            self.shared.store.update(|progress| progress.end(outcome));
        }
    }
}

impl<T: Transport> Drop for TurnGuard<'_, T> {
    fn drop(&mut self) {
        self.settle(&Err(Error::new(ErrorKind::Aborted, "the caller went away")));
    }
}

impl<T> Clone for TurnSession<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for TurnSession<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnSession").field("store", &self.0.store).finish_non_exhaustive()
    }
}
