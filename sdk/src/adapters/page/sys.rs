//! What a browser offers, called by name, so that a host that lacks it is no error.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// `LockManager`, `Document` and the like: objects of which only methods are called.
    #[derive(Clone)]
    pub(super) type Host;
    #[wasm_bindgen(method, structural, catch, js_name = addEventListener)]
    pub(super) fn add_listener(
        this: &Host,
        event: &str,
        listener: &Function,
    ) -> Result<(), JsValue>;
    #[wasm_bindgen(method, structural, catch, js_name = removeEventListener)]
    pub(super) fn remove_listener(
        this: &Host,
        event: &str,
        listener: &Function,
    ) -> Result<(), JsValue>;
    #[wasm_bindgen(method, structural, catch)]
    pub(super) fn request(
        this: &Host,
        name: &str,
        options: &Object,
        callback: &Function,
    ) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, structural, catch)]
    pub(super) fn query(this: &Host) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, structural, catch, js_name = getItem)]
    pub(super) fn get_item(this: &Host, name: &str) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(method, structural, catch, js_name = setItem)]
    pub(super) fn set_item(this: &Host, name: &str, text: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, structural, catch)]
    pub(super) fn key(this: &Host, index: u32) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(method, structural, catch, js_name = removeItem)]
    pub(super) fn remove_item(this: &Host, name: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, structural, catch, js_name = getEntriesByType)]
    pub(super) fn entries_by_type(this: &Host, kind: &str) -> Result<Array, JsValue>;

    pub(super) type BroadcastChannel;
    #[wasm_bindgen(constructor, catch)]
    pub(super) fn new(name: &str) -> Result<BroadcastChannel, JsValue>;
    #[wasm_bindgen(method, structural, catch, js_name = postMessage)]
    pub(super) fn post(this: &BroadcastChannel, message: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, structural, setter, js_name = onmessage)]
    pub(super) fn set_on_message(this: &BroadcastChannel, listener: &Function);
    #[wasm_bindgen(method, structural, catch)]
    pub(super) fn close(this: &BroadcastChannel) -> Result<(), JsValue>;

    pub(super) type AbortController;
    #[wasm_bindgen(constructor, catch)]
    pub(super) fn new() -> Result<AbortController, JsValue>;
    #[wasm_bindgen(method, structural, catch, getter)]
    pub(super) fn signal(this: &AbortController) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, structural, catch)]
    pub(super) fn abort(this: &AbortController) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_name = setInterval)]
    pub(super) fn set_interval(callback: &Function, ms: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = clearInterval)]
    pub(super) fn clear_interval(id: &JsValue) -> Result<(), JsValue>;
}

/// A global of this name or below one, where it is there and may be used.
pub(super) fn global(path: &[&str]) -> Option<JsValue> {
    let root: JsValue = js_sys::global().into();
    let found = path.iter().try_fold(root, |value, name| property(&value, name))?;
    found.is_object().then_some(found)
}

/// The same as an object to call methods of.
pub(super) fn host(path: &[&str]) -> Option<Host> {
    global(path).map(JsCast::unchecked_into)
}

/// A property that is not undefined; a getter that throws has none.
pub(super) fn property(value: &JsValue, name: &str) -> Option<JsValue> {
    let found = Reflect::get(value, &name.into()).ok()?;
    (!found.is_undefined() && !found.is_null()).then_some(found)
}

/// The address with the page's origin before a path.
pub(super) fn absolute(address: &str) -> String {
    let is_path = address.is_empty() || address.starts_with('/');
    let origin = global(&["location"]).and_then(|location| property(&location, "origin"));
    match origin.and_then(|origin| origin.as_string()).filter(|_| is_path) {
        Some(origin) => format!("{origin}{address}"),
        None => address.to_owned(),
    }
}

/// Whether the server is known to carry many streams over one connection, as HTTP/2 does.
pub(super) fn is_multiplexed(server: &str) -> bool {
    let Some(entries) =
        host(&["performance"]).and_then(|host| host.entries_by_type("resource").ok())
    else {
        return false;
    };
    let text = |entry: &JsValue, name| property(entry, name).and_then(|value| value.as_string());
    entries.iter().any(|entry| {
        text(&entry, "name").is_some_and(|name| name.starts_with(server))
            && matches!(text(&entry, "nextHopProtocol").as_deref(), Some("h2" | "h3"))
    })
}
