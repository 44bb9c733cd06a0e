//! A chat's state → plain objects that keep their identity until they change.

use crate::error::{parse, to_json};
use crate::shared_list::SharedList;
use js_sys::{Array, Object, Reflect};
use serde::Serialize;
use std::sync::Arc;
use turnwire::chat::{ChatFault, ChatState, Connection, Diagnostic, Message, PendingItem, Phase};
use wasm_bindgen::prelude::*;

/// The state as JavaScript saw it last.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    shown: Option<Arc<ChatState>>,
    state: JsValue,
    messages: SharedList<Message>,
    pending: SharedList<PendingItem>,
}

/// A state without its lists.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shell<'a> {
    session_id: &'a Option<String>,
    phase: Phase,
    online: bool,
    connection: Connection,
    diagnostics: Vec<Diagnosed<'a>>,
    last_error: &'a Option<ChatFault>,
}

/// A diagnostic, and what to tell people of it.
#[derive(Serialize)]
struct Diagnosed<'a> {
    #[serde(flatten)]
    diagnostic: &'a Diagnostic,
    message: String,
}

impl Snapshot {
    /// The object for a state; the same one as long as the state is.
    pub(crate) fn show(&mut self, state: Arc<ChatState>) -> JsValue {
        if self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &state)) {
            return self.state.clone();
        }
        let shell = Shell {
            session_id: &state.session_id,
            phase: state.phase,
            online: state.online,
            connection: state.connection,
            diagnostics: state.diagnostics.iter().map(diagnosed).collect(),
            last_error: &state.last_error,
        };
        self.state = parse(&to_json(&shell));
        set(&self.state, "messages", self.messages.update(&state.messages));
        set(&self.state, "pending", self.pending.update(&state.pending));
        self.shown = Some(state);
        self.state.clone()
    }
}

fn diagnosed(diagnostic: &Diagnostic) -> Diagnosed<'_> {
    Diagnosed { diagnostic, message: diagnostic.to_string() }
}

fn set(object: &JsValue, name: &str, value: &Array) {
    // A plain object takes every property.
    let _ = Reflect::set(object.unchecked_ref::<Object>(), &name.into(), value);
}
