//! The chat behind the components: its state as signals, its methods as actions.

use super::browser;
use crate::model::card;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use turnwire::Error;
use turnwire::adapters::page;
use turnwire::chat::{ChatState, Phase, Subscription, Verdict};
use turnwire::client::{Chat, FetchTransport, LoopClient};

/// What components share; a copy is a handle.
#[derive(Debug, Clone, Copy)]
pub struct Session {
    state: RwSignal<Arc<ChatState>>,
    news: RwSignal<Option<String>>,
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

    /// Sends a message; hands it back if it was refused before anything was sent.
    pub fn send(self, text: String, refused: impl FnOnce(String) + 'static) {
        let Some(chat) = self.chat() else { return };
        self.news.set(None);
        spawn_local(async move {
            let outcome = chat.send(&text).await;
            if outcome.is_err_and(|error| is_refusal(&error)) {
                refused(text);
            }
        });
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
            if let Err(error) = outcome {
                self.tell_if_gone(&id, &error);
            }
        });
    }

    /// Stops the turn.
    pub fn stop(self) {
        if let Some(chat) = self.chat() {
            chat.stop();
        }
    }

    /// Sends the unsent message again, or asks the server how the conversation stands.
    pub fn retry(self) {
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
                drop(chat.follow_turn().await);
            }
        });
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

/// Keeps the session's id in the page's address.
pub fn follow_address(session: Session) {
    let id = session.memo(|state| state.session_id.clone());
    Effect::new(move || {
        if let Some(id) = id.get() {
            browser::show_session(Some(&id));
        }
    });
}

fn is_refusal(error: &Error) -> bool {
    matches!(error.code(), "busy" | "pending-items" | "invalid-argument")
}
