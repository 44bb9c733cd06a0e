//! The sign that the agent works.

use leptos::prelude::*;

/// Three dots; the status line says the same in words.
#[component]
pub(super) fn Working() -> impl IntoView {
    view! { <p class="working" aria-hidden="true"><i></i><i></i><i></i></p> }
}
