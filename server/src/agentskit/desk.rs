//! Where submissions come in: each takes its session, then starts a turn or lets one go on.

use super::Fault;
use super::events::Events;
use super::exchange::Exchange;
use super::intent::Intent;
use super::outlet::{self, Lines};
use super::session::{self, Session};
use super::view::View;
use crate::agents::Agent;
use crate::engine::SessionKey;
use crate::store::StoreError;
use crate::turns::{Decided, LiveTurn, Message, Started, Turns};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use turnwire::agentskit::{SafeId, TurnOutcome};

/// How long each step of the cleaning up may take.
///
/// # Protocol
/// AgentsKit's default.
pub(super) const CLEANUP: Duration = Duration::from_secs(5);

/// A user's message, and the turn that it starts.
#[derive(Debug, Clone)]
pub(crate) struct Submission {
    /// The session.
    pub session: SafeId,
    /// The turn.
    pub turn: SafeId,
    /// What the user wrote, or a component's event.
    pub input: String,
}

/// Takes submissions; clones are the same desk.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    turns: Turns,
    timeout: Duration,
}

impl Desk {
    /// A desk whose turns may take so long.
    #[must_use]
    pub(crate) fn new(turns: Turns, timeout: Duration) -> Self {
        Self { turns, timeout }
    }

    /// Goes on with the sessions that an earlier run of the server left behind: a turn of the engine
    /// that goes on keeps its session as if nothing had happened, and any other is given back.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails.
    pub(crate) async fn resume(&self) -> Result<(), StoreError> {
        for (session, turn) in session::left(self.turns.store()).await? {
            let id = session.key().id.clone();
            if let Err(fault) = self.take_up(session, turn).await {
                tracing::warn!(?fault, session = id, "a session could not be taken up again");
            }
        }
        Ok(())
    }

    /// Until when a request that arrives now has to be done.
    #[must_use]
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.timeout
    }

    /// Starts the turn of a submission and tells of it until the deadline.
    ///
    /// # Errors
    /// [`Fault`]; nothing has been started then.
    ///
    /// # Cancellation
    /// None: a session that is taken is given back, even if nobody waits for this any more.
    pub(crate) async fn submit(
        &self,
        agent: &str,
        submission: Submission,
        deadline: Instant,
    ) -> Result<Lines, Fault> {
        let agent = self.agent(agent)?;
        let desk = self.clone();
        let taking = tokio::spawn(async move { desk.take(&agent, submission, deadline).await });
        taking.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a submission broke");
            Err(Fault::Internal)
        })
    }

    async fn take_up(&self, mut session: Session, turn: SafeId) -> Result<(), Fault> {
        let key = session.key().clone();
        let conversation = self.turns.conversation(&key, None).await?;
        let live = conversation.turn.and_then(|standing| self.turns.live_turn(&standing.id));
        if live.is_none() {
            return session.release(TurnOutcome::Indeterminate).await;
        }
        session.keep(self.lease()).await?;
        self.tell(session, turn, live, self.deadline());
        Ok(())
    }

    async fn take(
        &self,
        agent: &Arc<Agent>,
        submission: Submission,
        deadline: Instant,
    ) -> Result<Lines, Fault> {
        let Submission { session, turn, input } = submission;
        let mut session = self.session(&agent.name, session).await?;
        let key = session.key().clone();
        if self.turns.is_stopping() {
            return Err(Fault::Stopping);
        }
        let conversation = self.turns.conversation(&key, None).await?;
        let intent = Intent::of(&input, &conversation, &View::of(&conversation)?)?;
        session.claim(turn.clone(), self.lease()).await?;
        let live = match self.act(agent, &key, intent).await {
            Ok(live) => live,
            Err(fault) => {
                session.release(TurnOutcome::Indeterminate).await?;
                return Err(fault);
            }
        };
        Ok(self.tell(session, turn, live, deadline))
    }

    /// Tells of a turn on a task of its own, whether anybody reads that or not.
    fn tell(
        &self,
        session: Session,
        turn: SafeId,
        live: Option<Arc<LiveTurn>>,
        deadline: Instant,
    ) -> Lines {
        let (outlet, lines) = outlet::way();
        let turns = self.turns.clone();
        tokio::spawn(Exchange { turns, session, turn, live, outlet, deadline }.run());
        lines
    }

    fn lease(&self) -> Duration {
        self.timeout + 3 * CLEANUP
    }

    /// The newest snapshot of a session, for a client that has none or has lost its stream.
    ///
    /// # Errors
    /// [`Fault`]; `UnknownSession` where nothing was said in it.
    pub(crate) async fn snapshot(&self, agent: &str, session: &str) -> Result<String, Fault> {
        let agent = self.agent(agent)?;
        let id = SafeId::new(session).map_err(|_| Fault::UnknownSession)?;
        // What is said is newer than what is counted: nothing is told under a number of the future.
        let session = self.session(&agent.name, id).await?;
        let conversation = self.turns.conversation(session.key(), None).await?;
        let standing = conversation.turn.as_ref().ok_or(Fault::UnknownSession)?;
        let turn = match session.latest_turn() {
            Some(turn) => turn.clone(),
            None => SafeId::new(&standing.id)?,
        };
        let events = Events { turns: &self.turns, session: &session, turn: &turn };
        events.snapshot(&View::of(&conversation)?)
    }

    fn agent(&self, name: &str) -> Result<Arc<Agent>, Fault> {
        self.turns.agents().get(name).cloned().ok_or(Fault::UnknownAgent)
    }

    async fn session(&self, agent: &str, id: SafeId) -> Result<Session, Fault> {
        // The name of an agent is its definition's, which has to be safe to echo.
        let definition = SafeId::new(agent).map_err(|_| Fault::UnknownAgent)?;
        let key = SessionKey { scope: self.turns.scope(agent), id: id.to_string() };
        Session::load(self.turns.store(), key, id, definition).await
    }

    /// The turn that goes on now, if one does.
    async fn act(
        &self,
        agent: &Arc<Agent>,
        key: &SessionKey,
        intent: Intent,
    ) -> Result<Option<Arc<LiveTurn>>, Fault> {
        match intent {
            Intent::Say(text) => {
                let message = Message { session: Some(key.id.clone()), text, key: None };
                match self.turns.start(agent, message).await? {
                    Started::Turn(turn) => Ok(Some(turn)),
                    Started::KeyTaken => Err(Fault::Internal),
                }
            }
            Intent::Decide { item, decision } => match self.turns.decide(&item, decision).await? {
                Decided::Taken(turn) => Ok(Some(turn)),
                Decided::Untracked
                | Decided::Other(_)
                | Decided::Expired
                | Decided::Over
                | Decided::Unknown => Ok(None),
            },
            Intent::Look => Ok(None),
        }
    }
}
