//! The page's life: hidden and shown, offline and online, asleep and awake.

use super::sys::{self, Host};
use crate::client::{Transport, WeakChat};
use js_sys::{Date, Function};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// How often it is looked whether time has passed unseen.
const TICK_MS: f64 = 15_000.0;
/// A machine that was awake comes by more often than this, even in a hidden window.
const SLEEP_MS: f64 = 4.0 * TICK_MS;

/// Listeners that end when this is dropped.
pub(super) struct PageWatch {
    _listeners: Vec<Listener>,
    _tick: Tick,
}

struct Listener {
    target: Host,
    event: &'static str,
    callback: Closure<dyn FnMut()>,
}

struct Tick {
    id: JsValue,
    _callback: Closure<dyn FnMut()>,
}

struct Watched<T>(WeakChat<T>);

impl PageWatch {
    /// Begins to watch; nothing where there is no page.
    pub(super) fn begin<T: Transport + 'static>(chat: WeakChat<T>) -> Option<Self> {
        let document = sys::host(&["document"])?;
        let window = sys::host(&["window"])?;
        let watched = Rc::new(Watched(chat));
        watched.set_online(is_online());
        let on = |target: &Host, event, act: fn(&Rc<Watched<T>>)| {
            let watched = Rc::clone(&watched);
            Listener::add(target, event, move || act(&watched))
        };
        let listeners = vec![
            on(&document, "visibilitychange", |watched| {
                if is_visible() {
                    watched.check();
                }
            }),
            on(&window, "pageshow", Watched::check),
            on(&window, "offline", |watched| watched.set_online(is_online())),
            on(&window, "online", |watched| {
                // A page that is being loaded or left can be told of what is not so.
                watched.set_online(is_online());
                watched.check();
            }),
        ];
        Some(Self { _listeners: listeners, _tick: Tick::begin(watched) })
    }
}

impl<T: Transport + 'static> Watched<T> {
    fn set_online(&self, online: bool) {
        if let Some(chat) = self.0.upgrade() {
            chat.set_online(online);
        }
    }

    /// Sends what waits, and finds out what has happened.
    fn check(self: &Rc<Self>) {
        let Some(chat) = self.0.upgrade() else { return };
        spawn_local(async move {
            // What comes of it is in the state; what fails is tried at the next occasion.
            drop(chat.catch_up().await);
            drop(chat.flush().await);
            drop(chat.follow_turn().await);
        });
    }
}

impl Listener {
    fn add(target: &Host, event: &'static str, act: impl Fn() + 'static) -> Self {
        let callback = Closure::new(act);
        let function: &Function = callback.as_ref().unchecked_ref();
        let _ = target.add_listener(event, function);
        Self { target: target.clone(), event, callback }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function: &Function = self.callback.as_ref().unchecked_ref();
        let _ = self.target.remove_listener(self.event, function);
    }
}

impl Tick {
    fn begin<T: Transport + 'static>(watched: Rc<Watched<T>>) -> Self {
        let last = Cell::new(Date::now());
        let callback = Closure::new(move || {
            let now = Date::now();
            if now - last.replace(now) > SLEEP_MS {
                watched.check();
            }
        });
        let function: &Function = callback.as_ref().unchecked_ref();
        let id = sys::set_interval(function, TICK_MS).unwrap_or(JsValue::UNDEFINED);
        Self { id, _callback: callback }
    }
}

impl Drop for Tick {
    fn drop(&mut self) {
        let _ = sys::clear_interval(&self.id);
    }
}

/// Browsers say `false` only where it is certain.
fn is_online() -> bool {
    let said =
        sys::global(&["navigator"]).and_then(|navigator| sys::property(&navigator, "onLine"));
    said.and_then(|said| said.as_bool()).unwrap_or(true)
}

fn is_visible() -> bool {
    let said =
        sys::global(&["document"]).and_then(|document| sys::property(&document, "visibilityState"));
    said.and_then(|said| said.as_string()).as_deref() != Some("hidden")
}
