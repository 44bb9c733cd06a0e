//! The frame of everything that a person decides on.

use super::icon::{Glyph, Icon};
use leptos::html;
use leptos::prelude::*;

/// A card's heading, which takes the focus when a verdict is given.
pub(super) type Heading = NodeRef<html::H4>;

/// A heading with whatever is inside, as a region of that name.
#[component]
pub(super) fn CardFrame(
    /// What is decided on; one of its kind on the page.
    id: String,
    /// The class that tells kinds of cards apart.
    kind: &'static str,
    /// Its state, for styles.
    #[prop(into)]
    state: Signal<Option<&'static str>>,
    /// Stands before the heading.
    #[prop(into)]
    glyph: Signal<Glyph>,
    /// The heading.
    heading: Heading,
    /// What the heading says.
    #[prop(into)]
    title: Signal<Option<String>>,
    /// Whether there is a note of the id that [`note_id`] gives.
    #[prop(optional, into)]
    is_noted: Signal<bool>,
    /// What stands below the heading.
    children: Children,
) -> impl IntoView {
    let (title_id, note) = (format!("card-{id}"), note_id(&id));
    view! {
        <section
            class=format!("card {kind}")
            data-state=move || state.get()
            data-id=id
            aria-labelledby=title_id.clone()
        >
            <h4
                id=title_id.clone()
                tabindex="-1"
                aria-describedby=move || is_noted.get().then(|| note.clone())
                node_ref=heading
            >
                {move || view! { <Icon glyph=glyph.get() /> }}
                <span class="card-title">{move || title.get()}</span>
            </h4>
            {children()}
        </section>
    }
}

/// The id of what a card says quietly.
pub(super) fn note_id(card: &str) -> String {
    format!("card-{card}-note")
}
