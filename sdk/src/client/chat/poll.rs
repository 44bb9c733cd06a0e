//! Following a turn that cannot be joined: by what the server has stored and what is pending.

use super::Shared;
use super::follow::Follow;
use crate::chat::{Connection, PendingItem};
use crate::client::reconnect::is_refusal;
use crate::client::{RequestOptions, Transport};
use crate::{Error, Result};

/// What the server's answers showed.
enum Seen {
    /// The turn is over, and its message and answer are stored.
    End,
    /// Something that was not known.
    News,
    Nothing,
}

impl<T: Transport> Follow<'_, T> {
    /// Asks again and again how the turn stands, until it is over.
    ///
    /// # Protocol
    /// Observed in loopengine 8f93a10: a turn is stored when it is over, and what it waits for is
    /// listed; nothing else tells of it.
    ///
    /// # Errors
    /// `broken`, where nothing new came for too long; `aborted`; what the server says, where it
    /// refuses the client.
    pub(super) async fn poll(&mut self, broken: Error) -> Result<()> {
        let Some(session_id) = self.shared.session_id() else { return Err(broken) };
        let transport = self.shared.client.transport();
        while let Some((_, wait)) = self.backoff.next(transport, &broken) {
            self.show(Connection::Degraded);
            self.wait(wait).await?;
            match self.until_stop(self.shared.look(&session_id)).await? {
                Ok(Seen::End) => return Ok(()),
                Ok(Seen::News) => self.backoff.progress(),
                Ok(Seen::Nothing) => {}
                Err(error) if is_refusal(&error) => return Err(error),
                Err(_) => {}
            }
        }
        Err(broken)
    }
}

impl<T: Transport> Shared<T> {
    async fn look(&self, session_id: &str) -> Result<Seen> {
        let options = self.options();
        let known = self.store.read(|conversation| conversation.open_ids());
        let history = self.client.history(&self.agent, session_id, &options).await?.value;
        let pending = self.pending(session_id, &options).await?;
        Ok(self.store.update(|conversation| {
            if conversation.is_stored(&history) {
                conversation.restore(&history, pending);
                Seen::End
            } else if conversation.reconcile(pending, &known) {
                Seen::News
            } else {
                Seen::Nothing
            }
        }))
    }

    /// What a session waits for.
    pub(super) async fn pending(
        &self,
        session_id: &str,
        options: &RequestOptions,
    ) -> Result<Vec<PendingItem>> {
        let (client, agent, session_id) = (&self.client, &self.agent, Some(session_id));
        let approvals = client.approvals(agent, session_id, options).await?.value.approvals;
        let questions = client.questions(agent, session_id, options).await?.value.questions;
        let approvals = approvals.into_iter().map(PendingItem::from);
        Ok(approvals.chain(questions.into_iter().map(PendingItem::from)).collect())
    }
}
