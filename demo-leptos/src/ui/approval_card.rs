//! The card that asks for an approval.

use super::busy_button::BusyButton;
use super::card::{Card, allows, decider, is_open, is_queued};
use super::card_frame::Heading;
use super::countdown::{Countdown, TimeLeftLine};
use super::icon::{Glyph, Icon};
use super::json_view::JsonView;
use super::part::CurrentItem;
use crate::model::card;
use leptos::prelude::*;
use serde_json::Value;
use turnwire::chat::{ItemKind, Verdict};

/// What the call would do, and the buttons.
#[component]
pub(super) fn ApprovalCard(
    /// The item's id.
    id: String,
    /// The item.
    item: CurrentItem,
) -> impl IntoView {
    let heading = Heading::new();
    let decide = decider(id.clone(), heading);
    let countdown = Countdown::of(item);
    let (is_open, is_queued) = (is_open(item), is_queued(item));
    view! {
        <Card id item kind="approval" glyph=Glyph::Shield heading decide>
            <Request item />
            <TimeLeftLine countdown />
            <Show when=move || is_open.get() && !is_queued.get()>
                <div class="card-actions">
                    <ApproveButton item countdown decide />
                    <DenyButton item countdown decide />
                </div>
            </Show>
        </Card>
    }
}

/// What is asked for: in full view while it can be decided, folded away afterwards.
#[component]
fn Request(item: CurrentItem) -> impl IntoView {
    let is_open = is_open(item);
    let kind = Memo::new(move |_| item.with(|item| item.as_ref().map(|item| item.kind.clone())));
    let facts = move || kind.get().map(|kind| view! { <Facts kind /> });
    let folded = move || {
        view! {
            <details class="fold request">
                <summary>
                    <Icon glyph=Glyph::Chevron />
                    "What was asked"
                </summary>
                <div class="request-body">{facts}</div>
            </details>
        }
    };
    view! {
        <Show when=move || is_open.get() fallback=folded>
            <div class="request-body">{facts}</div>
        </Show>
    }
}

#[component]
fn Facts(kind: ItemKind) -> impl IntoView {
    let ItemKind::Approval { args, scope, reason, .. } = kind else { return None };
    let place = scope.map(|scope| {
        let place = format!("{} / {} / {}", scope.tenant, scope.environment, scope.agent);
        view! {
            <div>
                <dt>"Where"</dt>
                <dd>{place}</dd>
            </div>
        }
    });
    let args = match args.is_empty() {
        true => view! { <p class="none">"No arguments"</p> }.into_any(),
        false => view! { <JsonView value=Value::Object(args) /> }.into_any(),
    };
    Some(view! {
        {args}
        <dl class="facts">
            <div>
                <dt>"Why"</dt>
                <dd>{reason}</dd>
            </div>
            {place}
        </dl>
    })
}

#[component]
fn ApproveButton(
    item: CurrentItem,
    countdown: Countdown,
    decide: Callback<Verdict>,
) -> impl IntoView {
    view! {
        <BusyButton
            class="button primary approve"
            label="Approve"
            busy_label="Approving…"
            is_busy=is_sending(item, Verdict::Approve)
            is_enabled=allows(item, countdown, card::can_approve)
            press=Callback::new(move |()| decide.run(Verdict::Approve))
        />
    }
}

#[component]
fn DenyButton(item: CurrentItem, countdown: Countdown, decide: Callback<Verdict>) -> impl IntoView {
    view! {
        <BusyButton
            class="button deny"
            label="Deny"
            busy_label="Denying…"
            is_busy=is_sending(item, Verdict::Deny)
            is_enabled=allows(item, countdown, card::can_deny)
            press=Callback::new(move |()| decide.run(Verdict::Deny))
        />
    }
}

fn is_sending(item: CurrentItem, verdict: Verdict) -> Memo<bool> {
    Memo::new(move |_| item.with(|item| item.as_deref().and_then(card::sending) == Some(&verdict)))
}
