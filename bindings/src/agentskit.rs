//! AgentsKit's turn protocol: JSON text in, JSON text out.
//!
//! JavaScript's own values become text in `js/agentskit-values.js`, where what JSON cannot hold is
//! still there to be judged.

use crate::error::{to_js, to_json};
use crate::text::invalid;
use serde::Serialize;
use serde_json::value::RawValue;
use std::cell::RefCell;
use turnwire::Result;
use turnwire::agentskit::{
    AssistantContentEncoder, AssistantPart, ComponentEvent, ComponentKey, ContentDecoder,
    ContentKind, InteractionEvent, ResultObject, SelectionEvent, SnapshotCursor,
    create_snapshot_event, decode_assistant_content, decode_component_frame,
    decode_session_snapshot, decode_turn_event, encode_turn_event, fallback_text,
    is_assistant_content_candidate, is_component_frame_candidate, read_component_event,
    which_content,
};
use turnwire::json::JsonText;
use wasm_bindgen::prelude::*;

/// What the decoder of turn events says of a text, as JSON.
#[must_use]
#[wasm_bindgen(js_name = decodeTurnEvent)]
pub fn decode_turn(text: &str) -> String {
    to_json(&ResultObject(&decode_turn_event(text)))
}

/// What the decoder of ordered content says of a text, as JSON.
#[must_use]
#[wasm_bindgen(js_name = decodeAssistantContent)]
pub fn decode_content(text: &str) -> String {
    to_json(&ResultObject(&decode_assistant_content(text)))
}

/// What the decoder of component frames says of a text, as JSON.
#[must_use]
#[wasm_bindgen(js_name = decodeComponentFrame)]
pub fn decode_frame(text: &str) -> String {
    to_json(&ResultObject(&decode_component_frame(text)))
}

/// What the decoder of session snapshots says of a text, as JSON.
#[must_use]
#[wasm_bindgen(js_name = decodeSessionSnapshot)]
pub fn decode_session(text: &str) -> String {
    to_json(&ResultObject(&decode_session_snapshot(text)))
}

/// Whether a text is ordered content.
#[must_use]
#[wasm_bindgen(js_name = isAssistantContentCandidate)]
pub fn is_content(text: &str) -> bool {
    is_assistant_content_candidate(text)
}

/// Whether a text is a component frame.
#[must_use]
#[wasm_bindgen(js_name = isComponentFrameCandidate)]
pub fn is_frame(text: &str) -> bool {
    is_component_frame_candidate(text)
}

/// What the content of an assistant's message is.
#[must_use]
#[wasm_bindgen(js_name = whichContent)]
pub fn which(text: &str) -> String {
    match which_content(text) {
        ContentKind::Ordered => "content",
        ContentKind::Component => "component",
        ContentKind::Text => "text",
    }
    .to_owned()
}

/// The canonical text of a turn event.
///
/// @throws invalid-argument
#[wasm_bindgen(js_name = encodeTurnEvent)]
pub fn encode_event(json: &str) -> Result<String, JsValue> {
    raw(json).and_then(encode_turn_event).map_err(|error| to_js(&error))
}

/// A snapshot event, as JSON.
///
/// @throws invalid-argument
#[wasm_bindgen(js_name = createSnapshotEvent)]
pub fn create_snapshot(json: &str) -> Result<String, JsValue> {
    json_of(raw(json).and_then(create_snapshot_event))
}

/// A selection, as JSON.
///
/// @throws invalid-argument
#[wasm_bindgen(js_name = createSelectionEvent)]
pub fn create_selection(key: &str, instance: &str, choice: &str) -> Result<String, JsValue> {
    json_of(SelectionEvent::new(key, instance, choice))
}

/// An interaction, as JSON.
///
/// @throws invalid-argument
#[wasm_bindgen(js_name = createInteractionEvent)]
pub fn create_interaction(
    key: &str,
    instance: &str,
    event: &str,
    value: Option<String>,
) -> Result<String, JsValue> {
    let value = value.map(|json| JsonText::parse(&json)).transpose();
    json_of(value.and_then(|value| InteractionEvent::new(key, instance, event, value.as_ref())))
}

/// What was done with a component, as JSON; nothing where the text is no such event.
#[must_use]
#[wasm_bindgen(js_name = readComponentEvent)]
pub fn read_event(text: &str) -> Option<String> {
    Some(match read_component_event(text)? {
        ComponentEvent::Selection(event) => to_json(&event),
        ComponentEvent::Interaction(event) => to_json(&event),
    })
}

/// Passes the key of a component.
///
/// @throws invalid-argument
#[wasm_bindgen(js_name = checkComponentKey)]
pub fn check_key(key: &str) -> Result<(), JsValue> {
    ComponentKey::new(key).map(|_| ()).map_err(|error| to_js(&error))
}

/// A list of parts in words.
///
/// @throws invalid-argument
#[wasm_bindgen(js_name = fallbackText)]
pub fn words(json: &str) -> Result<String, JsValue> {
    parts(json).map(|parts| fallback_text(&parts)).map_err(|error| to_js(&error))
}

/// Writes one envelope of ordered content.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct ContentEncoderHandle(RefCell<AssistantContentEncoder>);

#[wasm_bindgen]
impl ContentEncoderHandle {
    /// An encoder that has written nothing yet.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text that adds a part.
    ///
    /// @throws invalid-argument
    pub fn encode(&self, json: &str) -> Result<String, JsValue> {
        let written = raw(json).and_then(|part| self.0.borrow_mut().encode(part));
        written.map_err(|error| to_js(&error))
    }
}

/// Takes an envelope of ordered content in chunks.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ContentDecoderHandle(RefCell<ContentDecoder>);

#[wasm_bindgen]
impl ContentDecoderHandle {
    /// A decoder at the start of an envelope.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(keeps_sound_records: bool) -> Self {
        Self(RefCell::new(match keeps_sound_records {
            true => ContentDecoder::keeping_sound_records(),
            false => ContentDecoder::new(),
        }))
    }

    /// The parts that these bytes complete, as JSON.
    #[must_use]
    pub fn push(&self, bytes: &[u8]) -> String {
        to_json(&self.0.borrow_mut().push(bytes))
    }

    /// All parts so far, as JSON.
    #[must_use]
    #[wasm_bindgen(getter)]
    pub fn parts(&self) -> String {
        to_json(&self.0.borrow().parts())
    }

    /// Whether nothing is missing.
    #[must_use]
    #[wasm_bindgen(getter)]
    pub fn complete(&self) -> bool {
        self.0.borrow().is_complete()
    }

    /// Why the envelope is refused, as JSON.
    #[must_use]
    #[wasm_bindgen(getter)]
    pub fn failure(&self) -> Option<String> {
        let failure = self.0.borrow().failure()?;
        Some(to_json(&Failure { diagnostic: &failure.diagnostic, record: failure.record }))
    }

    /// Starts over.
    pub fn reset(&self) {
        self.0.borrow_mut().reset();
    }
}

#[derive(Serialize)]
struct Failure<'a, D> {
    diagnostic: &'a D,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<usize>,
}

/// Holds the newest snapshot of one session.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SnapshotCursorHandle(RefCell<SnapshotCursor>);

#[wasm_bindgen]
impl SnapshotCursorHandle {
    /// A cursor that holds nothing yet.
    ///
    /// @throws invalid-argument
    #[wasm_bindgen(constructor)]
    pub fn new(session_id: &str) -> Result<Self, JsValue> {
        SnapshotCursor::new(session_id).map(Self::of).map_err(|error| to_js(&error))
    }

    /// The cursor that was saved.
    ///
    /// @throws invalid-argument
    pub fn restore(saved: &str) -> Result<Self, JsValue> {
        SnapshotCursor::restore(saved).map(Self::of).map_err(|error| to_js(&error))
    }

    /// Holds an event if it is a newer snapshot; says whether it is.
    #[must_use]
    pub fn apply(&self, text: &str) -> bool {
        self.0.borrow_mut().apply(text)
    }

    /// The event that is held, as JSON.
    #[must_use]
    #[wasm_bindgen(getter)]
    pub fn snapshot(&self) -> Option<String> {
        self.0.borrow().snapshot().map(|event| to_json(&**event))
    }

    /// The cursor as a text, for storage.
    ///
    /// @throws invalid-argument
    pub fn save(&self) -> Result<String, JsValue> {
        self.0.borrow().save().map_err(|error| to_js(&error))
    }

    pub(crate) fn of(cursor: SnapshotCursor) -> Self {
        Self(RefCell::new(cursor))
    }
}

/// The text as it is: what is out of a number's range must stay so until it is judged.
fn raw(json: &str) -> Result<&RawValue> {
    serde_json::from_str(json).map_err(|_| invalid("expected what JSON can hold"))
}

fn parts(json: &str) -> Result<Vec<AssistantPart>> {
    let parts: Vec<&RawValue> =
        serde_json::from_str(json).map_err(|_| invalid("parts: expected an array"))?;
    parts.into_iter().map(AssistantPart::of).collect()
}

fn json_of(value: Result<impl Serialize>) -> Result<String, JsValue> {
    value.map(|value| to_json(&value)).map_err(|error| to_js(&error))
}
