//! A session of AgentsKit's protocol, for user interfaces.

use crate::agentskit::SnapshotCursorHandle;
use crate::error::{begun, to_js};
use crate::settings::Settings;
use crate::text::text;
use crate::turn_state::ShownState;
use js_sys::{Function, Promise};
use std::cell::RefCell;
use turnwire::Result;
use turnwire::agentskit::{SnapshotCursor, decode_turn_event};
use turnwire::client::{FetchTransport, TurnSession, TurnState};
use turnwire::store::Subscription;
use wasm_bindgen::prelude::*;

/// A session. Freeing it ends the notifications; `close` stops what is under way.
#[wasm_bindgen]
#[derive(Debug)]
pub struct TurnSessionHandle {
    session: TurnSession<FetchTransport>,
    shown: RefCell<ShownState>,
    _subscription: Subscription<TurnState>,
}

#[wasm_bindgen]
impl TurnSessionHandle {
    /// A session that goes on where the saved cursor is, and calls `on_change` after each change; it
    /// must not throw.
    ///
    /// @throws invalid-argument
    #[wasm_bindgen(constructor)]
    pub fn new(
        url: &JsValue,
        cursor: &JsValue,
        settings: &JsValue,
        on_change: Function,
    ) -> Result<TurnSessionHandle, JsValue> {
        Self::with(url, cursor, settings, on_change).map_err(|error| to_js(&error))
    }

    /// The state as of now; the same object until something changes.
    #[must_use]
    pub fn state(&self) -> JsValue {
        self.shown.borrow_mut().show(self.session.snapshot())
    }

    /// The cursor as of now.
    #[must_use]
    pub fn cursor(&self) -> SnapshotCursorHandle {
        SnapshotCursorHandle::of(self.session.cursor())
    }

    /// Submits a turn and follows it.
    pub fn submit(&self, input: &JsValue) -> Promise {
        let (session, input) = (self.session.clone(), text("input", input));
        begun(async move { session.submit(input?).await })
    }

    /// Takes an event that came another way; true if it is a newer snapshot of the session.
    #[must_use]
    pub fn apply(&self, text: &str) -> bool {
        decode_turn_event(text).is_ok_and(|event| self.session.apply(event))
    }

    /// Stops the turn.
    pub fn stop(&self) {
        self.session.stop();
    }

    /// Stops everything, for good.
    pub fn close(&self) {
        self.session.close();
    }
}

impl TurnSessionHandle {
    fn with(
        url: &JsValue,
        cursor: &JsValue,
        settings: &JsValue,
        on_change: Function,
    ) -> Result<Self> {
        let client = Settings::read(settings)?.turn_client(&text("url", url)?)?;
        let cursor = SnapshotCursor::restore(&text("cursor", cursor)?)?;
        let session = TurnSession::new(client, cursor);
        let subscription = session.subscribe(move |_| {
            // What it throws has no way to go from here; the caller's side lets nothing through.
            let _ = on_change.call0(&JsValue::NULL);
        });
        Ok(Self { session, shown: RefCell::new(ShownState::new()), _subscription: subscription })
    }
}
