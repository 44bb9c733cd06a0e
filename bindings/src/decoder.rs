//! Push decoders: bytes in, frames or events out.

use crate::error::to_js;
use crate::events::frame_to_js;
use crate::text::text;
use js_sys::Array;
use std::cell::RefCell;
use turnwire::loopengine::{SseEvents, decode};
use turnwire::wire::sse::{SseFrame, SseParser};
use turnwire::{Limits, Result};
use wasm_bindgen::prelude::*;

/// Push parser of an event stream. Frames come out as `[event, data, id, offset]`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SseDecoderHandle(RefCell<SseParser>);

#[wasm_bindgen]
impl SseDecoderHandle {
    /// A parser at the start of a stream.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(max_frame_bytes: usize, strict: bool) -> Self {
        let parser = if strict { SseParser::strict } else { SseParser::new };
        Self(RefCell::new(parser(max_frame_bytes)))
    }

    /// The frames that these bytes complete.
    ///
    /// @throws frame-too-large, once all frames before it are handed out
    pub fn push(&self, bytes: &[u8]) -> Result<Array, JsValue> {
        let mut parser = self.0.borrow_mut();
        let pushed = parser.push(bytes);
        handed_out(std::iter::from_fn(|| parser.poll()).map(frame_of).collect(), pushed)
    }

    /// The last frame, if it lacks only its blank line.
    ///
    /// @throws frame-too-large
    pub fn finish(&self) -> Result<Array, JsValue> {
        let mut frames = self.push(&[])?;
        frames.extend(self.0.borrow_mut().finish().map(frame_of));
        Ok(frames)
    }

    /// Starts over.
    pub fn reset(&self) {
        self.0.borrow_mut().reset();
    }

    /// The id to resume from.
    #[must_use]
    #[wasm_bindgen(getter, js_name = lastEventId)]
    pub fn last_event_id(&self) -> String {
        self.0.borrow().last_event_id().to_owned()
    }

    /// The reconnection time that the stream last asked for.
    #[must_use]
    #[wasm_bindgen(getter, js_name = retryMs)]
    pub fn retry_ms(&self) -> Option<f64> {
        self.0.borrow().retry().map(|wait| wait.as_millis() as f64)
    }
}

/// Push decoder of a turn's events. They come out as `[json, type, id, offset, error, integers]`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EventDecoderHandle(RefCell<SseEvents>);

#[wasm_bindgen]
impl EventDecoderHandle {
    /// A decoder at the start of a stream.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(max_frame_bytes: usize) -> Self {
        Self(RefCell::new(SseEvents::new(&Limits { max_frame_bytes, ..Limits::default() })))
    }

    /// The events that these bytes complete.
    ///
    /// @throws frame-too-large, once all events before it are handed out
    pub fn push(&self, bytes: &[u8]) -> Result<Array, JsValue> {
        let pushed = self.0.borrow_mut().push(bytes);
        handed_out(self.take_events(), pushed)
    }

    /// The last event, if it lacks only its blank line.
    ///
    /// @throws frame-too-large, frame-truncated
    pub fn finish(&self) -> Result<Array, JsValue> {
        self.push(&[])?;
        let finished = self.0.borrow_mut().finish();
        handed_out(self.take_events(), finished)
    }

    /// Starts over.
    pub fn reset(&self) {
        self.0.borrow_mut().reset();
    }

    fn take_events(&self) -> Array {
        let mut events = self.0.borrow_mut();
        std::iter::from_fn(|| events.poll()).map(|frame| frame_to_js(&frame, true)).collect()
    }
}

/// The type of the event that a JSON text holds.
///
/// @throws invalid-argument, invalid-json, nesting-too-deep, invalid-event
#[wasm_bindgen(js_name = decodeEvent)]
pub fn decode_event(json: &JsValue) -> Result<String, JsValue> {
    let event = text("text", json).and_then(|json| decode(&json));
    event.map(|event| event.event_type().to_owned()).map_err(|error| to_js(&error))
}

/// What came before a fault is handed out first; the fault is final, so the next call meets it.
fn handed_out(items: Array, outcome: Result<()>) -> Result<Array, JsValue> {
    match outcome {
        Err(error) if items.length() == 0 => Err(to_js(&error)),
        _ => Ok(items),
    }
}

fn frame_of(frame: SseFrame) -> JsValue {
    let offset = frame.position as f64;
    Array::of4(&frame.event.into(), &frame.data.into(), &frame.id.into(), &offset.into()).into()
}
