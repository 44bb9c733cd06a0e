//! The page: one conversation at a time.

use super::agentskit::TurnPage;
use super::browser;
use super::chat_page::ChatPage;
use crate::model::address::{self, Protocol};
use leptos::prelude::*;

/// The whole page, in the protocol that its address names. A new conversation is a new page: the
/// old one's requests end with it.
#[component]
pub fn App() -> impl IntoView {
    let conversations = RwSignal::new(0_u32);
    let start_over = Callback::new(move |()| {
        browser::show_session(None);
        conversations.update(|count| *count += 1);
    });
    let protocol = address::protocol_in(&browser::query());
    move || {
        let is_first = conversations.get() == 0;
        match protocol {
            Protocol::Loopengine => view! { <ChatPage is_first start_over /> }.into_any(),
            Protocol::AgentsKit => view! { <TurnPage is_first start_over /> }.into_any(),
        }
    }
}
