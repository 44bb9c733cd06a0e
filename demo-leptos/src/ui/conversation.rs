//! The conversation of a chat.

use super::log::{Extent, Log};
use super::message::Message;
use super::session::Session;
use super::unanswered::Unanswered;
use super::welcome::Welcome;
use crate::model::examples::EXAMPLES;
use crate::model::scroll::Sent;
use leptos::prelude::*;
use turnwire::chat::{ChatState, MessageStatus, Phase};

/// The messages, or what a person can try first.
#[component]
pub(super) fn Conversation() -> impl IntoView {
    let session = Session::expect();
    let keys = session.memo(|state| state.messages.iter().map(|m| m.key).collect::<Vec<_>>());
    let is_blank = session.memo(|state| state.messages.is_empty() && state.phase == Phase::Idle);
    let extent = Extent {
        size: session.memo(size),
        sent: session.memo(sent),
        is_filled: Signal::derive(move || !session.state().messages.is_empty()),
    };
    let send = Callback::new(move |text| session.send(text));
    view! {
        <Log extent>
            <Show when=move || is_blank.get()>
                <Welcome examples=EXAMPLES send />
            </Show>
            <ol class="messages" role="list">
                <For each=move || keys.get() key=|key| *key let:key>
                    <Message key />
                </For>
            </ol>
            <Unanswered />
        </Log>
    }
}

fn size(state: &ChatState) -> usize {
    state.messages.iter().map(|message| 1 + message.parts.len()).sum()
}

fn sent(state: &ChatState) -> Sent {
    let waits = state.messages.iter().filter(|m| m.status == MessageStatus::Queued);
    Sent {
        messages: state.messages.len(),
        waiting: waits.count(),
        is_sending: state.phase == Phase::Sending,
    }
}
