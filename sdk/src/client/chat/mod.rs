//! A chat with one agent: a client, a conversation, and what is under way between them.

use super::platform::{Alone, Platform};
use super::{LoopClient, Transport};
use crate::chat::{ChatState, Conversation, Phase, Store, Subscription, Verdict};
use crate::{Error, ErrorKind, Result};
use control::Control;
use open::LoadGuard;
use relay::Relay;
use std::sync::{Arc, Weak};

pub use hear::Heard;
pub use send::OnPending;

mod arrival;
mod control;
mod decide;
mod follow;
mod hear;
mod open;
mod outbox;
mod poll;
mod relay;
mod send;

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
pub struct Chat<T>(Arc<Shared<T>>);

struct Shared<T> {
    client: LoopClient<T>,
    agent: String,
    store: Store,
    control: Control,
    platform: Box<dyn Platform>,
    relay: Relay,
}

impl<T: Transport> Chat<T> {
    /// An empty chat that is alone and keeps nothing over a restart.
    #[must_use]
    pub fn new(client: LoopClient<T>, agent: impl Into<String>) -> Self {
        Self::on(client, agent, Alone)
    }

    /// An empty chat on a platform: one that keeps what waits, or shows the session elsewhere too.
    #[must_use]
    pub fn on(
        client: LoopClient<T>,
        agent: impl Into<String>,
        platform: impl Platform + 'static,
    ) -> Self {
        Self(Arc::new(Shared {
            client,
            agent: agent.into(),
            store: Store::new(),
            control: Control::default(),
            platform: Box::new(platform),
            relay: Relay::default(),
        }))
    }

    /// The chat for those who must not keep it alive.
    #[must_use]
    pub fn downgrade(&self) -> WeakChat<T> {
        WeakChat(Arc::downgrade(&self.0))
    }

    /// The state that subscribers know; the same `Arc` until another one is published.
    #[must_use]
    pub fn snapshot(&self) -> Arc<ChatState> {
        self.0.store.snapshot()
    }

    /// Calls `listener` with every new state until the subscription is dropped: at once, but while
    /// a stream brings events at most once a frame of 16 ms.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn subscribe(
        &self,
        listener: impl Fn(&Arc<ChatState>) + Send + Sync + 'static,
    ) -> Subscription {
        self.0.store.subscribe(listener)
    }

    /// Calls `listener` with every new state until the subscription is dropped: at once, but while
    /// a stream brings events at most once a frame of 16 ms.
    #[cfg(target_arch = "wasm32")]
    pub fn subscribe(&self, listener: impl Fn(&Arc<ChatState>) + 'static) -> Subscription {
        self.0.store.subscribe(listener)
    }

    /// Sends a message and follows its turn; done when the stream has ended. Messages that wait are
    /// sent behind it.
    ///
    /// A turn that the agent fails is no error here: it is in the state, as is every other error.
    ///
    /// # Errors
    /// `pending-items` while an item waits for a verdict, `busy` while a turn runs,
    /// `invalid-argument` for a message that cannot be sent; `aborted` after [`stop`](Self::stop);
    /// those of [`LoopClient::stream`] and of its stream.
    pub async fn send(&self, text: &str) -> Result<()> {
        self.send_with(text, OnPending::Refuse).await
    }

    /// Sends a message, or lets it wait: until the items that are pending are decided, where it is
    /// told to keep them, and while there is no network.
    ///
    /// A message that waits is a message of the state with the status `queued`; this is done at
    /// once then.
    ///
    /// # Errors
    /// Those of [`send`](Self::send); with [`OnPending::Deny`] those of a decision, `no-progress`
    /// and `decision-limit`; `busy` where 16 messages wait.
    pub async fn send_with(&self, text: &str, on_pending: OnPending) -> Result<()> {
        let shared = &*self.0;
        shared.control.ensure_open()?;
        let keep = on_pending == OnPending::Keep && !shared.store.read(|chat| chat.is_turn_over());
        if !keep && on_pending == OnPending::Deny {
            self.deny_all().await?;
        }
        let key = shared.client.new_name();
        if keep || !shared.store.read(Conversation::is_online) {
            return self.queue(text, &key, keep);
        }
        let outcome = self.play(text, &key).await;
        self.send_queued().await;
        outcome
    }

    /// Sends the last message again if the server did not take it, or else opens the session again
    /// to see how its turn went on; [`follow_turn`](Self::follow_turn) follows it from there.
    ///
    /// # Errors
    /// Those of [`send`](Self::send) and [`open`](Self::open); `invalid-argument` where there is
    /// nothing to try again.
    pub async fn retry(&self) -> Result<()> {
        let shared = &*self.0;
        shared.control.ensure_open()?;
        if let Some((text, key)) = shared.store.update(|conversation| conversation.take_unsent()) {
            let key = key.unwrap_or_else(|| shared.client.new_name());
            let outcome = self.play(&text, &key).await;
            self.send_queued().await;
            return outcome;
        }
        let nothing = || Error::new(ErrorKind::InvalidArgument, "there is nothing to try again");
        self.open(&shared.session_id().ok_or_else(nothing)?).await
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

    /// Takes back a verdict that waits for the network; false if it does not wait (any more).
    #[allow(clippy::must_use_candidate, reason = "done is done, whether it is looked at or not")]
    pub fn withdraw_verdict(&self, id: &str) -> bool {
        let withdrawn = self.0.store.update(|conversation| conversation.withdraw_verdict(id));
        self.0.keep_outbox();
        withdrawn
    }

    /// Takes back the waiting message of this key and gives its text; nothing if it does not wait
    /// (any more).
    #[allow(clippy::must_use_candidate, reason = "done is done, whether it is looked at or not")]
    pub fn withdraw_message(&self, key: u64) -> Option<String> {
        let withdrawn = self.0.store.update(|conversation| conversation.withdraw_message(key));
        self.0.keep_outbox();
        withdrawn
    }

    /// Shows a stored session: its history, what is pending in it, and its current turn as far as it
    /// has come. [`follow_turn`](Self::follow_turn) shows how that goes on.
    ///
    /// Of several sessions that are opened at the same time the last one is shown. What arrives
    /// while it is fetched is never overwritten.
    ///
    /// # Protocol
    /// A Turnwire server says which turn is the current one and how many of its events the history
    /// knows. With any other server the state's connection is `degraded` while an item is pending.
    ///
    /// # Errors
    /// `busy` while a turn runs in this chat; those of [`LoopClient::history`].
    pub async fn open(&self, session_id: &str) -> Result<()> {
        let shared = &*self.0;
        shared.control.ensure_open()?;
        if shared.control.is_streaming() {
            if shared.store.read(|chat| chat.phase()) != Phase::Idle {
                return Err(Error::new(ErrorKind::Busy, "a turn is running in this chat"));
            }
            shared.control.abort_stream();
        }
        shared.store.update(|conversation| conversation.begin_loading());
        let loading = LoadGuard(shared);
        let sent = shared.take_over(Some(session_id)).await;
        shared.store.publish();
        let outcome = self.load(session_id).await;
        shared.put_back(sent);
        loading.end(outcome)
    }

    /// Follows the running turn of an opened session; done when it is over, or at once where there
    /// is none, or it is followed already.
    ///
    /// # Errors
    /// Those of [`LoopClient::join`] and of its stream; `aborted` after [`stop`](Self::stop).
    ///
    /// # Cancellation
    /// Dropping the future ends the following; the turn goes on at the server.
    pub async fn follow_turn(&self) -> Result<()> {
        self.0.control.ensure_open()?;
        let outcome = self.0.follow_running().await;
        self.send_queued().await;
        outcome
    }

    /// Finds out whether the session has gone on while nobody looked: for when a page is shown
    /// again, a machine wakes up or the network is back. [`follow_turn`](Self::follow_turn) shows
    /// how it goes on from there.
    ///
    /// Done at once where that is being found out already.
    ///
    /// # Errors
    /// Those of [`LoopClient::history`] and [`LoopClient::join`].
    pub async fn catch_up(&self) -> Result<()> {
        self.0.control.ensure_open()?;
        let (Some(session_id), Some(_looking)) = (self.0.session_id(), self.0.control.begin_look())
        else {
            return Ok(());
        };
        let outcome = self.look(&session_id).await;
        self.0.store.publish();
        outcome
    }

    /// Says whether there is a network. Without one, messages and verdicts wait;
    /// [`flush`](Self::flush) sends them.
    pub fn set_online(&self, online: bool) {
        if self.0.store.update(|chat| chat.set_online(online)) && online {
            // A stream that waits for its next attempt need not.
            self.0.control.hurry();
        }
    }

    /// Sends what waits, verdicts first: when the network is back, and after a verdict in a chat
    /// whose turn no stream follows.
    ///
    /// # Errors
    /// `closed`. What is not taken is in the state.
    pub async fn flush(&self) -> Result<()> {
        self.0.control.ensure_open()?;
        if self.0.store.read(Conversation::is_online) {
            self.send_queued_verdicts().await;
            self.send_queued().await;
        }
        Ok(())
    }

    /// Takes up what the platform has kept of chats that are gone and whose session had not begun.
    /// [`flush`](Self::flush) sends it.
    pub async fn recover(&self) {
        if self.0.session_id().is_none() {
            let sent = self.0.take_over(None).await;
            self.0.put_back(sent);
            self.0.store.publish();
        }
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

    /// # Errors
    /// `pending-items`, `busy`, `invalid-argument`.
    fn queue(&self, text: &str, key: &str, keep: bool) -> Result<()> {
        self.0.client.check_message(text)?;
        self.0.store.update(|conversation| {
            if !keep {
                conversation.refuse_unless_idle()?;
            }
            if conversation.queued_messages().count() == outbox::MAX_MESSAGES {
                return Err(Error::new(ErrorKind::Busy, "too many messages wait"));
            }
            conversation.queue_message(text, key);
            Ok(())
        })?;
        self.0.keep_outbox();
        Ok(())
    }
}

impl<T: Transport> Shared<T> {
    fn session_id(&self) -> Option<String> {
        self.store.read(|chat| chat.session_id().map(str::to_owned))
    }
}

/// A chat that may be gone: for listeners that must not keep it alive.
pub struct WeakChat<T>(Weak<Shared<T>>);

impl<T> WeakChat<T> {
    /// The chat, if it is still there.
    #[must_use]
    pub fn upgrade(&self) -> Option<Chat<T>> {
        self.0.upgrade().map(Chat)
    }
}

impl<T> Clone for WeakChat<T> {
    fn clone(&self) -> Self {
        Self(Weak::clone(&self.0))
    }
}

impl<T> std::fmt::Debug for WeakChat<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WeakChat").field("chats", &self.0.strong_count()).finish()
    }
}

impl<T> Clone for Chat<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> std::fmt::Debug for Chat<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chat").field("agent", &self.0.agent).finish_non_exhaustive()
    }
}
