//! The top of the page.

use super::icon::{Glyph, Icon};
use super::session::Session;
use super::theme_switch::ThemeSwitch;
use crate::model::agent;
use leptos::prelude::*;

/// The agent's name and what can be done with the conversation.
#[component]
pub(super) fn Header(
    /// The agent's name on the server.
    agent: String,
    /// Begins another conversation.
    start_over: Callback<()>,
) -> impl IntoView {
    let session = Session::expect();
    let is_blank = session.memo(|state| state.messages.is_empty());
    let begin = move |_| {
        session.abandon();
        start_over.run(());
    };
    view! {
        <header class="header">
            <div class="brand">
                <span class="mark"><Icon glyph=Glyph::Mark /></span>
                <div>
                    <h1>{agent::title(&agent)}</h1>
                    <p>"Acts only with your approval"</p>
                </div>
            </div>
            <nav class="actions" aria-label="Conversation">
                <ThemeSwitch />
                <button
                    type="button"
                    class="button quiet new-conversation"
                    disabled=is_blank
                    on:click=begin
                >
                    <Icon glyph=Glyph::Plus />
                    <span>"New conversation"</span>
                </button>
            </nav>
        </header>
    }
}
