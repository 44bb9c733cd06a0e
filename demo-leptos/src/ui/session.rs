//! The chat behind the components: its state as signals, its methods as actions.

use super::browser;
use crate::model::fault::{self, Remedy};
use crate::model::{address, card, composer};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use turnwire::Error;
use turnwire::adapters::page;
use turnwire::chat::{ChatFault, ChatState, MessageStatus, Phase, Subscription, Verdict};
use turnwire::client::{Chat, FetchTransport, LoopClient, OnPending};

/// What components share; a copy is a handle.
#[derive(Debug, Clone, Copy)]
pub struct Session {
    state: RwSignal<Arc<ChatState>>,
    news: RwSignal<Option<String>>,
    draft: RwSignal<String>,
    is_online: RwSignal<bool>,
    live: StoredValue<Live, LocalStorage>,
}

/// The chat and its subscription. Both end with the component that owns them, and whatever is
/// under way then is cancelled.
#[derive(Debug)]
struct Live {
    chat: Chat<FetchTransport>,
    _subscription: Subscription,
}

impl Session {
    /// A chat with an agent of the page's own server, owned by the calling component.
    #[must_use]
    pub fn start(agent: &str) -> Self {
        let client =
            LoopClient::new(FetchTransport, "").expect("the page's own origin is a valid address");
        let chat = page::chat(client, agent);
        // Outlives the component if an event arrives while it goes; a plain signal would panic.
        let state = ArcRwSignal::new(chat.snapshot());
        let latest = state.clone();
        let subscription = chat.subscribe(move |state| latest.set(Arc::clone(state)));
        Self {
            state: state.into(),
            news: RwSignal::default(),
            draft: RwSignal::default(),
            is_online: RwSignal::new(browser::is_online()),
            live: StoredValue::new_local(Live { chat, _subscription: subscription }),
        }
    }

    /// The session of the surrounding component.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// The state, tracked.
    #[must_use]
    pub fn state(self) -> Arc<ChatState> {
        self.state.get()
    }

    /// The state, not tracked.
    #[must_use]
    pub fn peek(self) -> Arc<ChatState> {
        self.state.get_untracked()
    }

    /// A value that follows the state and tells its readers only when it changes.
    pub fn memo<T: PartialEq + Send + Sync + 'static>(
        self,
        read: impl Fn(&ChatState) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        Memo::new(move |_| self.state.with(|state| read(state)))
    }

    /// What the chat is doing.
    #[must_use]
    pub fn phase(self) -> Memo<Phase> {
        self.memo(|state| state.phase)
    }

    /// What happened to an item that is no longer shown.
    #[must_use]
    pub fn news(self) -> RwSignal<Option<String>> {
        self.news
    }

    /// What is being written.
    #[must_use]
    pub fn draft(self) -> RwSignal<String> {
        self.draft
    }

    /// Opens what could not be opened without a network.
    pub fn open_again(self) {
        if let Some(id) = self.unopened() {
            self.open(id);
        }
    }

    /// Whether there may be a network. What is sent without one waits.
    #[must_use]
    pub fn is_online(self) -> RwSignal<bool> {
        self.is_online
    }

    /// Sends a message, or lets it wait for the turn under way; hands it back if it was refused.
    pub fn send(self, text: String) {
        let Some(chat) = self.chat() else { return };
        self.news.set(None);
        spawn_local(async move {
            if let Err(error) = chat.send_with(&text, OnPending::Keep).await
                && is_refusal(&error)
            {
                self.give_back(&text);
                let _gone = self.news.try_set(Some(fault::explain(&ChatFault::from(&error))));
            }
        });
    }

    /// Takes back a message that waits, to be written anew.
    pub fn withdraw_message(self, key: u64) {
        if let Some(text) = self.chat().and_then(|chat| chat.withdraw_message(key)) {
            self.give_back(&text);
        }
    }

    /// Takes back a verdict that waits.
    pub fn withdraw_verdict(self, id: &str) {
        if let Some(chat) = self.chat() {
            chat.withdraw_verdict(id);
        }
    }

    /// Takes up what was written before a session began, and sends what waits.
    pub fn take_up(self) {
        let Some(chat) = self.chat() else { return };
        spawn_local(async move {
            chat.recover().await;
            drop(chat.flush().await);
        });
    }

    /// Forgets messages that wait for a session which is not going to begin.
    pub fn abandon(self) {
        let (Some(chat), state) = (self.chat(), self.peek()) else { return };
        let waiting = state.messages.iter().filter(|m| m.status == MessageStatus::Queued);
        if state.session_id.is_none() {
            waiting.for_each(|message| drop(chat.withdraw_message(message.key)));
        }
    }

    /// Gives a verdict on the item of this id.
    pub fn decide(self, id: String, verdict: Verdict) {
        let Some(chat) = self.chat() else { return };
        self.news.set(None);
        spawn_local(async move {
            let outcome = match &verdict {
                Verdict::Approve => chat.approve(&id).await,
                Verdict::Deny => chat.deny(&id).await,
                Verdict::Answer { text } => chat.answer(&id, text).await,
            };
            match outcome {
                // What waited behind the item goes out where no stream tells that its turn is over.
                Ok(()) => drop(chat.flush().await),
                Err(error) => self.tell_if_gone(&id, &error),
            }
        });
    }

    /// Stops the turn.
    pub fn stop(self) {
        if let Some(chat) = self.chat() {
            chat.stop();
        }
    }

    /// Does what can be done about the state's error.
    pub fn remedy(self) {
        match fault::remedy(&self.peek()) {
            Some(Remedy::Retry) => self.retry(),
            Some(Remedy::Ask(text)) => self.send(text),
            None => {}
        }
    }

    /// Sends the unsent message again, or asks the server how the conversation stands.
    pub fn retry(self) {
        if let Some(id) = self.unopened() {
            return self.open(id);
        }
        let Some(chat) = self.chat() else { return };
        // Its failure is in the state, like every other's.
        spawn_local(async move {
            if chat.retry().await.is_ok() {
                drop(chat.follow_turn().await);
            }
        });
    }

    /// Shows a stored session.
    pub fn open(self, session_id: String) {
        let Some(chat) = self.chat() else { return };
        spawn_local(async move {
            // What fails is in the state.
            if chat.open(&session_id).await.is_ok() {
                let waiting = chat.clone();
                spawn_local(async move { drop(waiting.flush().await) });
                drop(chat.follow_turn().await);
            }
        });
    }

    /// The session that the address names, where it could not be shown.
    fn unopened(self) -> Option<String> {
        let state = self.state.try_get_untracked()?;
        let is_blank = state.session_id.is_none() && state.messages.is_empty();
        address::session_in(&browser::query()).filter(|_| is_blank)
    }

    fn give_back(self, text: &str) {
        // After an await the component may be gone, and its signals with it.
        let _gone = self.draft.try_update(|draft| *draft = composer::with_returned(draft, text));
    }

    /// A resync can take away the very card that would say why nothing came of the click.
    fn tell_if_gone(self, id: &str, error: &Error) {
        let shown = |state: &Arc<ChatState>| {
            state.messages.iter().any(|message| message.items().any(|item| item.id == id))
        };
        // After an await the component may be gone, and its signals with it.
        if self.state.try_with_untracked(shown) == Some(false) {
            let _gone = self.news.try_set(Some(card::gone(error.server_message())));
        }
    }

    fn chat(self) -> Option<Chat<FetchTransport>> {
        self.live.try_with_value(|live| live.chat.clone())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.chat.close();
    }
}

fn is_refusal(error: &Error) -> bool {
    matches!(error.code(), "busy" | "pending-items" | "invalid-argument")
}
