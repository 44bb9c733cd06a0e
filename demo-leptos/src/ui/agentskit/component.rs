//! A component of a message, or the words that stand in for it.

use super::catalog::Catalog;
use crate::ui::icon::{Glyph, Icon};
use leptos::prelude::*;
use turnwire::agentskit::{ComponentFrame, Diagnostic};

/// Draws the component anew when its frame is another one.
#[component]
pub(super) fn ComponentView(
    /// The frame as it is now; none once it is gone.
    frame: Memo<Option<ComponentFrame>>,
) -> impl IntoView {
    let catalog = Catalog::expect();
    move || {
        let frame = frame.get()?;
        let drawn = catalog.draw(&frame);
        Some(drawn.unwrap_or_else(|diagnostic| in_words(frame, &diagnostic)))
    }
}

/// What a component means, where it cannot be drawn, and why it cannot.
fn in_words(frame: ComponentFrame, diagnostic: &Diagnostic) -> AnyView {
    let why = format!("{}: {}", frame.component_key, diagnostic.message());
    view! {
        <div class="stand-in" data-code=diagnostic.code().as_str()>
            <p class="text">{frame.fallback.summary}</p>
            <p class="stand-in-why">
                <Icon glyph=Glyph::Info />
                <span>{why}</span>
            </p>
        </div>
    }
    .into_any()
}
