//! A session's state → plain frozen objects that keep their identity until they change.

use crate::error::{parse, to_json};
use crate::shared_list::{SharedList, frozen};
use js_sys::Reflect;
use serde::Serialize;
use std::sync::Arc;
use turnwire::agentskit::{Message, SafeId, Snapshot, TurnDiagnostic, TurnEvent, TurnPayload};
use turnwire::chat::ChatFault;
use turnwire::client::{DamagedLine, TurnPhase, TurnState};
use wasm_bindgen::prelude::*;

/// The state as JavaScript saw it last.
#[derive(Debug)]
pub(crate) struct ShownState {
    shown: Option<Arc<TurnState>>,
    state: JsValue,
    event: JsValue,
    messages: SharedList<Message>,
}

/// A state without its snapshot.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shell<'a> {
    #[serde(flatten)]
    phase: TurnPhase,
    turn_id: &'a Option<SafeId>,
    failure: &'a Option<TurnDiagnostic>,
    error: &'a Option<ChatFault>,
    damaged: &'a [DamagedLine],
    damaged_lines: u64,
}

impl ShownState {
    pub(crate) fn new() -> Self {
        let (state, event) = (JsValue::UNDEFINED, JsValue::NULL);
        Self { shown: None, state, event, messages: SharedList::frozen() }
    }

    /// The object for a state; the same one as long as the state is.
    pub(crate) fn show(&mut self, state: Arc<TurnState>) -> JsValue {
        if self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &state)) {
            return self.state.clone();
        }
        let snapshot_of = |state: &Arc<TurnState>| state.snapshot.as_ref().map(Arc::as_ptr);
        if self.shown.as_ref().and_then(snapshot_of) != snapshot_of(&state) {
            self.event = self.event_of(&state);
        }
        let shell = parse(&to_json(&Shell {
            phase: state.phase,
            turn_id: &state.turn_id,
            failure: &state.failure,
            error: &state.error,
            damaged: &state.damaged,
            damaged_lines: state.damaged_lines,
        }));
        set(&shell, "snapshot", &self.event);
        self.state = frozen(shell);
        self.shown = Some(state);
        self.state.clone()
    }

    fn event_of(&mut self, state: &TurnState) -> JsValue {
        let Some(event) = state.snapshot.as_deref().and_then(without_messages) else {
            return JsValue::NULL;
        };
        let event = parse(&to_json(&event));
        let payload = Reflect::get(&event, &"payload".into()).unwrap_or_default();
        set(&payload, "messages", self.messages.update(&state.messages));
        frozen(event)
    }
}

/// The messages are objects already.
fn without_messages(event: &TurnEvent) -> Option<TurnEvent> {
    let Snapshot { status, usage, error, lineage, .. } = event.snapshot()?;
    let snapshot = Snapshot {
        messages: Vec::new(),
        status: *status,
        usage: *usage,
        error: error.clone(),
        lineage: lineage.clone(),
    };
    Some(TurnEvent {
        event_id: event.event_id.clone(),
        session_id: event.session_id.clone(),
        turn_id: event.turn_id.clone(),
        sequence: event.sequence,
        emitted_at: event.emitted_at.clone(),
        payload: TurnPayload::Snapshot(snapshot),
    })
}

fn set(object: &JsValue, name: &str, value: &JsValue) {
    // A plain object takes every property.
    let _ = Reflect::set(object, &name.into(), value);
}
