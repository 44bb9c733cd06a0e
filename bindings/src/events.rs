//! A turn's events, as they cross.

use crate::answer::integers_in;
use crate::error::{promise, to_js};
use futures_util::FutureExt;
use js_sys::{Array, Promise};
use std::cell::RefCell;
use std::rc::Rc;
use turnwire::client::{EventStream, FetchTransport};
use turnwire::loopengine::{EventFrame, Received};
use turnwire::{Error, ErrorKind, Result};
use wasm_bindgen::prelude::*;

/// The open stream of one turn. Freeing it cancels the request.
#[wasm_bindgen]
#[derive(Debug)]
pub struct TurnEvents {
    reader: Rc<RefCell<Option<Reader>>>,
}

#[derive(Debug)]
struct Reader {
    stream: EventStream<FetchTransport>,
    /// What ends the stream after the frames that came with it.
    failure: Option<Error>,
    reports_integers: bool,
}

#[wasm_bindgen]
impl TurnEvents {
    /// Resolves to the frames that have arrived, at least one, or to `undefined` at the end.
    ///
    /// Each is `[json, type, id, offset, error, integers]`; one that is no event has an `error` and
    /// no `type`. One read at a time.
    #[wasm_bindgen(js_name = nextFrames)]
    pub fn next_frames(&self) -> Promise {
        let (slot, reader) = (self.reader.clone(), self.reader.take());
        promise(async move {
            let mut reader = reader.ok_or_else(already_reading)?;
            let frames = reader.next_frames().await;
            slot.replace(Some(reader));
            frames.map(|frames| frames.map_or(JsValue::UNDEFINED, Into::into))
        })
    }
}

impl TurnEvents {
    pub(crate) fn new(stream: EventStream<FetchTransport>, reports_integers: bool) -> Self {
        let reader = Reader { stream, failure: None, reports_integers };
        Self { reader: Rc::new(RefCell::new(Some(reader))) }
    }
}

impl Reader {
    /// Waits for one frame and takes along what has arrived with it: one promise for many events.
    async fn next_frames(&mut self) -> Result<Option<Array>> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let Some(first) = self.stream.next().await.transpose()? else { return Ok(None) };
        let frames = Array::of1(&frame_to_js(&first, self.reports_integers));
        while let Some(Some(next)) = self.stream.next().now_or_never() {
            match next {
                Ok(frame) => frames.push(&frame_to_js(&frame, self.reports_integers)),
                Err(error) => {
                    self.failure = Some(error);
                    break;
                }
            };
        }
        Ok(Some(frames))
    }
}

/// `[json, type, id, offset, error, integers]`.
pub(crate) fn frame_to_js(frame: &EventFrame, reports_integers: bool) -> JsValue {
    let (event_type, error) = match &frame.received {
        Received::Event(event) => (event.event_type().into(), JsValue::UNDEFINED),
        Received::Damaged(damaged) => (JsValue::UNDEFINED, to_js(&damaged.error)),
    };
    let fields = [
        frame.json.as_str().into(),
        event_type,
        frame.id.as_deref().into(),
        (frame.position as f64).into(),
        error,
        integers_in(&frame.json, reports_integers),
    ];
    fields.into_iter().collect::<Array>().into()
}

fn already_reading() -> Error {
    Error::new(ErrorKind::Busy, "a read is under way")
}
