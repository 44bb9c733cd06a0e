//! JavaScript's headers, and a function that gives them → Rust.

use crate::text::invalid;
use js_sys::{Function, Promise, Reflect};
use serde_json::Value;
use turnwire::Result;
use turnwire::client::{BoxError, HeaderSource, HeadersFor};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The source of a function that takes whether headers have to be fresh, and returns a promise of
/// `[name, value][]` as JSON text.
pub(crate) fn source_of(function: Function) -> HeaderSource {
    HeaderSource::new(move |what_for| {
        let is_refresh = JsValue::from(what_for == HeadersFor::Refresh);
        let called = function.call1(&JsValue::UNDEFINED, &is_refresh);
        async move {
            let promise = Promise::resolve(&called.map_err(reason_of)?);
            let given = JsFuture::from(promise).await.map_err(reason_of)?;
            Ok(pairs_of(&given.as_string().as_deref().map_or(Value::Null, parsed))?)
        }
    })
}

/// # Errors
/// `invalid-argument`.
pub(crate) fn pairs_of(headers: &Value) -> Result<Vec<(String, String)>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let pair = |pair: &Value| Some((text(pair.get(0)?)?, text(pair.get(1)?)?));
    let pairs = headers.as_array().and_then(|pairs| pairs.iter().map(pair).collect());
    pairs.ok_or_else(|| invalid("options.headers: expected strings"))
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// The message of what was thrown, or its text; empty for anything else.
fn reason_of(thrown: JsValue) -> BoxError {
    let message = Reflect::get(&thrown, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string());
    message.or_else(|| thrown.as_string()).unwrap_or_default().into()
}
