//! The network of browsers, workers and other JavaScript hosts: the global `fetch`.
//!
//! The globals are called by name, so the same build runs in windows, workers, Node, Deno, Bun and
//! on edge runtimes, and finds a `fetch` that was replaced later.

use super::transport::{Headers, Request, Response, Transport};
use crate::{Error, ErrorKind, Result};
use bytes::Bytes;
use futures_core::Stream;
use js_sys::{Array, ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// The longest time that `setTimeout` counts; it fires at once for a longer one.
const MAX_TIMEOUT_MS: u128 = i32::MAX as u128;

const MAX_REASON_CHARS: usize = 120;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = fetch)]
    fn global_fetch(url: &str, init: &Object) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = setTimeout)]
    fn set_timeout(callback: &JsValue, ms: f64) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = clearTimeout)]
    fn clear_timeout(id: &JsValue) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    fn array_from(iterable: &JsValue) -> Result<Array, JsValue>;

    type AbortController;
    #[wasm_bindgen(constructor, catch)]
    fn new() -> Result<AbortController, JsValue>;
    #[wasm_bindgen(method, structural, catch, getter)]
    fn signal(this: &AbortController) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, structural, catch)]
    fn abort(this: &AbortController) -> Result<(), JsValue>;

    type FetchResponse;
    #[wasm_bindgen(method, structural, catch, getter)]
    fn status(this: &FetchResponse) -> Result<u16, JsValue>;
    #[wasm_bindgen(method, structural, catch, getter)]
    fn redirected(this: &FetchResponse) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, structural, catch, getter)]
    fn headers(this: &FetchResponse) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, structural, catch, getter)]
    fn body(this: &FetchResponse) -> Result<Option<ByteStream>, JsValue>;

    type ByteStream;
    #[wasm_bindgen(method, structural, catch, js_name = getReader)]
    fn get_reader(this: &ByteStream) -> Result<Reader, JsValue>;

    type Reader;
    #[wasm_bindgen(method, structural, catch)]
    fn read(this: &Reader) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, structural, catch)]
    fn cancel(this: &Reader) -> Result<JsValue, JsValue>;

    type Chunk;
    #[wasm_bindgen(method, structural, catch, getter)]
    fn done(this: &Chunk) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, structural, catch, getter)]
    fn value(this: &Chunk) -> Result<JsValue, JsValue>;
}

/// Carries requests over the global `fetch`.
///
/// # Errors
/// Whatever JavaScript throws or rejects with is `network`, also an `AbortError` that the host made
/// by itself, as a phone does with a page that it freezes.
///
/// # Cancellation
/// Each request has an `AbortController` that is used once if the request or its body is dropped
/// before the end, and never otherwise.
///
/// # Examples
/// ```no_run
/// use turnwire::client::{FetchTransport, LoopClient};
/// let client = LoopClient::new(FetchTransport, "/api").unwrap();
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct FetchTransport;

impl Transport for FetchTransport {
    type Body = FetchBody;
    type Sleep = FetchSleep;

    async fn send(&self, request: Request) -> Result<Response<FetchBody>> {
        let guard = AbortGuard::new()?;
        let init = init_of(&request, &guard)?;
        let response = settled(global_fetch(&request.url, &init)).await?;
        response_of(response.unchecked_into(), guard).map_err(|thrown| fault(&thrown))
    }

    fn sleep(&self, duration: Duration) -> FetchSleep {
        FetchSleep::new(duration)
    }

    fn is_foreign(&self, address: &str) -> bool {
        page_origin().is_some_and(|origin| {
            let rest = address.strip_prefix(&origin);
            !address.is_empty()
                && !address.starts_with('/')
                && !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Without an operating system a hash map's keys are no randomness.
    fn jitter(&self) -> f64 {
        js_sys::Math::random()
    }
}

/// Aborts the request when dropped, unless it was over by then.
struct AbortGuard(Option<AbortController>);

impl AbortGuard {
    fn new() -> Result<Self> {
        let controller = AbortController::new().map_err(|thrown| fault(&thrown))?;
        Ok(Self(Some(controller)))
    }

    fn signal(&self) -> Result<JsValue, JsValue> {
        match &self.0 {
            Some(controller) => controller.signal(),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    fn disarm(&mut self) {
        self.0 = None;
    }
}

impl Drop for AbortGuard {
    fn drop(&mut self) {
        if let Some(controller) = self.0.take() {
            // Aborting a request that is being given up has nobody to report a failure to.
            let _ = controller.abort();
        }
    }
}

/// Body of a response that `fetch` gave.
pub struct FetchBody {
    reader: Option<Reader>,
    pending: Option<JsFuture>,
    guard: AbortGuard,
}

impl FetchBody {
    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>>> {
        let Some(reader) = &self.reader else {
            return Poll::Ready(Ok(None));
        };
        let pending = self.pending.get_or_insert_with(|| future_of(reader.read()));
        let read = ready!(Pin::new(pending).poll(cx));
        self.pending = None;
        Poll::Ready(read.and_then(bytes_of).map_err(|thrown| fault(&thrown)))
    }

    /// The response is over: nothing is left to be cancelled.
    fn end(&mut self) {
        self.reader = None;
        self.guard.disarm();
    }
}

impl Stream for FetchBody {
    type Item = Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let read = ready!(self.poll_read(cx)).transpose();
        if read.is_none() {
            self.end();
        }
        Poll::Ready(read)
    }
}

impl Drop for FetchBody {
    fn drop(&mut self) {
        // Beside the signal, for a stand-in of `fetch` that does not heed it.
        if let Some(reader) = self.reader.take() {
            let cancelled = future_of(reader.cancel());
            spawn_local(async move {
                let _ = cancelled.await;
            });
        }
    }
}

impl fmt::Debug for FetchBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchBody").field("open", &self.reader.is_some()).finish_non_exhaustive()
    }
}

/// A timer of the JavaScript host; dropping it clears the timer.
pub struct FetchSleep {
    shared: Rc<Alarm>,
    id: JsValue,
    _ring: Closure<dyn FnMut()>,
}

#[derive(Default)]
struct Alarm {
    rang: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl FetchSleep {
    fn new(duration: Duration) -> Self {
        let shared = Rc::new(Alarm::default());
        let alarm = shared.clone();
        let ring = Closure::new(move || alarm.ring());
        let ms = duration.as_millis().min(MAX_TIMEOUT_MS) as f64;
        Self {
            // Without `setTimeout`, as in an audio worklet, no time is ever up.
            id: set_timeout(ring.as_ref(), ms).unwrap_or(JsValue::UNDEFINED),
            shared,
            _ring: ring,
        }
    }
}

impl Alarm {
    fn ring(&self) {
        self.rang.set(true);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl Future for FetchSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.shared.rang.get() {
            return Poll::Ready(());
        }
        self.shared.waker.replace(Some(cx.waker().clone()));
        Poll::Pending
    }
}

impl Drop for FetchSleep {
    fn drop(&mut self) {
        if !self.shared.rang.get() {
            let _ = clear_timeout(&self.id);
        }
    }
}

impl fmt::Debug for FetchSleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchSleep").field("rang", &self.shared.rang.get()).finish_non_exhaustive()
    }
}

fn init_of(request: &Request, guard: &AbortGuard) -> Result<Object> {
    let init = Object::new();
    let headers: Array = request.headers.iter().map(pair_of).collect();
    let set = |name: &str, value: &JsValue| Reflect::set(&init, &name.into(), value).map(drop);
    set("method", &request.method.as_str().into())
        .and_then(|()| set("headers", &headers))
        .and_then(|()| set("signal", &guard.signal()?))
        .and_then(|()| match &request.body {
            Some(body) => set("body", &body.as_str().into()),
            None => Ok(()),
        })
        .map_err(|thrown| fault(&thrown))?;
    Ok(init)
}

/// Milliseconds since 1970; the standard library has no clock here.
pub(super) fn unix_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// Origin of the page or worker; hosts that are no browser have none.
fn page_origin() -> Option<String> {
    let location = Reflect::get(&js_sys::global(), &"location".into()).ok()?;
    let origin = Reflect::get(&location, &"origin".into()).ok()?.as_string()?;
    origin.starts_with("http").then_some(origin)
}

fn pair_of((name, value): &(String, String)) -> Array {
    [name, value].into_iter().map(|text| JsValue::from_str(text)).collect()
}

fn response_of(
    response: FetchResponse,
    mut guard: AbortGuard,
) -> Result<Response<FetchBody>, JsValue> {
    let reader = match response.body()? {
        Some(body) => Some(body.get_reader()?),
        None => {
            guard.disarm();
            None
        }
    };
    Ok(Response {
        status: response.status()?,
        headers: headers_of(&response.headers()?)?,
        redirected: response.redirected()?,
        body: FetchBody { reader, pending: None, guard },
    })
}

fn headers_of(headers: &JsValue) -> Result<Headers, JsValue> {
    let text = |value: JsValue| value.as_string().unwrap_or_default();
    let pair = |pair: JsValue| {
        let pair: Array = pair.unchecked_into();
        (text(pair.get(0)), text(pair.get(1)))
    };
    Ok(array_from(headers)?.iter().map(pair).collect())
}

/// What a `read()` gave: bytes, or the end.
fn bytes_of(chunk: JsValue) -> Result<Option<Bytes>, JsValue> {
    let chunk: Chunk = chunk.unchecked_into();
    if chunk.done()? {
        return Ok(None);
    }
    let value = chunk.value()?;
    if !ArrayBuffer::is_view(&value) {
        return Err("a chunk of the body is not bytes".into());
    }
    // Not `dyn_into`: bytes of another realm are no instance of this one's class.
    Ok(Some(value.unchecked_into::<Uint8Array>().to_vec().into()))
}

/// A future of whatever a call gave: its promise, a plain value, or what it threw.
fn future_of(called: Result<JsValue, JsValue>) -> JsFuture {
    JsFuture::from(match called {
        Ok(value) => Promise::resolve(&value),
        Err(thrown) => Promise::reject(&thrown),
    })
}

async fn settled(called: Result<JsValue, JsValue>) -> Result<JsValue> {
    future_of(called).await.map_err(|thrown| fault(&thrown))
}

/// Says what was thrown, without anything that may be an address.
fn fault(thrown: &JsValue) -> Error {
    let text =
        |name: &str| Reflect::get(thrown, &name.into()).ok().and_then(|value| value.as_string());
    let reason = text("message").or_else(|| thrown.as_string());
    let name = text("name").unwrap_or_else(|| "no connection to the server".into());
    let message = match reason.filter(|reason| is_harmless(reason)) {
        Some(reason) => format!("{name}: {reason}"),
        None => name,
    };
    let message = message.replace(|c: char| c.is_control(), " ");
    Error::new(ErrorKind::Network, message.chars().take(MAX_REASON_CHARS).collect::<String>())
}

fn is_harmless(reason: &str) -> bool {
    !reason.is_empty() && !reason.contains(['/', '@', '?'])
}
