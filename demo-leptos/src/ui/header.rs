//! The top of the page.

use super::icon::{Glyph, Icon};
use super::protocol_switch::ProtocolSwitch;
use super::theme_switch::ThemeSwitch;
use crate::model::address::Protocol;
use crate::model::agent;
use leptos::prelude::*;

/// The agent's name and what can be done with the conversation.
#[component]
pub(super) fn Header(
    /// The agent's name on the server.
    agent: String,
    /// What the page speaks.
    protocol: Protocol,
    /// The session that the page is about.
    session: Memo<Option<String>>,
    /// Whether nothing was said yet.
    is_blank: Memo<bool>,
    /// Begins another conversation.
    start_over: Callback<()>,
) -> impl IntoView {
    view! {
        <header class="header">
            <div class="brand">
                <span class="mark"><Icon glyph=Glyph::Mark /></span>
                <div>
                    <h1>{agent::title(&agent)}</h1>
                    <p>"Acts only with your approval"</p>
                </div>
            </div>
            <ProtocolSwitch current=protocol session />
            <nav class="actions" aria-label="Conversation">
                <ThemeSwitch />
                <button
                    type="button"
                    class="button quiet new-conversation"
                    disabled=is_blank
                    on:click=move |_| start_over.run(())
                >
                    <Icon glyph=Glyph::Plus />
                    <span>"New conversation"</span>
                </button>
            </nav>
        </header>
    }
}
