//! Turns that this process drives: starting, deciding, following, stopping.
//!
//! Every step is stored before anybody is told of it. A client that goes away does not stop a turn.

use crate::agents::{Agent, Agents};
use crate::engine::{Opening, Scope, SessionKey, Stamps, Turn};
use crate::store::{Decision, Driver, Key, Met, Store, StoreError, Stored, TurnRow};
use queue::{Place, Queue};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

pub(crate) use conversation::{Conversation, State};
pub(crate) use current::Current;
pub(crate) use drive::INTERNAL;
pub(crate) use live::{Follower, LiveTurn};
pub(crate) use log::Phase;
pub(crate) use stamps::SystemStamps;

mod conversation;
mod current;
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
    starting: tokio::sync::Mutex<()>,
    live: Mutex<HashMap<String, Arc<LiveTurn>>>,
    /// Turns that this process cannot go on with, so that nobody is sent to wait for them.
    broken: Mutex<HashSet<String>>,
    /// How many turns are being driven.
    driven: watch::Sender<usize>,
    is_stopping: watch::Sender<bool>,
}

/// A message that starts a turn.
#[derive(Debug)]
pub(crate) struct Message {
    /// Its session; a new one where there is none.
    pub session: Option<String>,
    /// What the user wrote.
    pub text: String,
    /// The name that the client gave it.
    pub key: Option<String>,
}

/// What a message led to.
#[derive(Debug)]
pub(crate) enum Started {
    /// This turn, which the same message may have started before.
    Turn(Arc<LiveTurn>),
    /// Its name was given to another message before.
    KeyTaken,
}

/// What became of a decision.
#[derive(Debug)]
pub(crate) enum Decided {
    /// It stands, and this turn goes on with it.
    Taken(Arc<LiveTurn>),
    /// It was taken, but the turn is not driven here.
    Untracked,
    /// Another decision stands.
    Other(Decision),
    /// Nobody decided in time.
    Expired,
    /// The turn is over without a decision.
    Over,
    /// There is no such item.
    Unknown,
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
                starting: tokio::sync::Mutex::default(),
                live: Mutex::default(),
                broken: Mutex::default(),
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

    /// Starts a turn; it runs once the earlier ones of its session are over. A message whose name
    /// has started a turn before joins that turn.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be stored; it does not run then.
    ///
    /// # Cancellation
    /// None: a turn that is stored is driven, even if nobody waits for this any more.
    pub(crate) async fn start(
        &self,
        agent: &Arc<Agent>,
        message: Message,
    ) -> Result<Started, StoreError> {
        let (turns, agent) = (self.clone(), Arc::clone(agent));
        unstoppable(async move { turns.join_or_open(&agent, message).await }).await
    }

    /// The turn of this id, running or over.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn find(&self, id: &str) -> Result<Option<Arc<LiveTurn>>, StoreError> {
        if let Some(live) = self.live_turn(id) {
            return Ok(Some(live));
        }
        let Some(Stored { turn, events }) = self.store().turn(id).await? else { return Ok(None) };
        Ok(Some(Arc::new(LiveTurn::at_rest(id.into(), &turn, events))))
    }

    /// Stops a turn: no call starts any more, and it ends as failed.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be stored; the turn goes on then.
    ///
    /// # Cancellation
    /// None: a turn learns of a stop that is stored, even if nobody waits for this any more.
    pub(crate) async fn cancel(&self, turn: &Arc<LiveTurn>) -> Result<(), StoreError> {
        let (turns, turn) = (self.clone(), Arc::clone(turn));
        unstoppable(async move {
            if turns.store().cancel(turn.id()).await? {
                turn.cancel();
            }
            Ok(())
        })
        .await
    }

    /// Drops the events of turns that ended longer ago than `age`.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn drop_old_events(&self, age: Duration) -> Result<(), StoreError> {
        let dropped = self.store().drop_events(age).await?;
        if dropped > 0 {
            tracing::info!(dropped, "dropped events of old turns");
        }
        Ok(())
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

    async fn join_or_open(
        &self,
        agent: &Arc<Agent>,
        message: Message,
    ) -> Result<Started, StoreError> {
        let scope = self.scope(&agent.name);
        let key = message.key.map(|name| Key {
            name,
            request: json!({"message": message.text, "sessionId": message.session}).to_string(),
        });
        // Of two messages of one name, the second has to find the first one's turn alive.
        let _one_at_a_time = self.inner.starting.lock().await;
        if let Some(key) = &key
            && let Some((request, turn)) = self.store().keyed(&scope, &key.name).await?
        {
            return match self.find(&turn).await? {
                Some(turn) if request == key.request => Ok(Started::Turn(turn)),
                _ => Ok(Started::KeyTaken),
            };
        }
        let id = message.session.unwrap_or_else(|| self.new_id());
        let session = SessionKey { scope, id };
        let live = self.store_and_drive(agent, session, message.text, key.as_ref()).await?;
        Ok(Started::Turn(live))
    }

    async fn store_and_drive(
        &self,
        agent: &Arc<Agent>,
        session: SessionKey,
        message: String,
        key: Option<&Key>,
    ) -> Result<Arc<LiveTurn>, StoreError> {
        let (turn, progress) =
            Turn::open(Opening { session: session.clone(), limits: agent.limits, message });
        let place = self.inner.queue.take_place(&session);
        let id = self.new_id();
        let driver = self.inner.parts.driver;
        let row = self.store().open_turn(&id, driver, &turn, &progress, key).await?;
        let live = Arc::new(LiveTurn::new(id, &turn, progress.events));
        self.drive(Job { turn, row, agent: Arc::clone(agent), live: Arc::clone(&live), place });
        Ok(live)
    }

    async fn store_and_ring(&self, id: &str, decision: &Decision) -> Result<Decided, StoreError> {
        let turn = match self.store().decide(id, decision).await? {
            Met::Pending(turn) => turn,
            Met::Same(turn) => return self.decided_before(&turn).await,
            Met::Other(standing) => return Ok(Decided::Other(standing)),
            Met::Expired => return Ok(Decided::Expired),
            Met::Over => return Ok(Decided::Over),
            Met::Nothing => return Ok(Decided::Unknown),
        };
        // A turn that waits for a decision is live until it is told of that decision.
        let Some(live) = self.live_turn(&turn) else {
            return Ok(Decided::Untracked);
        };
        live.decided.notify_one();
        Ok(Decided::Taken(live))
    }

    /// The same decision again gets the same answer again, while the turn's events are kept.
    async fn decided_before(&self, turn: &str) -> Result<Decided, StoreError> {
        Ok(match self.find(turn).await? {
            Some(turn) if !turn.events().is_empty() => Decided::Taken(turn),
            _ => Decided::Untracked,
        })
    }

    /// The turn of this id, if this process drives it.
    #[must_use]
    pub(crate) fn live_turn(&self, id: &str) -> Option<Arc<LiveTurn>> {
        self.live().get(id).cloned()
    }

    fn broken(&self) -> MutexGuard<'_, HashSet<String>> {
        self.inner.broken.lock().unwrap_or_else(PoisonError::into_inner)
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
