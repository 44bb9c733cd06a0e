//! The page: one conversation at a time.

use super::browser;
use super::composer::Composer;
use super::connection::ConnectionNotes;
use super::conversation::Conversation;
use super::error_banner::ErrorBanner;
use super::header::Header;
use super::session::{Session, follow_address, follow_network};
use super::status_line::StatusLine;
use crate::model::address;
use leptos::prelude::*;

/// The whole page. A new conversation is a new chat: the old one's requests end with it.
#[component]
pub fn App() -> impl IntoView {
    let conversations = RwSignal::new(0_u32);
    let start_over = move || {
        browser::show_session(None);
        conversations.update(|count| *count += 1);
    };
    move || {
        let is_first = conversations.get() == 0;
        view! { <ChatPage is_first start_over=Callback::new(move |()| start_over()) /> }
    }
}

/// One conversation with everything around it.
#[component]
fn ChatPage(
    /// Whether the page has just been loaded.
    is_first: bool,
    /// Begins another conversation.
    start_over: Callback<()>,
) -> impl IntoView {
    let query = browser::query();
    let agent = address::agent_in(&query);
    let session = Session::start(&agent);
    provide_context(session);
    follow_address(session);
    follow_network(session);
    match address::session_in(&query) {
        Some(id) => session.open(id),
        None => session.take_up(),
    }
    view! {
        <div class="page">
            <Header agent start_over />
            <Conversation />
            <footer class="dock">
                <ConnectionNotes />
                <ErrorBanner />
                <StatusLine />
                <Composer takes_focus=!is_first || browser::has_fine_pointer() />
            </footer>
        </div>
    }
}
