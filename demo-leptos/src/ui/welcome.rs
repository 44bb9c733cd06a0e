//! What an empty conversation shows.

use super::browser;
use crate::model::examples::Example;
use leptos::prelude::*;

/// Messages to start with.
#[component]
pub(super) fn Welcome(
    /// The messages.
    examples: &'static [Example],
    /// Sends one.
    send: Callback<String>,
) -> impl IntoView {
    let examples = examples.iter().map(|example| {
        view! {
            <li>
                <button
                    type="button"
                    class="example"
                    on:click=move |_| {
                        send.run(example.message.to_owned());
                        browser::focus_conversation();
                    }
                >
                    <span class="example-message">{example.message}</span>
                    <span class="example-shows">{example.shows}</span>
                </button>
            </li>
        }
    });
    view! {
        <div class="welcome">
            <h2>"What can I do for you?"</h2>
            <p>
                "Ask about an order. You see each step as it happens, and nothing that matters runs before you say so."
            </p>
            <h3 id="examples">"Try one of these"</h3>
            <ul class="examples" role="list" aria-labelledby="examples">{examples.collect_view()}</ul>
        </div>
    }
}
