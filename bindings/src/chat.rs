//! A chat, for user interfaces.

use crate::error::{begun, to_js};
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::text::{invalid, text};
use js_sys::{Function, Promise};
use std::cell::RefCell;
use std::future::Future;
use turnwire::Result;
use turnwire::adapters::page;
use turnwire::chat::Subscription;
use turnwire::client::{Chat, FetchTransport, OnPending};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// A chat with one agent. Freeing it ends the notifications; `close` stops what is under way.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ChatHandle {
    chat: Chat<FetchTransport>,
    snapshot: RefCell<Snapshot>,
    _subscription: Subscription,
}

#[wasm_bindgen]
impl ChatHandle {
    /// A chat that calls `on_change` after each change; it must not throw.
    ///
    /// @throws invalid-argument
    #[wasm_bindgen(constructor)]
    pub fn new(
        base_url: &JsValue,
        agent: &JsValue,
        settings: &JsValue,
        on_change: Function,
    ) -> Result<ChatHandle, JsValue> {
        Self::with(base_url, agent, settings, on_change).map_err(|error| to_js(&error))
    }

    /// The state as of now; the same object until something changes.
    #[must_use]
    pub fn state(&self) -> JsValue {
        self.snapshot.borrow_mut().show(self.chat.snapshot())
    }

    /// Sends a message and follows its turn, or lets it wait.
    pub fn send(&self, message: &JsValue, on_pending: &JsValue) -> Promise {
        let (message, on_pending) = (text("message", message), on_pending_of(on_pending));
        self.run(async move |chat| chat.send_with(&message?, on_pending?).await)
    }

    /// Approves a pending call.
    pub fn approve(&self, id: &JsValue) -> Promise {
        let id = text("id", id);
        self.run(async move |chat| {
            chat.approve(&id?).await?;
            go_on(chat);
            Ok(())
        })
    }

    /// Denies a pending call.
    pub fn deny(&self, id: &JsValue) -> Promise {
        let id = text("id", id);
        self.run(async move |chat| {
            chat.deny(&id?).await?;
            go_on(chat);
            Ok(())
        })
    }

    /// Answers a pending question.
    pub fn answer(&self, id: &JsValue, answer: &JsValue) -> Promise {
        let (id, answer) = (text("id", id), text("text", answer));
        self.run(async move |chat| {
            chat.answer(&id?, &answer?).await?;
            go_on(chat);
            Ok(())
        })
    }

    /// Shows a stored session.
    pub fn open(&self, session_id: &JsValue) -> Promise {
        let session_id = text("sessionId", session_id);
        self.run(async move |chat| {
            chat.open(&session_id?).await?;
            go_on(chat);
            Ok(())
        })
    }

    /// Takes back a verdict that waits for the network.
    ///
    /// @throws invalid-argument
    #[wasm_bindgen(js_name = withdrawDecision)]
    pub fn withdraw_decision(&self, id: &JsValue) -> Result<bool, JsValue> {
        let id = text("id", id).map_err(|error| to_js(&error))?;
        Ok(self.chat.withdraw_verdict(&id))
    }

    /// Takes back a message that waits, and gives its text.
    #[must_use]
    #[wasm_bindgen(js_name = withdrawMessage)]
    pub fn withdraw_message(&self, key: f64) -> Option<String> {
        // A number that is no key names no message.
        self.chat.withdraw_message(key as u64)
    }

    /// Tries again what failed last.
    pub fn retry(&self) -> Promise {
        self.run(async move |chat| {
            chat.retry().await?;
            go_on(chat);
            Ok(())
        })
    }

    /// Takes up what waited when a page was left before its session began.
    pub fn recover(&self) {
        let chat = self.chat.clone();
        // What comes of it is in the state.
        spawn_local(async move {
            chat.recover().await;
            drop(chat.flush().await);
        });
    }

    /// Stops the turn.
    pub fn stop(&self) {
        self.chat.stop();
    }

    /// Stops everything, for good.
    pub fn close(&self) {
        self.chat.close();
    }
}

impl ChatHandle {
    fn with(
        base_url: &JsValue,
        agent: &JsValue,
        settings: &JsValue,
        on_change: Function,
    ) -> Result<Self> {
        let settings = Settings::read(settings)?;
        let client = settings.client(&text("baseUrl", base_url)?)?;
        let agent = text("agent", agent)?;
        let chat = match settings.is_alone() {
            true => Chat::new(client, agent),
            false => page::chat(client, agent),
        };
        let subscription = chat.subscribe(move |_| {
            // What it throws has no way to go from here; the caller's side lets nothing through.
            let _ = on_change.call0(&JsValue::NULL);
        });
        Ok(Self { chat, snapshot: RefCell::default(), _subscription: subscription })
    }

    fn run<F>(&self, action: impl FnOnce(Chat<FetchTransport>) -> F) -> Promise
    where
        F: Future<Output = Result<()>> + 'static,
    {
        begun(action(self.chat.clone()))
    }
}

/// Follows the turn of a session that was opened, and sends what waits, beside whatever is done
/// next.
fn go_on(chat: Chat<FetchTransport>) {
    // What comes of it is in the state.
    let waiting = chat.clone();
    spawn_local(async move { drop(chat.follow_turn().await) });
    spawn_local(async move { drop(waiting.flush().await) });
}

/// # Errors
/// `invalid-argument`.
fn on_pending_of(given: &JsValue) -> Result<OnPending> {
    if given.is_undefined() || given.is_null() {
        return Ok(OnPending::Refuse);
    }
    match given.as_string().as_deref() {
        Some("refuse") => Ok(OnPending::Refuse),
        Some("deny") => Ok(OnPending::Deny),
        Some("keep") => Ok(OnPending::Keep),
        _ => Err(invalid("options.onPending: expected refuse, deny or keep")),
    }
}
