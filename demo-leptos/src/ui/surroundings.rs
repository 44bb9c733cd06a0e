//! What a page keeps in step with its browser: its address and the network.

use super::browser;
use leptos::ev;
use leptos::prelude::*;

/// Keeps the session's id in the page's address.
pub(super) fn follow_address(id: Memo<Option<String>>) {
    Effect::new(move || {
        if let Some(id) = id.get() {
            browser::show_session(Some(&id));
        }
    });
}

/// Keeps track of the network; `came` is called when it is back.
pub(super) fn follow_network(is_online: RwSignal<bool>, came: impl Fn() + 'static) {
    let went = window_event_listener(ev::offline, move |_| is_online.set(false));
    let back = window_event_listener(ev::online, move |_| {
        is_online.set(true);
        came();
    });
    on_cleanup(move || {
        went.remove();
        back.remove();
    });
}
