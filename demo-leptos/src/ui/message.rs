//! One message.

use super::part::PartView;
use super::session::Session;
use super::turn_state::TurnState;
use crate::model::parts;
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
    let message: CurrentMessage = Memo::new_with_compare(
        move |_| parts::message(&session.state(), key),
        |before, now| !is_same(before, now),
    );
    let author = message.with_untracked(|message| message.as_ref().map(|message| message.author));
    match author {
        Some(Author::User) => view! { <UserMessage message /> }.into_any(),
        Some(Author::Assistant) | None => view! { <Turn message /> }.into_any(),
    }
}

#[component]
fn UserMessage(message: CurrentMessage) -> impl IntoView {
    let note = move || match status(message)? {
        MessageStatus::Queued => Some("Waits to be sent"),
        MessageStatus::Failed => Some("Not sent"),
        MessageStatus::Stopped => Some("Stopped before an answer came"),
        MessageStatus::Active | MessageStatus::Complete | MessageStatus::Interrupted => None,
    };
    view! {
        <li class="message user" class:unsent=move || note().is_some()>
            <h3 class="unseen">"You"</h3>
            <div class="bubble"><Parts message /></div>
            {move || note().map(|note| view! { <p class="fate">{note}</p> })}
        </li>
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

/// Unchanged messages are the same `Arc` in the next state.
fn is_same(
    before: Option<&Option<Arc<ChatMessage>>>,
    now: Option<&Option<Arc<ChatMessage>>>,
) -> bool {
    match (before, now) {
        (Some(Some(before)), Some(Some(now))) => Arc::ptr_eq(before, now),
        (Some(None), Some(None)) => true,
        _ => false,
    }
}
