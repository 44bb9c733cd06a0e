//! How far something has come.

use crate::model::agentskit::props::Progress;
use leptos::prelude::*;

/// A bar with its words.
#[component]
pub(super) fn ProgressView(
    /// What is shown.
    props: Progress,
) -> impl IntoView {
    let words = props.value.words();
    let status = props.status.map(|status| view! { <span class="progress-status">{status}</span> });
    view! {
        <div class="progress">
            <p class="progress-words">
                <span class="progress-label">{props.label.clone()}</span>
                <span class="progress-value">{words.clone()}</span>
            </p>
            <progress
                max="100"
                value=props.value.get()
                aria-label=props.label
                aria-valuetext=words
            ></progress>
            {status}
        </div>
    }
}
