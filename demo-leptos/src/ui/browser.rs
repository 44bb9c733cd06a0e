//! The browser: address, storage, focus and scrolling. Nothing else touches `web_sys`.

use crate::model::address;
use crate::model::composer::KeyPress;
use crate::model::scroll::ScrollPosition;
use crate::model::theme::Theme;
use js_sys::{Date, Object, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, KeyboardEvent, Storage};

const THEME: &str = "turnwire-theme";
const BOOT_NOTICE: &str = "boot";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Removes what the page says until the program runs.
pub fn remove_boot_notice() {
    if let Some(notice) = document().get_element_by_id(BOOT_NOTICE) {
        notice.remove();
    }
}

/// The query of the page's address.
#[must_use]
pub fn query() -> String {
    window().location().search().unwrap_or_default()
}

/// The page's address without its query.
#[must_use]
pub fn path() -> String {
    window().location().pathname().unwrap_or_default()
}

/// Names the session in the page's address, so that a reload finds it; `None` names none.
pub fn show_session(session: Option<&str>) {
    let address = format!("{}{}", path(), address::with_session(&query(), session));
    if let Ok(history) = window().history() {
        // A page that may not change its address (a sandboxed frame) works all the same.
        drop(history.replace_state_with_url(&JsValue::NULL, "", Some(&address)));
    }
}

/// The theme chosen earlier.
#[must_use]
pub fn stored_theme() -> Theme {
    let stored = storage().and_then(|storage| storage.get_item(THEME).ok().flatten());
    Theme::from_stored(stored.as_deref())
}

/// Shows a theme and keeps it, where the browser lets us.
pub fn apply_theme(theme: Theme) {
    if let Some(root) = document().document_element() {
        drop(root.set_attribute("data-theme", theme.as_str()));
    }
    if let Some(storage) = storage() {
        drop(storage.set_item(THEME, theme.as_str()));
    }
}

/// Whether typing needs no on-screen keyboard, so that focus may go to a field by itself.
#[must_use]
pub fn has_fine_pointer() -> bool {
    let matches = window().match_media("(pointer: fine)").ok().flatten();
    matches.is_some_and(|media| media.matches())
}

/// Moves the focus, without scrolling the page to it.
pub fn focus(element: &HtmlElement) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    drop(element.focus_with_options(&options));
}

/// Moves the focus to the conversation: for controls that vanish when they are used.
pub fn focus_conversation() {
    focus_first("main");
}

/// Moves the focus to the field that messages are written in.
pub fn focus_composer() {
    focus_first(".composer textarea");
}

fn focus_first(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        focus(&found);
    }
}

/// A name for a session that nobody else gives.
#[must_use]
pub fn new_session_id() -> String {
    let mut bytes = [0_u8; 16];
    if let Ok(crypto) = window().crypto() {
        // What fails leaves zeros, and browsers do not fail for so few bytes.
        drop(crypto.get_random_values_with_u8_array(&mut bytes));
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the machine may have a network; browsers deny it only where it is certain.
#[must_use]
pub fn is_online() -> bool {
    window().navigator().on_line()
}

/// The page's clock, in milliseconds since 1970.
#[must_use]
pub fn now() -> i64 {
    Date::now() as i64
}

/// An RFC 3339 time in milliseconds since 1970.
#[must_use]
pub fn parse_time(text: &str) -> Option<i64> {
    let time = Date::parse(text);
    time.is_finite().then_some(time as i64)
}

/// A time as a clock shows it to the person, with the date where that is another day's.
#[must_use]
pub fn clock_time(time: i64) -> String {
    let options = Object::new();
    let set = |name: &str, value: &str| drop(Reflect::set(&options, &name.into(), &value.into()));
    set("timeStyle", "short");
    if time - now() >= DAY_MS {
        set("dateStyle", "medium");
    }
    let language = window().navigator().language().unwrap_or_else(|| "en".to_owned());
    Date::new(&JsValue::from_f64(time as f64)).to_locale_string(&language, &options).into()
}

/// Where a scrolled box stands.
#[must_use]
pub fn scroll_position(element: &Element) -> ScrollPosition {
    ScrollPosition {
        top: element.scroll_top(),
        visible: element.client_height(),
        total: element.scroll_height(),
    }
}

/// Scrolls a box to its end.
pub fn scroll_to_end(element: &Element) {
    element.set_scroll_top(element.scroll_height());
}

/// A key event as the model reads it.
#[must_use]
pub fn key_press(event: &KeyboardEvent) -> KeyPress {
    KeyPress {
        key: event.key(),
        shift: event.shift_key(),
        composing: event.is_composing(),
        key_code: event.key_code(),
    }
}

/// Whether an element has the focus.
#[must_use]
pub fn is_focused(element: &Element) -> bool {
    document()
        .active_element()
        .is_some_and(|active| active.is_same_node(Some(element.unchecked_ref())))
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}
