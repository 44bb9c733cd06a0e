//! One of these.

use super::message::Place;
use super::turns::Turns;
use crate::model::agentskit::conversation::{Doing, Sent};
use crate::model::agentskit::props::{Choice, ChoiceList};
use crate::ui::browser;
use crate::ui::busy_button::BusyButton;
use crate::ui::card_frame::{CardFrame, Heading};
use crate::ui::icon::Glyph;
use leptos::prelude::*;
use turnwire::agentskit::{ComponentFrame, SafeId};
use turnwire::chat::Phase;

/// The choices as buttons while the list is the last thing that was said, then what was chosen.
#[component]
pub(super) fn ChoiceListView(
    /// What is shown.
    props: ChoiceList,
    /// What it came in.
    frame: ComponentFrame,
) -> impl IntoView {
    let place = expect_context::<Place>();
    let (is_last, answer) = (place.is_last, place.answer);
    let id = format!("{}-{}", place.message, frame.instance_id);
    let labels: Vec<_> = props.choices.iter().map(|choice| choice.label.clone()).collect();
    let known = labels.clone();
    let chosen = Memo::new(move |_| answer.get().filter(|answer| known.contains(answer)));
    let state = move || Some(if is_last.get() { "idle" } else { "answered" });
    let glyph = move || match chosen.get() {
        Some(_) => Glyph::Check,
        None => Glyph::Question,
    };
    let choices = StoredValue::new((props.choices, frame));
    let outcome = move || match chosen.get() {
        Some(label) => view! { <p class="given-answer">{label}</p> },
        None => view! { <p class="given-answer none">{labels.join(", ")}</p> },
    };
    view! {
        <CardFrame
            id
            kind="question"
            state=Signal::derive(state)
            glyph=Signal::derive(glyph)
            heading=Heading::new()
            title=Some(props.prompt)
        >
            <Show when=move || is_last.get() fallback=outcome>
                <ul class="choices" role="list">
                    {choices.with_value(|(choices, frame)| {
                        let view = |choice: &Choice| {
                            view! { <ChoiceItem choice=choice.clone() frame=frame.clone() /> }
                        };
                        choices.iter().map(view).collect_view()
                    })}
                </ul>
            </Show>
        </CardFrame>
    }
}

#[component]
fn ChoiceItem(choice: Choice, frame: ComponentFrame) -> impl IntoView {
    let turns = Turns::expect();
    let (id, instance) = (choice.id.clone(), frame.instance_id.clone());
    let press = Callback::new(move |()| {
        turns.choose(&frame, &choice.id);
        browser::focus_conversation();
    });
    view! {
        <li>
            <BusyButton
                class="button option"
                label=choice.label.clone()
                busy_label=choice.label
                is_busy=is_sent(turns, instance, id.to_string())
                is_enabled=can_act(turns)
                press
            />
            {choice.description.map(|text| view! { <p class="choice-description">{text}</p> })}
        </li>
    }
}

/// Whether this was done with this component and is on its way.
pub(super) fn is_sent(turns: Turns, instance: SafeId, what: String) -> Signal<bool> {
    let wanted = Some(Sent::Event { instance, what });
    Signal::derive(move || turns.doing().with(|doing: &Doing| doing.sent == wanted))
}

/// Whether components can be used now: nothing is on its way, and there is a network.
pub(super) fn can_act(turns: Turns) -> Signal<bool> {
    let phase = turns.phase();
    Signal::derive(move || {
        let is_free = turns.doing().with(|doing| doing.sent.is_none());
        is_free && turns.is_online().get() && matches!(phase.get(), Phase::Idle | Phase::Waiting)
    })
}
