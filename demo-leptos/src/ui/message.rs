//! One message.

use super::browser;
use super::part::PartView;
use super::session::Session;
use super::turn_state::TurnState;
use crate::model::{fault, parts};
use leptos::prelude::*;
use std::sync::Arc;
use turnwire::chat::{Author, Message as ChatMessage, MessageStatus};

/// A message as it is now; none once it is gone.
pub(super) type CurrentMessage = Memo<Option<Arc<ChatMessage>>>;

/// What a person wrote, or a whole turn of the agent.
#[component]
pub(super) fn Message(
    /// The message's key.
    key: u64,
) -> impl IntoView {
    let session = Session::expect();
    let message: CurrentMessage =
        Memo::new_with_compare(move |_| parts::message(&session.state(), key), is_other);
    let author = message.with_untracked(|message| message.as_ref().map(|message| message.author));
    match author {
        Some(Author::User) => view! { <UserMessage key message /> }.into_any(),
        Some(Author::Assistant) | None => view! { <Turn message /> }.into_any(),
    }
}

#[component]
fn UserMessage(key: u64, message: CurrentMessage) -> impl IntoView {
    let session = Session::expect();
    let status = Memo::new(move |_| status(message));
    let is_waiting = move || status.get() == Some(MessageStatus::Queued);
    let note = move || fate(status.get()?);
    let can_send_again = session.memo(move |state| fault::can_send_again(state, key));
    let withdraw = move |_| {
        session.withdraw_message(key);
        browser::focus_composer();
    };
    let send_again = move |_| {
        session.retry();
        browser::focus_conversation();
    };
    view! {
        <li
            class="message user"
            class:unsent=move || note().is_some() && !is_waiting()
            class:waiting=is_waiting
        >
            <h3 class="unseen">"You"</h3>
            <div class="bubble"><Parts message /></div>
            <Show when=move || note().is_some()>
                <p class="fate">
                    <span>{note}</span>
                    <Show when=is_waiting>
                        <button type="button" class="button link" on:click=withdraw>
                            "Withdraw"
                        </button>
                    </Show>
                    <Show when=move || can_send_again.get()>
                        <button type="button" class="button link" on:click=send_again>
                            "Send again"
                        </button>
                    </Show>
                </p>
            </Show>
        </li>
    }
}

/// What became of a person's message, where that is not what they expect.
fn fate(status: MessageStatus) -> Option<&'static str> {
    match status {
        MessageStatus::Queued => Some("Waits to be sent"),
        MessageStatus::Failed => Some("Not sent"),
        MessageStatus::Stopped => Some("Stopped before an answer came"),
        MessageStatus::Active | MessageStatus::Complete | MessageStatus::Interrupted => None,
    }
}

#[component]
fn Turn(message: CurrentMessage) -> impl IntoView {
    view! {
        <li class="message turn">
            <h3 class="unseen">"Agent"</h3>
            <Parts message />
            <TurnState message />
        </li>
    }
}

/// The parts in order; each keeps its elements while it changes.
#[component]
fn Parts(message: CurrentMessage) -> impl IntoView {
    let keys = Memo::new(move |_| {
        message.with(|message| message.as_deref().map(parts::keys).unwrap_or_default())
    });
    view! {
        <For each=move || keys.get() key=Clone::clone let:key>
            <PartView message key />
        </For>
    }
}

/// How far the message got.
pub(super) fn status(message: CurrentMessage) -> Option<MessageStatus> {
    message.with(|message| message.as_ref().map(|message| message.status))
}

/// Whether a value is another one than before; what did not change is the same `Arc` in the next
/// state.
pub(super) fn is_other<T>(before: Option<&Option<Arc<T>>>, now: Option<&Option<Arc<T>>>) -> bool {
    match (before, now) {
        (Some(Some(before)), Some(Some(now))) => !Arc::ptr_eq(before, now),
        (Some(None), Some(None)) => false,
        _ => true,
    }
}
