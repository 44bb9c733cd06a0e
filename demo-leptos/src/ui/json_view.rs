//! JSON, laid out and coloured.

use crate::model::json_text::{Ink, lay_out};
use leptos::prelude::*;
use serde_json::Value;

/// A value as text nodes: whatever it holds, it is never markup.
#[component]
pub(super) fn JsonView(
    /// The value.
    value: Value,
) -> impl IntoView {
    let pieces = lay_out(&value).into_iter().map(|piece| {
        let class = match piece.ink {
            Ink::Plain => "plain",
            Ink::Key => "key",
            Ink::Text => "string",
            Ink::Atom => "atom",
        };
        view! { <span class=class>{piece.text}</span> }
    });
    view! { <pre class="json" dir="ltr"><code>{pieces.collect_view()}</code></pre> }
}
