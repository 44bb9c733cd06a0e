//! The button that changes the colours.

use super::browser;
use super::icon::{Glyph, Icon};
use crate::model::theme::Theme;
use leptos::prelude::*;

/// Goes round: as the system has it, light, dark.
#[component]
pub(super) fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new(browser::stored_theme());
    let turn = move |_| {
        theme.update(|theme| *theme = theme.next());
        browser::apply_theme(theme.get_untracked());
    };
    let label = move || format!("Colours: {}", theme.get().as_str());
    view! {
        <button type="button" class="button quiet square" aria-label=label title=label on:click=turn>
            {move || match theme.get() {
                Theme::System => view! { <Icon glyph=Glyph::Screen /> },
                Theme::Light => view! { <Icon glyph=Glyph::Sun /> },
                Theme::Dark => view! { <Icon glyph=Glyph::Moon /> },
            }}
        </button>
    }
}
