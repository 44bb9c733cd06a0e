//! The status of the turn, for eyes and screen readers alike.

use leptos::prelude::*;

/// The one polite live region: it changes a few times a turn and never holds the answer.
#[component]
pub(super) fn StatusLine(
    /// What it says.
    status: Memo<String>,
    /// Whether the agent is at work.
    is_busy: Memo<bool>,
) -> impl IntoView {
    view! {
        <p class="status" role="status" data-busy=move || is_busy.get().to_string()>
            {move || status.get()}
        </p>
    }
}
