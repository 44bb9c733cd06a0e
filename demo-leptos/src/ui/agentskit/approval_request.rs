//! Yes or no.

use super::choice_list::{can_act, is_sent};
use super::message::Place;
use super::turns::Turns;
use crate::model::agentskit::props::ApprovalRequest;
use crate::ui::browser;
use crate::ui::busy_button::BusyButton;
use crate::ui::card_frame::{CardFrame, Heading};
use crate::ui::icon::Glyph;
use leptos::prelude::*;
use turnwire::agentskit::ComponentFrame;

/// What is asked, and the buttons while it can be decided.
#[component]
pub(super) fn ApprovalRequestView(
    /// What is shown.
    props: ApprovalRequest,
    /// What it came in.
    frame: ComponentFrame,
) -> impl IntoView {
    let place = expect_context::<Place>();
    let is_last = place.is_last;
    let state = move || Some(if is_last.get() { "idle" } else { "decided" });
    let id = format!("{}-{}", place.message, frame.instance_id);
    let labels = (props.approve_label, props.deny_label);
    let buttons = StoredValue::new((labels, frame));
    view! {
        <CardFrame
            id
            kind="approval"
            state=Signal::derive(state)
            glyph=Glyph::Shield
            heading=Heading::new()
            title=Some(props.title)
        >
            <p class="request-words">{props.description}</p>
            <Show when=move || is_last.get()>
                {buttons.with_value(|((approve, deny), frame)| {
                    let (approve, deny) = (approve.clone(), deny.clone());
                    view! {
                        <div class="card-actions">
                            <VerdictButton
                                class="button primary approve"
                                event="approve"
                                label=approve
                                frame=frame.clone()
                            />
                            <VerdictButton
                                class="button deny"
                                event="deny"
                                label=deny
                                frame=frame.clone()
                            />
                        </div>
                    }
                })}
            </Show>
        </CardFrame>
    }
}

#[component]
fn VerdictButton(
    class: &'static str,
    event: &'static str,
    label: String,
    frame: ComponentFrame,
) -> impl IntoView {
    let turns = Turns::expect();
    let is_busy = is_sent(turns, frame.instance_id.clone(), event.to_owned());
    let press = Callback::new(move |()| {
        turns.interact(&frame, event);
        browser::focus_conversation();
    });
    view! {
        <BusyButton
            class
            label=label.clone()
            busy_label=format!("{label}…")
            is_busy
            is_enabled=can_act(turns)
            press
        />
    }
}
