//! A button that shows that it is at work.

use leptos::prelude::*;

/// A button with a turning ring while it is busy; its label says so too.
#[component]
pub(super) fn BusyButton(
    /// Its classes.
    class: &'static str,
    /// `button`, or `submit` in a form.
    #[prop(default = "button")]
    kind: &'static str,
    /// What it says.
    #[prop(into)]
    label: String,
    /// What it says while busy.
    #[prop(into)]
    busy_label: String,
    /// Whether it is busy.
    #[prop(into)]
    is_busy: Signal<bool>,
    /// Whether it can be pressed.
    #[prop(into)]
    is_enabled: Signal<bool>,
    /// What pressing it does.
    #[prop(optional)]
    press: Option<Callback<()>>,
) -> impl IntoView {
    let click = move |_| {
        if let Some(press) = press {
            press.run(());
        }
    };
    view! {
        <button
            type=kind
            class=class
            disabled=move || !is_enabled.get()
            aria-busy=move || is_busy.get().to_string()
            on:click=click
        >
            <Show when=move || is_busy.get()>
                <i class="spinner" aria-hidden="true"></i>
            </Show>
            <span>{move || if is_busy.get() { busy_label.clone() } else { label.clone() }}</span>
        </button>
    }
}
