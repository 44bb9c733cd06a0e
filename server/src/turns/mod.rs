//! Turns that this process drives: starting, deciding, following, stopping.
//!
//! Every step is stored before anybody is told of it. A client that goes away does not stop a turn.

use crate::agents::{Agent, Agents};
use crate::engine::{Opening, Scope, SessionKey, Stamps, Turn};
use crate::store::{Decision, Driver, Store, StoreError, TurnRow};
use queue::{Place, Queue};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

pub(crate) use drive::INTERNAL;
pub(crate) use live::{Follower, LiveTurn};
pub(crate) use log::Phase;
pub(crate) use stamps::SystemStamps;

mod drive;
mod live;
mod log;
mod queue;
mod resume;
mod stamps;
mod stop;

/// The tenant of everything: this server has one.
const TENANT: &str = "default";

/// What turns are driven with.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The agents.
    pub agents: Agents,
    /// Where everything is kept.
    pub store: Store,
    /// Ids and times.
    pub stamps: Box<dyn Stamps>,
    /// Such as `production`; sessions and rules of environments are kept apart.
    pub environment: String,
    /// A pause before each call of the model or a tool, so that a person sees the steps.
    pub step_delay: Duration,
    /// Who drives the turns.
    pub driver: Driver,
}

/// All turns of this process; clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    parts: Parts,
    queue: Arc<Queue>,
    live: Mutex<HashMap<String, Arc<LiveTurn>>>,
    /// How many turns are being driven.
    driven: watch::Sender<usize>,
    is_stopping: watch::Sender<bool>,
}

/// What became of a decision.
#[derive(Debug)]
pub(crate) enum Decided {
    /// It was taken, and this turn goes on with it.
    Taken(Arc<LiveTurn>),
    /// It was taken, but the turn is not driven here.
    Untracked,
    /// Nothing of that id is pending.
    NotPending,
}

/// A turn with all it needs to be driven.
#[derive(Debug)]
struct Job {
    turn: Turn,
    row: TurnRow,
    agent: Arc<Agent>,
    live: Arc<LiveTurn>,
    place: Place,
}

impl Turns {
    /// Turns with these parts; none is running yet.
    #[must_use]
    pub(crate) fn new(parts: Parts) -> Self {
        Self {
            inner: Arc::new(Inner {
                parts,
                queue: Arc::default(),
                live: Mutex::default(),
                driven: watch::Sender::new(0),
                is_stopping: watch::Sender::new(false),
            }),
        }
    }

    /// The agents.
    #[must_use]
    pub(crate) fn agents(&self) -> &Agents {
        &self.inner.parts.agents
    }

    /// The store.
    #[must_use]
    pub(crate) fn store(&self) -> &Store {
        &self.inner.parts.store
    }

    /// A new id.
    #[must_use]
    pub(crate) fn new_id(&self) -> String {
        self.inner.parts.stamps.id()
    }

    /// Where an agent acts.
    #[must_use]
    pub(crate) fn scope(&self, agent: &str) -> Scope {
        Scope {
            tenant: TENANT.into(),
            environment: self.inner.parts.environment.clone(),
            agent: agent.into(),
        }
    }

    /// Starts a turn; it runs once the earlier ones of its session are over.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be stored; it does not run then.
    ///
    /// # Cancellation
    /// None: a turn that is stored is driven, even if nobody waits for this any more.
    pub(crate) async fn start(
        &self,
        agent: &Arc<Agent>,
        session_id: String,
        message: String,
    ) -> Result<Arc<LiveTurn>, StoreError> {
        let (turns, agent) = (self.clone(), Arc::clone(agent));
        unstoppable(async move { turns.store_and_drive(&agent, session_id, message).await }).await
    }

    /// Takes a decision, if the item is pending.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be stored; it is not taken then.
    ///
    /// # Cancellation
    /// None: the turn learns of a decision that is stored, even if nobody waits for this any more.
    pub(crate) async fn decide(&self, id: &str, decision: Decision) -> Result<Decided, StoreError> {
        let (turns, id) = (self.clone(), id.to_owned());
        unstoppable(async move { turns.store_and_ring(&id, &decision).await }).await
    }

    async fn store_and_drive(
        &self,
        agent: &Arc<Agent>,
        session_id: String,
        message: String,
    ) -> Result<Arc<LiveTurn>, StoreError> {
        let session = SessionKey { scope: self.scope(&agent.name), id: session_id };
        let (turn, progress) =
            Turn::open(Opening { session: session.clone(), limits: agent.limits, message });
        let place = self.inner.queue.take_place(&session);
        let id = self.new_id();
        let driver = self.inner.parts.driver;
        let row = self.store().open_turn(&id, driver, &turn, &progress).await?;
        let live = Arc::new(LiveTurn::new(id, session, progress.events));
        self.drive(Job { turn, row, agent: Arc::clone(agent), live: Arc::clone(&live), place });
        Ok(live)
    }

    async fn store_and_ring(&self, id: &str, decision: &Decision) -> Result<Decided, StoreError> {
        let Some(turn) = self.store().decide(id, decision).await? else {
            return Ok(Decided::NotPending);
        };
        // A turn that waits for a decision is live until it is told of that decision.
        let Some(live) = self.live().get(&turn).cloned() else {
            return Ok(Decided::Untracked);
        };
        live.decided.notify_one();
        Ok(Decided::Taken(live))
    }

    fn live(&self) -> MutexGuard<'_, HashMap<String, Arc<LiveTurn>>> {
        self.inner.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs to its end even if the caller is dropped, as axum drops a handler whose client is gone.
async fn unstoppable<T: Send + 'static>(
    future: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    let joined = tokio::spawn(future).await;
    joined.unwrap_or_else(|error| Err(StoreError::Corrupt(error.to_string())))
}
