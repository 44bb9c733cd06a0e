//! The messages of a session.

use super::message::MessageView;
use super::turns::Turns;
use crate::model::agentskit::{conversation, message};
use crate::model::examples::COMPONENT_EXAMPLES;
use crate::model::scroll::Sent;
use crate::ui::log::{Extent, Log};
use crate::ui::welcome::Welcome;
use crate::ui::working::Working;
use leptos::prelude::*;
use turnwire::agentskit::MessageRole;
use turnwire::chat::Phase;

/// The messages, or what a person can try first.
#[component]
pub(super) fn Conversation() -> impl IntoView {
    let turns = Turns::expect();
    let ids = turns.memo(message::shown);
    let phase = turns.phase();
    let unconfirmed = Memo::new(move |_| {
        turns.doing().with(|doing| conversation::unconfirmed(&turns.state(), doing))
    });
    let is_filled = move || ids.with(|ids| !ids.is_empty()) || unconfirmed.with(Option::is_some);
    let is_blank = Memo::new(move |_| !is_filled() && phase.get() == Phase::Idle);
    let extent = Extent {
        size: turns.memo(conversation::size),
        sent: Memo::new(move |_| Sent {
            messages: ids.with(Vec::len),
            waiting: 0,
            is_sending: phase.get() == Phase::Sending,
        }),
        is_filled: Signal::derive(move || {
            turns.state();
            is_filled()
        }),
    };
    let send = Callback::new(move |text| turns.send(text));
    view! {
        <Log extent>
            <Show when=move || is_blank.get()>
                <Welcome examples=COMPONENT_EXAMPLES send />
            </Show>
            <ol class="messages" role="list">
                <For each=move || ids.get() key=Clone::clone let:id>
                    <MessageView id />
                </For>
                {move || unconfirmed.get().map(|text| view! { <Said text /> })}
                <Start />
            </ol>
        </Log>
    }
}

/// What a person said.
#[component]
pub(super) fn Said(
    /// The words.
    text: String,
) -> impl IntoView {
    view! {
        <li class="message user">
            <h3 class="unseen">"You"</h3>
            <div class="bubble"><div class="text">{text}</div></div>
        </li>
    }
}

/// The agent's turn before it has said anything.
#[component]
fn Start() -> impl IntoView {
    let turns = Turns::expect();
    let phase = turns.phase();
    let is_last = turns.memo(|state| {
        state.messages.last().is_some_and(|message| message.role == MessageRole::Assistant)
    });
    let is_unanswered = Memo::new(move |_| match phase.get() {
        Phase::Sending => true,
        Phase::Running => !is_last.get(),
        Phase::Idle | Phase::Loading | Phase::Waiting => false,
    });
    view! {
        <Show when=move || is_unanswered.get()>
            <li class="message turn">
                <h3 class="unseen">"Agent"</h3>
                <Working />
            </li>
        </Show>
    }
}
