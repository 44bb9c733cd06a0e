//! What the windows of one origin tell each other.

use super::sys::{self, BroadcastChannel};
use crate::client::News;
use js_sys::Function;
use wasm_bindgen::prelude::*;

/// A channel to the other windows, which is closed when dropped.
pub(super) struct Channel {
    channel: BroadcastChannel,
    _listener: Closure<dyn FnMut(JsValue)>,
}

impl Channel {
    /// Opens it, where there are windows at all: in a page.
    pub(super) fn open(name: &str, hear: impl Fn(News) + 'static) -> Option<Self> {
        sys::global(&["document"])?;
        let channel = BroadcastChannel::new(name).ok()?;
        let listener = Closure::new(move |event: JsValue| {
            // What cannot be read is of another version.
            let text = sys::property(&event, "data").and_then(|data| data.as_string());
            if let Some(news) = text.and_then(|text| serde_json::from_str(&text).ok()) {
                hear(news);
            }
        });
        let function: &Function = listener.as_ref().unchecked_ref();
        channel.set_on_message(function);
        Some(Self { channel, _listener: listener })
    }

    pub(super) fn post(&self, news: &News) {
        if let Ok(text) = serde_json::to_string(news) {
            // A channel that is closed has nobody to tell.
            let _ = self.channel.post(&text);
        }
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        let _ = self.channel.close();
    }
}
