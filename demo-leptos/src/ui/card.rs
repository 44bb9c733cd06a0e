//! What approval and question cards have in common.

use super::browser;
use super::card_frame::{CardFrame, Heading, note_id};
use super::countdown::Countdown;
use super::icon::{Glyph, Icon};
use super::part::CurrentItem;
use super::session::Session;
use crate::model::card;
use leptos::prelude::*;
use turnwire::chat::{DecisionState, PendingItem, Verdict};

/// Gives verdicts on the item of this id, whatever else is pending by then.
pub(super) fn decider(id: String, heading: Heading) -> Callback<Verdict> {
    let session = Session::expect();
    Callback::new(move |verdict| {
        session.decide(id.clone(), verdict);
        // The controls are about to be disabled, and focus on them would be lost.
        if let Some(heading) = heading.get_untracked() {
            browser::focus(&heading);
        }
    })
}

/// Whether the item still waits for a verdict.
pub(super) fn is_open(item: CurrentItem) -> Memo<bool> {
    Memo::new(move |_| item.with(|item| item.as_deref().is_some_and(PendingItem::is_open)))
}

/// Whether the card allows something now: by its state, and as long as there is time.
pub(super) fn allows(
    item: CurrentItem,
    countdown: Countdown,
    allowed: fn(&PendingItem) -> bool,
) -> Signal<bool> {
    Signal::derive(move || {
        !countdown.is_over() && item.with(|item| item.as_deref().is_some_and(allowed))
    })
}

/// Whether a verdict waits for the network.
pub(super) fn is_queued(item: CurrentItem) -> Memo<bool> {
    Memo::new(move |_| item.with(|item| item.as_deref().and_then(card::queued).is_some()))
}

/// The card of an item: heading, whatever is inside, and what went wrong.
#[component]
pub(super) fn Card(
    /// The item's id.
    id: String,
    /// The item.
    item: CurrentItem,
    /// The class that tells kinds of cards apart.
    kind: &'static str,
    /// Stands before the heading until the outcome does.
    glyph: Glyph,
    /// The heading.
    heading: Heading,
    /// Gives a failed verdict once more.
    decide: Callback<Verdict>,
    /// What stands between the heading and the trouble.
    children: Children,
) -> impl IntoView {
    let state = Memo::new(move |_| item.with(|item| item.as_deref().map(card::state_name)));
    let title = Memo::new(move |_| item.with(|item| item.as_deref().map(card::heading)));
    let glyph = Memo::new(move |_| {
        item.with(|item| item.as_deref().and_then(outcome_glyph)).unwrap_or(glyph)
    });
    let note = Memo::new(move |_| item.with(|item| card::note(item.as_deref()?)));
    let note_id = note_id(&id);
    let noted = id.clone();
    view! {
        <CardFrame
            id
            kind
            state
            glyph
            heading
            title
            is_noted=Signal::derive(move || note.with(Option::is_some))
        >
            {children()}
            <Note id=noted note_id note item heading />
            <Trouble item decide />
        </CardFrame>
    }
}

fn outcome_glyph(item: &PendingItem) -> Option<Glyph> {
    match &item.decision {
        DecisionState::Settled { verdict: Some(Verdict::Deny), .. }
        | DecisionState::Stale { .. } => Some(Glyph::Cross),
        DecisionState::Settled { .. } => Some(Glyph::Check),
        DecisionState::Idle
        | DecisionState::Queued { .. }
        | DecisionState::Sending { .. }
        | DecisionState::Elsewhere { .. }
        | DecisionState::Failed { .. } => None,
    }
}

/// Says what is good to know, quietly, and takes back a verdict that waits.
#[component]
fn Note(
    id: String,
    note_id: String,
    note: Memo<Option<String>>,
    item: CurrentItem,
    heading: Heading,
) -> impl IntoView {
    let session = Session::expect();
    let is_queued = is_queued(item);
    let withdraw = Callback::new(move |()| {
        session.withdraw_verdict(&id);
        if let Some(heading) = heading.get_untracked() {
            browser::focus(&heading);
        }
    });
    view! {
        <Show when=move || note.with(Option::is_some)>
            <p class="card-note">
                <span id=note_id.clone()>{move || note.get()}</span>
                <Show when=move || is_queued.get()>
                    <button type="button" class="button link" on:click=move |_| withdraw.run(())>
                        "Withdraw"
                    </button>
                </Show>
            </p>
        </Show>
    }
}

/// Says what is wrong, at once to a screen reader too, and offers to try the same verdict again.
#[component]
fn Trouble(item: CurrentItem, decide: Callback<Verdict>) -> impl IntoView {
    let trouble = Memo::new(move |_| item.with(|item| card::trouble(item.as_deref()?)));
    let failed = Memo::new(move |_| item.with(|item| card::failed(item.as_deref()?).cloned()));
    let retry = move |_| {
        if let Some(verdict) = failed.get_untracked() {
            decide.run(verdict);
        }
    };
    let warning = move || {
        trouble.get().map(|text| {
            view! {
                <p class="card-trouble">
                    <Icon glyph=Glyph::Warning />
                    <span>{text}</span>
                </p>
            }
        })
    };
    view! {
        <div role="alert">{warning}</div>
        <Show when=move || failed.with(Option::is_some)>
            <button type="button" class="button retry" on:click=retry>
                "Retry"
            </button>
        </Show>
    }
}
