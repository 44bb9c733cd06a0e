//! What is kept over a reload, where the browser lets us.

use super::sys::{self, Host};

pub(super) fn load(name: &str) -> Option<String> {
    place()?.get_item(name).ok().flatten()
}

pub(super) fn save(name: &str, text: Option<&str>) {
    let Some(place) = place() else { return };
    // A place that is full or forbidden keeps nothing; what waits is in the state all the same.
    let _ = match text {
        Some(text) => place.set_item(name, text),
        None => place.remove_item(name),
    };
}

fn place() -> Option<Host> {
    sys::host(&["localStorage"])
}
