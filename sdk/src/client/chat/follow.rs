//! Following one turn to its end, over as many streams as it takes.

use super::Shared;
use crate::chat::Connection;
use crate::client::reconnect::{Backoff, can_rejoin};
use crate::client::{CancelToken, EventStream, RequestOptions, Transport};
use crate::{Error, ErrorKind, Result};

/// A turn that is followed.
pub(super) struct Follow<'a, T: Transport> {
    pub(super) shared: &'a Shared<T>,
    /// Its id, where the server keeps its events.
    pub(super) turn_id: Option<String>,
    pub(super) token: &'a CancelToken,
}

impl<T: Transport> Follow<'_, T> {
    /// Applies every event of the turn once, whatever becomes of its streams.
    pub(super) async fn run(&self, mut stream: EventStream<T>) -> Result<()> {
        let mut backoff = self.shared.client.backoff();
        loop {
            let error = match self.apply_all(&mut stream, &mut backoff).await {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            drop(stream);
            stream = self.rejoin(error, &mut backoff).await?;
        }
    }

    async fn apply_all(&self, stream: &mut EventStream<T>, backoff: &mut Backoff) -> Result<()> {
        while let Some(frame) = stream.next().await {
            let received = frame?.received;
            backoff.progress();
            self.shared.store.update(|conversation| conversation.apply_streamed(&received));
        }
        Ok(())
    }

    /// Joins the turn behind the last whole event.
    ///
    /// # Errors
    /// What broke the stream, where the turn cannot be joined or not in time; what the server says
    /// to the attempt, where it refuses the client itself.
    async fn rejoin(&self, broken: Error, backoff: &mut Backoff) -> Result<EventStream<T>> {
        let Some(turn_id) = &self.turn_id else { return Err(broken) };
        let mut error = broken.clone();
        let options =
            RequestOptions { cancel: Some(self.token.clone()), ..RequestOptions::default() };
        let client = &self.shared.client;
        while can_rejoin(&error) {
            let Some((attempt, wait)) = backoff.next(client.transport(), &error) else { break };
            let connection = Connection::Reconnecting { attempt };
            let seen = self.shared.store.update(|conversation| {
                conversation.set_connection(connection);
                conversation.streamed()
            });
            self.wait(wait).await?;
            match client.join(turn_id, seen, &options).await {
                Ok(stream) => {
                    // Whether an event comes or a person is waited for, the line is there.
                    self.show(Connection::Steady);
                    return Ok(stream);
                }
                Err(failed) => error = failed,
            }
        }
        Err(if is_refusal(&error) { error } else { broken })
    }

    fn show(&self, connection: Connection) {
        self.shared.store.update(|conversation| conversation.set_connection(connection));
    }

    /// # Errors
    /// `aborted` if the chat is stopped meanwhile.
    async fn wait(&self, wait: std::time::Duration) -> Result<()> {
        let sleep = self.shared.client.transport().sleep(wait);
        match futures_util::future::select(sleep, self.token.cancelled()).await {
            futures_util::future::Either::Left(_) => Ok(()),
            futures_util::future::Either::Right(_) => {
                Err(Error::new(ErrorKind::Aborted, "stopped by the caller"))
            }
        }
    }
}

/// Whether the server wants nothing more from this client, and says why.
fn is_refusal(error: &Error) -> bool {
    error.kind() == ErrorKind::Aborted || matches!(error.status(), Some(401 | 403))
}
