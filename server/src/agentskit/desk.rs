//! Where submissions come in: each takes its session, then starts a turn or lets one go on.

use super::Fault;
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

    /// Gives back the sessions that an earlier run of the server left behind.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails.
    pub(crate) async fn release_left(turns: &Turns) -> Result<(), StoreError> {
        session::release_left(turns).await
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
        let agent = self.turns.agents().get(agent).cloned().ok_or(Fault::UnknownAgent)?;
        let desk = self.clone();
        let taking = tokio::spawn(async move { desk.take(&agent, submission, deadline).await });
        taking.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a submission broke");
            Err(Fault::Internal)
        })
    }

    async fn take(
        &self,
        agent: &Arc<Agent>,
        submission: Submission,
        deadline: Instant,
    ) -> Result<Lines, Fault> {
        let Submission { session: id, turn, input } = submission;
        // The name of an agent is its definition's, which has to be safe to echo.
        let definition = SafeId::new(&agent.name).map_err(|_| Fault::UnknownAgent)?;
        let key = SessionKey { scope: self.turns.scope(&agent.name), id: id.to_string() };
        let mut session = Session::load(self.turns.store(), key.clone(), id, definition).await?;
        if self.turns.is_stopping() {
            return Err(Fault::Stopping);
        }
        let conversation = self.turns.conversation(&key, None).await?;
        let intent = Intent::of(&input, &conversation, &View::of(&conversation)?)?;
        session.claim(turn.clone(), self.timeout + 3 * CLEANUP).await?;
        let live = match self.act(agent, &key, intent).await {
            Ok(live) => live,
            Err(fault) => {
                session.release(TurnOutcome::Indeterminate).await?;
                return Err(fault);
            }
        };
        let (outlet, lines) = outlet::way();
        let turns = self.turns.clone();
        tokio::spawn(Exchange { turns, session, key, turn, live, outlet, deadline }.run());
        Ok(lines)
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
