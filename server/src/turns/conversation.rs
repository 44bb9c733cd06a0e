//! A session as those see it who talk in it: what was said, and where its turn stands.

use super::Turns;
use crate::engine::SessionKey;
use crate::store::{Said, Standing, StoreError};
use turnwire::loopengine::LoopEvent;

/// A session at one moment.
#[derive(Debug)]
pub(crate) struct Conversation {
    /// Its messages, oldest first.
    pub said: Vec<Said>,
    /// The turn that was asked for, or the one that the session is at.
    pub turn: Option<Standing>,
    /// Where that turn stands; a session without turns has nothing to wait for.
    pub state: State,
}

/// Where a turn stands, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It goes on by itself.
    Running,
    /// It waits for somebody's decision.
    Waiting,
    /// It is over.
    Over,
    /// It broke off.
    Failed,
}

impl Turns {
    /// A session's messages, and its turn of the id `turn`, or else the first one that is not over,
    /// or else the last one.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn conversation(
        &self,
        key: &SessionKey,
        turn: Option<&str>,
    ) -> Result<Conversation, StoreError> {
        let mut moment = self.store().conversation(key, turn).await?;
        let at = match turn {
            Some(id) => moment.turns.iter().position(|standing| standing.id == id),
            None => moment.turns.iter().position(|standing| self.goes_on(standing)),
        };
        let last = moment.turns.len().checked_sub(1);
        let turn = at.or(last).map(|at| moment.turns.swap_remove(at));
        let state = turn.as_ref().map_or(State::Over, |standing| self.state(standing));
        Ok(Conversation { said: moment.content, turn, state })
    }

    fn state(&self, standing: &Standing) -> State {
        match &standing.last {
            Some(LoopEvent::Error(_)) => State::Failed,
            _ if standing.turn.is_over() => State::Over,
            _ if !self.goes_on(standing) => State::Failed,
            _ if standing.is_undecided => State::Waiting,
            _ => State::Running,
        }
    }
}
