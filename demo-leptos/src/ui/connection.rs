//! What there is to know about the line to the server.

use super::icon::{Glyph, Icon};
use leptos::prelude::*;

/// A quiet line where turns cannot be watched live, and notes that unfold for whoever runs the
/// server or the page.
#[component]
pub(super) fn ConnectionNotes(
    /// What this server cannot do.
    #[prop(optional, into)]
    limitation: Signal<Option<&'static str>>,
    /// The notes.
    notes: Memo<Vec<String>>,
) -> impl IntoView {
    view! {
        {move || limitation.get().map(|text| view! {
            <p class="notice limitation">
                <Icon glyph=Glyph::Info />
                <span>{text}</span>
            </p>
        })}
        <Show when=move || notes.with(|notes| !notes.is_empty())>
            <details class="fold connection-notes">
                <summary>
                    <Icon glyph=Glyph::Chevron />
                    "Connection notes"
                </summary>
                <ul>
                    <For each=move || notes.get() key=Clone::clone let:note>
                        <li>{note}</li>
                    </For>
                </ul>
            </details>
        </Show>
    }
}
