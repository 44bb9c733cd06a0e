//! A `fetch` that the test itself scripts.

use js_sys::{Function, JSON, Object, Promise, Reflect};
use turnwire::client::{FetchTransport, LoopClient};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The global `fetch` and the global timers are replaced while it lives.
pub(crate) struct StandIn(Object);

impl StandIn {
    /// `options` is the JSON of what the script takes.
    pub(crate) fn new(options: &str) -> Self {
        let make: Function = js_sys::eval(include_str!("stand_in.js")).unwrap().unchecked_into();
        let options = JSON::parse(options).unwrap();
        Self(make.call1(&JsValue::NULL, &options).unwrap().unchecked_into())
    }

    pub(crate) fn client(&self) -> LoopClient<FetchTransport> {
        LoopClient::new(FetchTransport, "/api").unwrap()
    }

    pub(crate) fn count(&self, name: &str) -> f64 {
        self.get(name).as_f64().unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name).as_string()
    }

    /// Aborts, cancels, armed timers and unhandled rejections once all is quiet.
    pub(crate) async fn traces(&self) -> [f64; 4] {
        self.rest().await;
        ["aborts", "cancels", "armed", "unhandled"].map(|name| self.count(name))
    }

    pub(crate) async fn rest(&self) {
        let rest: Function = self.get("rest").unchecked_into();
        let promise: Promise = rest.call0(&self.0).unwrap().unchecked_into();
        JsFuture::from(promise).await.unwrap();
    }

    fn get(&self, name: &str) -> JsValue {
        Reflect::get(&self.0, &name.into()).unwrap()
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        let restore: Function = self.get("restore").unchecked_into();
        restore.call0(&self.0).unwrap();
    }
}
