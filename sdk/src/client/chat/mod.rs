//! A chat with one agent: a client, a conversation, and what is under way between them.

use super::{CancelToken, LoopClient, RequestOptions, Transport};
use crate::chat::{
    Begun, ChatState, Connection, PendingItem, Phase, Store, Subscription, Verdict, is_final,
};
use crate::{Error, ErrorKind, Result};
use control::Control;
use follow::Follow;
use std::sync::Arc;

mod control;
mod follow;

/// A chat with one agent, for user interfaces.
///
/// Every method that talks to the server is a future that its caller drives; what it learns goes
/// into the state, which subscribers are told of. Clones share the chat.
///
/// # Errors
/// Every method answers `closed` after [`close`](Self::close).
///
/// # Cancellation
/// Dropping the future of [`send`](Self::send) is the same as [`stop`](Self::stop). Dropping that
/// of a decision makes it `failed`: whether the server has it is then unknown, and the same verdict
/// can be sent again. The turn goes on at the server either way.
///
/// # Examples
/// ```
/// use turnwire::client::{Chat, LoopClient, Transport};
/// # async fn show<T: Transport>(transport: T) -> turnwire::Result<()> {
/// let chat = Chat::new(LoopClient::new(transport, "http://127.0.0.1:8787")?, "customer-service");
/// let subscription = chat.subscribe(|state| println!("{:?}", state.phase));
/// chat.send("hello").await?;
/// # drop(subscription); Ok(()) }
/// ```
///
/// A page in Leptos; a test runs it in a browser:
#[doc = "```"]
#[doc = "# #[cfg(any())] mod page {"]
#[doc = include_str!("../../../docs/leptos_chat.rs")]
#[doc = "# }"]
#[doc = "# fn main() {}"]
#[doc = "```"]
///
/// The same in Yew:
#[doc = "```"]
#[doc = "# #[cfg(any())] mod page {"]
#[doc = include_str!("../../../docs/yew_chat.rs")]
#[doc = "# }"]
#[doc = "# fn main() {}"]
#[doc = "```"]
pub struct Chat<T: Transport>(Arc<Shared<T>>);

struct Shared<T> {
    client: LoopClient<T>,
    agent: String,
    store: Store,
    control: Control,
}

impl<T: Transport> Chat<T> {
    /// An empty chat.
    #[must_use]
    pub fn new(client: LoopClient<T>, agent: impl Into<String>) -> Self {
        let (store, control) = (Store::new(), Control::default());
        Self(Arc::new(Shared { client, agent: agent.into(), store, control }))
    }

    /// The state as of now; the same `Arc` until something changes.
    #[must_use]
    pub fn snapshot(&self) -> Arc<ChatState> {
        self.0.store.snapshot()
    }

    /// Calls `listener` with every new state until the subscription is dropped.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn subscribe(
        &self,
        listener: impl Fn(&Arc<ChatState>) + Send + Sync + 'static,
    ) -> Subscription {
        self.0.store.subscribe(listener)
    }

    /// Calls `listener` with every new state until the subscription is dropped.
    #[cfg(target_arch = "wasm32")]
    pub fn subscribe(&self, listener: impl Fn(&Arc<ChatState>) + 'static) -> Subscription {
        self.0.store.subscribe(listener)
    }

    /// Sends a message and follows its turn; done when the stream has ended.
    ///
    /// A turn that the agent fails is no error here: it is in the state, as is every other error.
    ///
    /// # Errors
    /// `pending-items` while an item waits for a verdict, `busy` while a turn runs,
    /// `invalid-argument` for a message that cannot be sent; `aborted` after [`stop`](Self::stop);
    /// those of [`LoopClient::stream`] and of its stream.
    pub async fn send(&self, text: &str) -> Result<()> {
        self.0.control.ensure_open()?;
        // The switch exists before anybody hears of the turn, so that a listener can stop it.
        let stream = self.0.store.update(|conversation| {
            conversation.begin_turn(text).map(|()| StreamGuard::begin(&self.0))
        })?;
        let outcome = self.follow(text, &stream).await;
        stream.end(outcome)
    }

    /// Sends the last message again if the server did not take it, or else asks the server how its
    /// turn went on.
    ///
    /// # Errors
    /// Those of [`send`](Self::send) and [`open`](Self::open); `invalid-argument` where there is
    /// nothing to try again.
    pub async fn retry(&self) -> Result<()> {
        self.0.control.ensure_open()?;
        if let Some(text) = self.0.store.update(|conversation| conversation.take_unsent()) {
            return self.send(&text).await;
        }
        let session_id = self.snapshot().session_id.clone();
        let nothing = || Error::new(ErrorKind::InvalidArgument, "there is nothing to try again");
        self.open(&session_id.ok_or_else(nothing)?).await
    }

    /// Approves the pending call of this id.
    ///
    /// The same verdict twice is one request, and both calls share its outcome.
    ///
    /// # Errors
    /// `not-pending`, `already-deciding`, `decision-stale`, `item-damaged`, `invalid-argument`
    /// before anything is sent; those of [`LoopClient::approve`].
    pub async fn approve(&self, id: &str) -> Result<()> {
        self.decide(id, Verdict::Approve).await
    }

    /// Denies the pending call of this id.
    ///
    /// # Errors
    /// As for [`approve`](Self::approve).
    pub async fn deny(&self, id: &str) -> Result<()> {
        self.decide(id, Verdict::Deny).await
    }

    /// Answers the pending question of this id.
    ///
    /// # Errors
    /// As for [`approve`](Self::approve).
    pub async fn answer(&self, id: &str, text: &str) -> Result<()> {
        self.decide(id, Verdict::Answer { text: text.to_owned() }).await
    }

    /// Shows a stored session: its history and what is pending in it.
    ///
    /// # Errors
    /// `busy` while a stream is open; those of [`LoopClient::history`].
    pub async fn open(&self, session_id: &str) -> Result<()> {
        self.0.control.ensure_open()?;
        if self.0.control.is_streaming() {
            if self.snapshot().phase != Phase::Idle {
                return Err(Error::new(ErrorKind::Busy, "a turn is running in this chat"));
            }
            self.stop();
        }
        self.0.store.update(|conversation| conversation.begin_loading());
        let loading = LoadGuard(&self.0);
        let outcome = self.load(session_id).await;
        loading.end(outcome)
    }

    /// Stops the turn. A server that knows how is asked to end it: no tool starts after that, and
    /// what was pending no longer is. Any other server goes on, and a pending item stays decidable.
    ///
    /// Only this ends a turn at the server: closing the chat, dropping it or leaving the page does
    /// not.
    pub fn stop(&self) {
        self.0.control.stop_turn();
    }

    /// Stops everything under way and refuses what comes after. Closing twice is fine.
    pub fn close(&self) {
        self.0.control.close();
    }

    async fn follow(&self, text: &str, guard: &StreamGuard<'_, T>) -> Result<()> {
        let options = RequestOptions {
            session_id: self.snapshot().session_id.clone(),
            cancel: Some(guard.token.clone()),
            ..RequestOptions::default()
        };
        let stream = self.0.client.stream(&self.0.agent, text, &options).await?;
        let turn_id = stream.turn_id().map(str::to_owned);
        let follow = Follow { shared: &self.0, turn_id, token: &guard.token };
        let outcome = follow.run(stream).await;
        self.0.store.update(|conversation| conversation.set_connection(Connection::Steady));
        if let (true, Some(turn_id)) = (self.0.control.is_stopped(guard.number), &follow.turn_id) {
            self.end_at_server(turn_id).await;
        }
        outcome
    }

    /// Shows the stop at once, then asks for it. A server that cannot end the turn goes on with it.
    async fn end_at_server(&self, turn_id: &str) {
        self.0.store.update(|conversation| conversation.stop());
        if self.0.client.cancel(turn_id, &self.options()).await.is_ok() {
            self.0.store.update(|conversation| conversation.end_stopped());
        }
    }

    async fn decide(&self, id: &str, verdict: Verdict) -> Result<()> {
        self.0.control.ensure_open()?;
        let begin = |conversation: &mut crate::chat::Conversation| {
            conversation.begin_decision(id, &verdict)
        };
        match self.0.store.update(begin)? {
            Begun::Settled => Ok(()),
            Begun::InFlight => self.0.control.join(id).await,
            Begun::Send => self.send_verdict(id, verdict).await,
        }
    }

    async fn send_verdict(&self, id: &str, verdict: Verdict) -> Result<()> {
        let flight = FlightGuard::begin(&self.0, id, verdict);
        let options = self.options();
        let client = &self.0.client;
        let answered = match &flight.verdict {
            Verdict::Approve => client.approve(id, &options).await,
            Verdict::Deny => client.deny(id, &options).await,
            Verdict::Answer { text } => client.answer(id, text, &options).await,
        };
        let (moved_on, outcome) = match answered {
            Ok(answered) => (flight.confirm(&answered.value), Ok(())),
            Err(error) => (!is_final(&error), Err(error)),
        };
        flight.land(outcome.clone());
        if !moved_on {
            self.resync().await;
        }
        outcome
    }

    /// Asks how the session stands where no stream will tell.
    async fn resync(&self) {
        let session_id = self.snapshot().session_id.clone();
        if let (Some(session_id), false) = (session_id, self.0.control.is_streaming()) {
            // Its failure is in the state; the decision's own outcome is what the caller hears.
            drop(self.open(&session_id).await);
        }
    }

    async fn load(&self, session_id: &str) -> Result<()> {
        let (client, agent, options) = (&self.0.client, &self.0.agent, &self.options());
        let history = client.history(agent, session_id, options).await?.value;
        let approvals = client.approvals(agent, Some(session_id), options).await?.value;
        let questions = client.questions(agent, Some(session_id), options).await?.value;
        let approvals = approvals.approvals.into_iter().map(PendingItem::from);
        let questions = questions.questions.into_iter().map(PendingItem::from);
        let pending = approvals.chain(questions).collect();
        self.0.store.update(|conversation| conversation.restore(&history, pending));
        Ok(())
    }

    fn options(&self) -> RequestOptions {
        let cancel = Some(self.0.control.lifetime.clone());
        RequestOptions { cancel, ..RequestOptions::default() }
    }
}

impl<T: Transport> Clone for Chat<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Transport> std::fmt::Debug for Chat<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chat").field("agent", &self.0.agent).finish_non_exhaustive()
    }
}

/// An open stream; dropping it without an outcome is a stop.
struct StreamGuard<'a, T> {
    shared: &'a Shared<T>,
    number: u64,
    token: CancelToken,
}

impl<'a, T> StreamGuard<'a, T> {
    fn begin(shared: &'a Shared<T>) -> Self {
        let (number, token) = shared.control.begin_stream();
        Self { shared, number, token }
    }

    fn end(self, outcome: Result<()>) -> Result<()> {
        if !self.shared.control.end_stream(self.number) {
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

impl<T> Drop for StreamGuard<'_, T> {
    fn drop(&mut self) {
        // After `end` the turn is over, or waits for a verdict, and this changes nothing.
        if self.shared.control.end_stream(self.number) {
            self.shared.store.update(|conversation| conversation.stop());
        }
    }
}

/// A verdict on its way; dropping it without an outcome makes it failed.
struct FlightGuard<'a, T> {
    shared: &'a Shared<T>,
    id: &'a str,
    verdict: Verdict,
}

impl<'a, T> FlightGuard<'a, T> {
    fn begin(shared: &'a Shared<T>, id: &'a str, verdict: Verdict) -> Self {
        shared.control.begin_flight(id);
        Self { shared, id, verdict }
    }

    /// True if the answer told how the turn goes on.
    fn confirm(&self, result: &crate::loopengine::TurnResult) -> bool {
        self.shared.store.update(|conversation| {
            conversation.confirm_decision(self.id, self.verdict.clone());
            conversation.apply_result(result)
        })
    }

    fn land(&self, outcome: Result<()>) {
        if let Err(error) = &outcome {
            self.shared.store.update(|conversation| {
                conversation.fail_decision(self.id, self.verdict.clone(), error);
            });
        }
        self.shared.control.end_flight(self.id, outcome);
    }
}

impl<T> Drop for FlightGuard<'_, T> {
    fn drop(&mut self) {
        if self.shared.control.is_in_flight(self.id) {
            self.land(Err(Error::new(ErrorKind::Aborted, "the decision was dropped")));
        }
    }
}

/// A session being fetched.
struct LoadGuard<'a, T>(&'a Shared<T>);

impl<T> LoadGuard<'_, T> {
    fn end(self, outcome: Result<()>) -> Result<()> {
        self.0.store.update(|conversation| conversation.end_loading(outcome.as_ref().err()));
        outcome
    }
}

impl<T> Drop for LoadGuard<'_, T> {
    fn drop(&mut self) {
        self.0.store.update(|conversation| conversation.end_loading(None));
    }
}
