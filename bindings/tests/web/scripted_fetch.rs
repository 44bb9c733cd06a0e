//! A `fetch` that the test itself scripts, the same one as the sdk's tests have.

use js_sys::{Function, JSON, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

const SCRIPT: &str = include_str!("../../../sdk/tests/client_fetch/stand_in.js");

/// The global `fetch` and the global timers are replaced while it lives.
pub(crate) struct ScriptedFetch(Object);

impl ScriptedFetch {
    /// `script` is the JSON of what the script takes.
    pub(crate) fn new(script: &str) -> Self {
        let make: Function = js_sys::eval(SCRIPT).unwrap().unchecked_into();
        let script = JSON::parse(script).unwrap();
        Self(make.call1(&JsValue::NULL, &script).unwrap().unchecked_into())
    }

    /// What the last request had there, `null` as nothing.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name).as_string()
    }

    /// Requests, aborts and unhandled rejections once all is quiet.
    pub(crate) async fn traces(&self) -> [f64; 3] {
        let rest: Function = self.get("rest").unchecked_into();
        let promise: Promise = rest.call0(&self.0).unwrap().unchecked_into();
        JsFuture::from(promise).await.unwrap();
        ["calls", "aborts", "unhandled"].map(|name| self.get(name).as_f64().unwrap())
    }

    fn get(&self, name: &str) -> JsValue {
        Reflect::get(&self.0, &name.into()).unwrap()
    }
}

impl Drop for ScriptedFetch {
    fn drop(&mut self) {
        let restore: Function = self.get("restore").unchecked_into();
        restore.call0(&self.0).unwrap();
    }
}

/// What a promise comes to.
pub(crate) async fn settled(promise: Promise) -> Result<JsValue, JsValue> {
    JsFuture::from(promise).await
}

/// The code of what a promise rejects with.
pub(crate) async fn rejection(promise: Promise) -> String {
    code_of(&settled(promise).await.unwrap_err())
}

/// The `code` of an error object.
pub(crate) fn code_of(error: &JsValue) -> String {
    Reflect::get(error, &"code".into()).unwrap().as_string().unwrap()
}

/// A value as JSON text.
pub(crate) fn json_of(value: &JsValue) -> String {
    JSON::stringify(value).unwrap().into()
}
