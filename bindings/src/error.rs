//! Rust errors → `TurnwireError`, in one place.

use futures_util::FutureExt;
use js_sys::{Function, JSON, Object};
use serde::Serialize;
use std::cell::RefCell;
use std::future::Future;
use turnwire::error::HttpDetails;
use turnwire::{Error, ErrorKind, Result};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

thread_local! {
    static FACTORY: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Sets what makes an error object from its fields; without it a plain `Error` carries them.
///
/// The class lives in JavaScript, so that all entry points of the package share one.
#[wasm_bindgen(js_name = setErrorFactory)]
pub fn set_error_factory(factory: Function) {
    FACTORY.with(|known| known.replace(Some(factory)));
}

/// The error that a code arrives as, for tests; `undefined` for a code that there is none of.
#[must_use]
pub fn error_of_kind(kind: ErrorKind) -> JsValue {
    to_js(&Error::new(kind, kind.code()))
}

/// The fields of a `TurnwireError`, spelled as in `types.d.ts`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fault<'a> {
    code: &'a str,
    message: String,
    retryable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    item_ids: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<HttpFault<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HttpFault<'a> {
    status: u16,
    redirected: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    www_authenticate: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
}

impl<'a> From<&'a Error> for Fault<'a> {
    fn from(error: &'a Error) -> Self {
        Self {
            code: error.code(),
            message: message_of(error),
            retryable: error.is_retryable(),
            status: error.status(),
            offset: error.position(),
            item_ids: error.items(),
            http: error.http().map(Into::into),
        }
    }
}

impl<'a> From<&'a HttpDetails> for HttpFault<'a> {
    fn from(details: &'a HttpDetails) -> Self {
        Self {
            status: details.status,
            redirected: details.redirected,
            media_type: details.media_type.as_deref(),
            code: details.code.as_deref(),
            message: details.message.as_deref(),
            verdict: details.verdict.as_deref(),
            answer: details.answer.as_deref(),
            excerpt: details.excerpt.as_deref(),
            retry_after_ms: details.retry_after.map(|wait| wait.as_secs().saturating_mul(1000)),
            www_authenticate: details.www_authenticate.as_deref(),
            request_id: details.request_id.as_deref(),
        }
    }
}

/// What a failed response's error says is the server's own text, as the original client has it.
fn message_of(error: &Error) -> String {
    match (error.kind(), error.status(), error.server_message()) {
        (ErrorKind::Http, _, Some(text)) => text.to_owned(),
        (ErrorKind::Http, Some(status), None) => format!("HTTP {status}"),
        _ => error.to_string(),
    }
}

/// The error object for an error.
pub(crate) fn to_js(error: &Error) -> JsValue {
    let fault = parse(&to_json(&Fault::from(error)));
    FACTORY.with_borrow(|factory| match factory {
        Some(factory) => factory.call1(&JsValue::NULL, &fault).unwrap_or_else(|thrown| thrown),
        None => Object::assign(js_sys::Error::new("").as_ref(), fault.unchecked_ref()).into(),
    })
}

/// The promise of a result.
pub(crate) fn promise<T: Into<JsValue>>(
    future: impl Future<Output = Result<T>> + 'static,
) -> js_sys::Promise {
    future_to_promise(async move { future.await.map(Into::into).map_err(|error| to_js(&error)) })
}

/// The promise of an action that is begun at once, not in the next microtask: the state tells of it
/// when the call returns.
pub(crate) fn begun(action: impl Future<Output = Result<()>> + 'static) -> js_sys::Promise {
    let mut action = Box::pin(action);
    let begun = action.as_mut().now_or_never();
    promise(async move {
        let outcome = match begun {
            Some(outcome) => outcome,
            None => action.await,
        };
        outcome.map(|()| JsValue::UNDEFINED)
    })
}

/// JSON text of a value that is made of structs, strings and numbers.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    // Such a value cannot fail to be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// JavaScript's value of a JSON text that was written here or has been read before.
pub(crate) fn parse(json: &str) -> JsValue {
    JSON::parse(json).unwrap_or(JsValue::UNDEFINED)
}
