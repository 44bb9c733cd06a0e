//! The card that asks a question.

use super::busy_button::BusyButton;
use super::card::{Card, allows, decider, is_open, is_queued};
use super::card_frame::Heading;
use super::countdown::{Countdown, TimeLeftLine};
use super::icon::Glyph;
use super::own_answer::OwnAnswer;
use super::part::CurrentItem;
use crate::model::card;
use leptos::prelude::*;
use turnwire::chat::{ItemKind, PendingItem, Verdict};

/// The question, its options as buttons and a field for any other answer.
#[component]
pub(super) fn QuestionCard(
    /// The item's id.
    id: String,
    /// The item.
    item: CurrentItem,
) -> impl IntoView {
    let heading = Heading::new();
    let decide = decider(id.clone(), heading);
    let answer = Callback::new(move |text| decide.run(Verdict::Answer { text }));
    let given =
        move || item.with(|item| item.as_deref().and_then(card::given_answer).map(str::to_owned));
    let countdown = Countdown::of(item);
    let can_answer = allows(item, countdown, card::can_answer);
    let (is_open, is_queued) = (is_open(item), is_queued(item));
    view! {
        <Card id item kind="question" glyph=Glyph::Question heading decide>
            {move || given().map(|text| view! { <p class="given-answer">{text}</p> })}
            <TimeLeftLine countdown />
            <Show when=move || is_open.get()>
                // Hidden only: an answer that is withdrawn is still in its field.
                <div class="answers" hidden=move || is_queued.get()>
                    <Options item can_answer answer />
                    <OwnAnswer item can_answer answer />
                </div>
            </Show>
        </Card>
    }
}

#[component]
fn Options(item: CurrentItem, can_answer: Signal<bool>, answer: Callback<String>) -> impl IntoView {
    let options = item.with_untracked(|item| item.as_deref().map(options).unwrap_or_default());
    let buttons =
        options.into_iter().map(|text| view! { <OptionButton item can_answer answer text /> });
    view! { <div class="card-actions">{buttons.collect_view()}</div> }
}

#[component]
fn OptionButton(
    item: CurrentItem,
    can_answer: Signal<bool>,
    answer: Callback<String>,
    text: String,
) -> impl IntoView {
    let wanted = text.clone();
    let is_busy = Memo::new(move |_| {
        item.with(|item| item.as_deref().and_then(card::sending_answer) == Some(wanted.as_str()))
    });
    view! {
        <BusyButton
            class="button option"
            label=text.clone()
            busy_label=text.clone()
            is_busy
            is_enabled=can_answer
            press=Callback::new(move |()| answer.run(text.clone()))
        />
    }
}

fn options(item: &PendingItem) -> Vec<String> {
    match &item.kind {
        ItemKind::Question { options, .. } => options.clone(),
        ItemKind::Approval { .. } => Vec::new(),
    }
}
