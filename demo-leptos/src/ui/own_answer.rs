//! The field for an answer in one's own words.

use super::browser;
use super::busy_button::BusyButton;
use super::part::CurrentItem;
use crate::model::card;
use crate::model::composer::Key;
use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::prelude::*;

/// A field and Send. The text stays until the server has it.
#[component]
pub(super) fn OwnAnswer(
    /// The question's item.
    item: CurrentItem,
    /// Whether it can be answered now.
    can_answer: Signal<bool>,
    /// Gives the answer.
    answer: Callback<String>,
) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let is_ready = Memo::new(move |_| can_answer.get() && text.with(|text| !is_blank(text)));
    let is_busy = Memo::new(move |_| {
        let sent =
            |item: &turnwire::chat::PendingItem| card::sending_answer(item).map(str::to_owned);
        let sent = item.with(|item| item.as_deref().and_then(sent));
        text.with(|text| sent.as_deref() == Some(text.trim()))
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if is_ready.get_untracked() {
            answer.run(text.with_untracked(|text| text.trim().to_owned()));
        }
    };
    view! {
        <form class="own-answer" on:submit=submit>
            <input
                type="text"
                autocomplete="off"
                aria-label="Answer in your own words"
                placeholder="Your answer"
                disabled=move || !can_answer.get()
                bind:value=text
                on:keydown=guard_composition
            />
            <BusyButton
                class="button primary"
                kind="submit"
                label="Send"
                busy_label="Sending…"
                is_busy
                is_enabled=is_ready
            />
        </form>
    }
}

/// Some browsers submit a form on the Enter that only confirms an input method's candidate.
fn guard_composition(event: KeyboardEvent) {
    if event.key() == "Enter" && browser::key_press(&event).meaning() != Key::Send {
        event.prevent_default();
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}
