//! Opening a stored session, and finding out what happened while nobody looked.

use super::follow::Line;
use super::send::StreamGuard;
use super::{Chat, Shared};
use crate::chat::{Connection, Conversation, Phase, TurnCursor};
use crate::client::{Decoded, RequestOptions, Transport};
use crate::loopengine::SessionHistory;
use crate::{Error, ErrorKind, Result};

impl<T: Transport> Chat<T> {
    pub(super) async fn load(&self, session_id: &str) -> Result<()> {
        let shared = &*self.0;
        let number = shared.control.begin_load();
        let options = shared.options();
        let history = shared.client.history(&shared.agent, session_id, &options).await?;
        shared.show(number, &history).await
    }

    /// Finds out whether the session has gone on.
    pub(super) async fn look(&self, session_id: &str) -> Result<()> {
        match self.0.control.is_streaming() {
            true => self.0.look_at_turn().await,
            false => self.0.look_at_session(session_id).await,
        }
    }
}

impl<T: Transport> Shared<T> {
    /// A stream that lags behind the server is joined anew.
    async fn look_at_turn(&self) -> Result<()> {
        let Some(turn_id) = self.store.read(|chat| chat.turn_id().map(str::to_owned)) else {
            return Ok(());
        };
        let shown = self.store.read(|chat| chat.shown());
        let is_behind = self.client.turn(&turn_id, &self.options()).await?.events > shown;
        if is_behind && self.store.read(|chat| chat.shown()) == shown {
            self.control.hurry();
        }
        Ok(())
    }

    async fn look_at_session(&self, session_id: &str) -> Result<()> {
        let number = self.control.begin_load();
        let history = self.client.history(&self.agent, session_id, &self.options()).await?;
        match history.cursor.as_ref().is_some_and(|cursor| self.knows(cursor)) {
            true => Ok(()),
            false => self.show(number, &history).await,
        }
    }

    async fn show(&self, load: u64, history: &Decoded<SessionHistory>) -> Result<()> {
        match &history.cursor {
            Some(cursor) => self.restore(load, &history.value, cursor).await?,
            None => self.restore_degraded(load, &history.value).await?,
        }
        self.keep_items();
        Ok(())
    }

    /// Whether everything that an answer knows is shown.
    fn knows(&self, cursor: &TurnCursor) -> bool {
        self.store.read(|chat| chat.knows(cursor))
    }

    /// Shows the session with its current turn, whose events are replayed as far as the history
    /// knows them; everything else of it is followed.
    async fn restore(
        &self,
        load: u64,
        history: &SessionHistory,
        cursor: &TurnCursor,
    ) -> Result<()> {
        let asked = self.message_of(history, cursor).await;
        self.apply_load(load, |chat| chat.show_turn(history, cursor, asked.as_deref()))?;
        match self.replay(load, cursor).await {
            // Its events are no longer kept: it is over, and the history has what is left of it.
            Err(error) if error.status() == Some(410) => {
                self.apply_load(load, |chat| chat.restore(history, Vec::new()))
            }
            Err(error) => {
                self.apply_load(load, |chat| chat.leave_turn())?;
                Err(error)
            }
            Ok(()) => Ok(()),
        }
    }

    async fn replay(&self, load: u64, cursor: &TurnCursor) -> Result<()> {
        if self.store.read(|chat| chat.has_caught_up()) {
            return Ok(());
        }
        let seen = self.store.update_quietly(|conversation| conversation.resume());
        let mut stream = self.client.join(&cursor.turn_id, seen, &self.options()).await?;
        while let Some(frame) = stream.next().await {
            let frame = frame?;
            self.apply_load(load, |chat| chat.apply_streamed(&frame.received))?;
            if self.store.read(|chat| chat.has_caught_up()) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// What the turn's message says, where the history does not hold it yet.
    async fn message_of(&self, history: &SessionHistory, cursor: &TurnCursor) -> Option<String> {
        if history.history.len() > cursor.before {
            return None;
        }
        let turn = self.client.turn(&cursor.turn_id, &self.options()).await;
        turn.ok()?.message
    }

    /// A server that does not say which turn is the current one lists what is pending.
    async fn restore_degraded(&self, load: u64, history: &SessionHistory) -> Result<()> {
        let pending = self.pending(&history.session_id, &self.options()).await?;
        let waits = !pending.is_empty();
        self.apply_load(load, |chat| {
            chat.restore(history, pending);
            if waits {
                chat.set_connection(Connection::Degraded);
            }
        })
    }

    /// Applies an answer unless a later question was asked.
    ///
    /// # Errors
    /// `aborted`.
    fn apply_load(&self, load: u64, apply: impl FnOnce(&mut Conversation)) -> Result<()> {
        if !self.control.is_latest_load(load) {
            return Err(Error::new(ErrorKind::Aborted, "the session was asked for again"));
        }
        self.store.update_quietly(apply);
        Ok(())
    }

    /// Follows the running turn, where there is one that nobody follows.
    pub(super) async fn follow_running(&self) -> Result<()> {
        let runs = self.store.read(|chat| {
            !chat.is_turn_over() && chat.turn_id().is_some() && chat.phase() != Phase::Loading
        });
        if !runs || self.control.is_streaming() {
            return Ok(());
        }
        let guard = StreamGuard::begin(self);
        let outcome = self.follow(Line::None, &guard.switches).await;
        guard.end(outcome)
    }

    pub(super) fn options(&self) -> RequestOptions {
        let cancel = Some(self.control.lifetime.clone());
        RequestOptions { cancel, ..RequestOptions::default() }
    }
}

/// A session being fetched.
pub(super) struct LoadGuard<'a, T: Transport>(pub(super) &'a Shared<T>);

impl<T: Transport> LoadGuard<'_, T> {
    pub(super) fn end(self, outcome: Result<()>) -> Result<()> {
        self.0.store.update(|conversation| conversation.end_loading(outcome.as_ref().err()));
        outcome
    }
}

impl<T: Transport> Drop for LoadGuard<'_, T> {
    fn drop(&mut self) {
        self.0.store.update(|conversation| conversation.end_loading(None));
    }
}
