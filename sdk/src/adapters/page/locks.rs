//! Web Locks: which window reads a session's stream.

use super::sys::{self, AbortController, Host};
use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A lock that is held until this is dropped, or its window is gone.
pub(super) struct Held(Function);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.call0(&JsValue::UNDEFINED);
    }
}

/// A request for a lock; dropping it withdraws the request.
struct Asking {
    granted: JsFuture,
    release: Option<Held>,
    abort: Option<AbortController>,
    _callback: Closure<dyn FnMut(JsValue) -> JsValue>,
}

/// Whether this browser has locks.
pub(super) fn are_there() -> bool {
    manager().is_some()
}

/// Waits for a lock; without `patience` gives none where it is held.
pub(super) async fn acquire(name: &str, patience: bool) -> Option<Held> {
    let mut asking = Asking::begin(name, patience)?;
    let lock = (&mut asking.granted).await.ok()?;
    asking.abort = None;
    asking.release.take().filter(|_| !lock.is_null())
}

/// How many locks whose names begin like this are held, in all windows.
pub(super) async fn count(prefix: &str) -> Option<u64> {
    let state = JsFuture::from(manager()?.query().ok()?).await.ok()?;
    let held: Array = sys::property(&state, "held")?.unchecked_into();
    let name = |lock: JsValue| sys::property(&lock, "name")?.as_string();
    let names = held.iter().filter_map(name);
    Some(names.filter(|name| name.starts_with(prefix)).count() as u64)
}

fn manager() -> Option<Host> {
    sys::host(&["navigator", "locks"])
}

impl Asking {
    fn begin(name: &str, patience: bool) -> Option<Self> {
        let manager = manager()?;
        let (held, release) = promise();
        let (granted, grant) = promise();
        let callback = Closure::new(move |lock: JsValue| {
            // The lock is held as long as the promise that is returned here is pending.
            let is_granted = !lock.is_null();
            let _ = grant.call1(&JsValue::UNDEFINED, &lock);
            if is_granted { held.clone().into() } else { JsValue::UNDEFINED }
        });
        let abort = AbortController::new().ok().filter(|_| patience);
        let options = options(patience, abort.as_ref())?;
        let function: &Function = callback.as_ref().unchecked_ref();
        let asked = manager.request(name, &options, function).ok()?;
        // Withdrawing rejects it, which nobody is to hear of.
        wasm_bindgen_futures::spawn_local(async move {
            let _ = JsFuture::from(asked).await;
        });
        let (granted, release) = (JsFuture::from(granted), Some(Held(release)));
        Some(Self { granted, release, abort, _callback: callback })
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        if let Some(abort) = self.abort.take() {
            let _ = abort.abort();
        }
    }
}

fn options(patience: bool, abort: Option<&AbortController>) -> Option<Object> {
    let options = Object::new();
    let set = |name: &str, value: JsValue| Reflect::set(&options, &name.into(), &value).ok();
    match abort {
        Some(abort) => set("signal", abort.signal().ok()?)?,
        None => set("ifAvailable", (!patience).into())?,
    };
    Some(options)
}

/// A promise, and the function that resolves it.
fn promise() -> (Promise, Function) {
    let mut resolver = None;
    let promise = Promise::new(&mut |resolve, _| resolver = Some(resolve));
    // The promise's constructor calls the function at once.
    (promise, resolver.unwrap_or_default())
}
