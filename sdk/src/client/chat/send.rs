//! Sending messages, and ending the turns that they start.

use super::control::Switches;
use super::follow::{Follow, Line};
use super::{Chat, Shared};
use crate::chat::{Connection, Conversation, Diagnostic};
use crate::client::decisions::Decisions;
use crate::client::{EventStream, RequestOptions, Transport};
use crate::{Error, ErrorKind, Result};
use futures_util::FutureExt;
use futures_util::future::{Either, select};
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

/// How long after a stop the server's word is waited for that names the turn which is to be ended.
const STOP_WAIT: Duration = Duration::from_secs(5);

/// How long a stream's head may take before it is asked whether too many streams are open.
const SLOW_HEAD: Duration = Duration::from_secs(3);

/// As many connections as browsers open to one server over HTTP/1.1.
const MAX_CONNECTIONS: u64 = 6;

/// What a message does about items that wait for a verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnPending {
    /// It is refused, with an error that lists them.
    #[default]
    Refuse,
    /// They are denied first, 32 at most. A question, which cannot be denied, is answered with an
    /// empty text.
    Deny,
    /// It waits until they are decided and their turn is over.
    Keep,
}

impl<T: Transport> Chat<T> {
    /// Plays one message's turn.
    pub(super) async fn play(&self, text: &str, key: &str) -> Result<()> {
        // The switches exist before anybody hears of the turn, so that a listener can stop it.
        let stream = self.0.store.update(|conversation| {
            conversation.begin_turn(text)?;
            conversation.name_message(Some(key));
            Ok::<_, Error>(StreamGuard::begin(&self.0))
        })?;
        self.play_begun(text, key, stream).await
    }

    async fn play_begun(&self, text: &str, key: &str, stream: StreamGuard<'_, T>) -> Result<()> {
        self.0.keep_outbox();
        let outcome = self.start(text, key, &stream).await;
        let outcome = stream.end(outcome);
        self.0.keep_outbox();
        outcome
    }

    async fn start(&self, text: &str, key: &str, guard: &StreamGuard<'_, T>) -> Result<()> {
        let shared = &*self.0;
        if guard.switches.stop.is_cancelled() {
            // A listener did not want the turn that it heard of.
            return Err(Error::new(ErrorKind::Aborted, "stopped by the caller"));
        }
        let options = RequestOptions {
            session_id: shared.session_id(),
            idempotency_key: shared.may_name_messages().then(|| key.to_owned()),
            cancel: Some(guard.switches.abort.clone()),
            ..RequestOptions::default()
        };
        let mut head = pin!(shared.client.stream(&shared.agent, text, &options));
        let stream = {
            let watched = pin!(shared.watch_head(head.as_mut()));
            match select(watched, guard.switches.stop.cancelled()).await {
                Either::Left((stream, _)) => Some(stream?),
                Either::Right(_) => None,
            }
        };
        match stream {
            Some(stream) => shared.take_turn(stream, &guard.switches).await,
            None => shared.end_unheard(head).await,
        }
    }

    /// Decides every open item so that the turn can end.
    ///
    /// # Errors
    /// Those of a decision; `decision-limit`, `no-progress`.
    pub(super) async fn deny_all(&self) -> Result<()> {
        let mut decisions = Decisions::default();
        while let Some(item) = self.0.store.read(|chat| chat.open_items().next().cloned()) {
            decisions.note(&item.id)?;
            self.decide(&item.id, item.refusal()).await?;
        }
        Ok(())
    }

    /// Sends the messages that wait, one after another, until one fails or a turn waits.
    pub(super) async fn send_queued(&self) {
        while self.0.store.read(Conversation::is_online) && self.0.control.ensure_open().is_ok() {
            let begun = self.0.store.update(|conversation| {
                let (text, key) = conversation.begin_queued()?;
                Some((text, key, StreamGuard::begin(&self.0)))
            });
            let Some((text, key, stream)) = begun else { return };
            if self.play_begun(&text, &key, stream).await.is_err() {
                return;
            }
        }
    }
}

impl<T: Transport> Shared<T> {
    /// In browsers a server of another origin has to allow the header, which only one does that
    /// knows it.
    fn may_name_messages(&self) -> bool {
        self.control.has_named_turns() || !self.client.is_foreign()
    }

    async fn take_turn(&self, stream: EventStream<T>, switches: &Switches) -> Result<()> {
        let turn_id = stream.turn_id().map(str::to_owned);
        self.control.note_named_turn(turn_id.is_some());
        self.store.update_quietly(|conversation| {
            conversation.name_turn(turn_id.as_deref());
            conversation.name_message(None);
        });
        self.keep_outbox();
        self.follow(Line::Own(stream), switches).await
    }

    /// Follows a turn to its end, and ends it at the server where the person stopped it.
    pub(super) async fn follow(&self, line: Line<T>, switches: &Switches) -> Result<()> {
        let outcome = Follow::new(self, switches.clone()).run(line).await;
        self.store.update(|conversation| conversation.end_reconnecting());
        let turn_id = self.store.read(|chat| chat.turn_id().map(str::to_owned));
        if let (true, Some(turn_id)) = (switches.stop.is_cancelled(), turn_id) {
            self.end_at_server(&turn_id).await;
        }
        outcome
    }

    /// Shows the stop at once, then asks for it. A server that cannot end the turn goes on with it.
    async fn end_at_server(&self, turn_id: &str) {
        self.store.update(|conversation| conversation.stop());
        if self.client.cancel(turn_id, &self.options()).await.is_ok() {
            self.store.update(|conversation| conversation.end_stopped(turn_id));
        }
    }

    /// Stopped before the server said anything: it may have taken the message, and only its answer
    /// names the turn that is to be ended.
    async fn end_unheard(
        &self,
        head: impl Future<Output = Result<EventStream<T>>> + Unpin,
    ) -> Result<()> {
        self.store.update(|conversation| conversation.stop());
        let patience = self.client.transport().sleep(STOP_WAIT);
        if let Either::Left((Ok(stream), _)) = select(head, patience).await
            && let Some(turn_id) = stream.turn_id().map(str::to_owned)
        {
            drop(stream);
            // There is nothing left to show: whether it worked, the person has moved on.
            drop(self.client.cancel(&turn_id, &self.options()).await);
        }
        Err(Error::new(ErrorKind::Aborted, "stopped by the caller"))
    }

    /// Waits for a stream's head, and finds out what is in the way if that takes long.
    async fn watch_head<F: Future + Unpin>(&self, mut head: F) -> F::Output {
        if let Some(output) = (&mut head).now_or_never() {
            return output;
        }
        let slow = self.client.transport().sleep(SLOW_HEAD);
        let head = match select(head, slow).await {
            Either::Left((output, _)) => return output,
            Either::Right(((), head)) => head,
        };
        if let Some(open) = self.platform.crowd().await.filter(|open| *open >= MAX_CONNECTIONS) {
            let diagnostic = Diagnostic::ConnectionLimit { open };
            self.store.update(|conversation| conversation.diagnose(diagnostic));
        }
        head.await
    }
}

/// An open stream; dropping it without an outcome is a stop that the server does not hear of.
pub(super) struct StreamGuard<'a, T: Transport> {
    shared: &'a Shared<T>,
    pub(super) switches: Switches,
}

impl<'a, T: Transport> StreamGuard<'a, T> {
    pub(super) fn begin(shared: &'a Shared<T>) -> Self {
        Self { shared, switches: shared.control.begin_stream() }
    }

    pub(super) fn end(self, outcome: Result<()>) -> Result<()> {
        if !self.shared.control.end_stream(self.switches.number) {
            // Its turn had ended by a decision's response, and the next one has begun.
            return Ok(());
        }
        self.shared.store.update(|conversation| match &outcome {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::Aborted => conversation.stop(),
            Err(error) if error.kind() == ErrorKind::InvalidArgument => {
                conversation.fail(error);
                conversation.take_unsent();
            }
            Err(error) => conversation.interrupt(error),
        });
        outcome
    }
}

impl<T: Transport> Drop for StreamGuard<'_, T> {
    fn drop(&mut self) {
        // After `end` the turn is over, or waits for a verdict, and this changes nothing.
        if self.shared.control.end_stream(self.switches.number) {
            self.shared.store.update(|conversation| {
                conversation.set_connection(Connection::Steady);
                conversation.stop();
            });
        }
    }
}
