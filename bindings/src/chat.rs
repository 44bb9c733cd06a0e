//! A chat, for user interfaces.

use crate::error::{promise, to_js};
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::text::text;
use futures_util::FutureExt;
use js_sys::{Function, Promise};
use std::cell::RefCell;
use std::future::Future;
use turnwire::Result;
use turnwire::chat::Subscription;
use turnwire::client::{Chat, FetchTransport};
use wasm_bindgen::prelude::*;

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

    /// Sends a message and follows its turn.
    pub fn send(&self, message: &JsValue) -> Promise {
        let message = text("message", message);
        self.run(async move |chat| chat.send(&message?).await)
    }

    /// Approves a pending call.
    pub fn approve(&self, id: &JsValue) -> Promise {
        let id = text("id", id);
        self.run(async move |chat| chat.approve(&id?).await)
    }

    /// Denies a pending call.
    pub fn deny(&self, id: &JsValue) -> Promise {
        let id = text("id", id);
        self.run(async move |chat| chat.deny(&id?).await)
    }

    /// Answers a pending question.
    pub fn answer(&self, id: &JsValue, answer: &JsValue) -> Promise {
        let (id, answer) = (text("id", id), text("text", answer));
        self.run(async move |chat| chat.answer(&id?, &answer?).await)
    }

    /// Shows a stored session.
    pub fn open(&self, session_id: &JsValue) -> Promise {
        let session_id = text("sessionId", session_id);
        self.run(async move |chat| chat.open(&session_id?).await)
    }

    /// Tries again what failed last.
    pub fn retry(&self) -> Promise {
        self.run(async move |chat| chat.retry().await)
    }

    /// Stops following the turn.
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
        let chat = Chat::new(client, text("agent", agent)?);
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
        let mut outcome = Box::pin(action(self.chat.clone()));
        // Begun at once, not in the next microtask: the state tells of it when the call returns.
        let begun = outcome.as_mut().now_or_never();
        promise(async move {
            let outcome = match begun {
                Some(outcome) => outcome,
                None => outcome.await,
            };
            outcome.map(|()| JsValue::UNDEFINED)
        })
    }
}
