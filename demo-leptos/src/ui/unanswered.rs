//! The end of a conversation that was opened while its last turn ran.

use super::browser;
use super::icon::{Glyph, Icon};
use super::session::Session;
use crate::model::fault;
use leptos::prelude::*;

/// Says that the answer is still to come, and offers to look for it.
#[component]
pub(super) fn Unanswered() -> impl IntoView {
    let session = Session::expect();
    let is_unanswered = session.memo(fault::is_unanswered);
    let look = move |_| {
        session.retry();
        browser::focus_conversation();
    };
    view! {
        <Show when=move || is_unanswered.get()>
            <p class="notice unanswered">
                <Icon glyph=Glyph::Info />
                <span>
                    "There is no answer to this yet. The agent may still be working. "
                    <button type="button" class="button link" on:click=look>
                        "Look again"
                    </button>
                </span>
            </p>
        </Show>
    }
}
