//! A conversation in loopengine's protocol, with everything around it.

use super::browser;
use super::composer::{Composer, Controls};
use super::connection::ConnectionNotes;
use super::conversation::Conversation;
use super::error_banner::ErrorBanner;
use super::header::Header;
use super::session::Session;
use super::status_line::StatusLine;
use super::surroundings::{follow_address, follow_network};
use crate::model::address::{self, Protocol};
use crate::model::announce::announce;
use crate::model::{composer, connection, fault};
use leptos::prelude::*;
use turnwire::chat::Phase;

/// One conversation.
#[component]
pub(super) fn ChatPage(
    /// Whether the page has just been loaded.
    is_first: bool,
    /// Begins another conversation.
    start_over: Callback<()>,
) -> impl IntoView {
    let query = browser::query();
    let agent = address::agent_in(&query);
    let session = Session::start(&agent);
    provide_context(session);
    let id = session.memo(|state| state.session_id.clone());
    follow_address(id);
    follow_network(session.is_online(), move || session.open_again());
    match address::session_in(&query) {
        Some(id) => session.open(id),
        None => session.take_up(),
    }
    let begin = Callback::new(move |()| {
        session.abandon();
        start_over.run(());
    });
    view! {
        <div class="page">
            <Header
                agent
                protocol=Protocol::Loopengine
                session=id
                is_blank=session.memo(|state| state.messages.is_empty())
                start_over=begin
            />
            <Conversation />
            <footer class="dock">
                <ConnectionNotes
                    limitation=session.memo(connection::limitation)
                    notes=session.memo(connection::notes)
                />
                <Banner />
                <Status />
                <Composer
                    controls=controls(session)
                    takes_focus=!is_first || browser::has_fine_pointer()
                />
            </footer>
        </div>
    }
}

#[component]
fn Status() -> impl IntoView {
    let session = Session::expect();
    let phase = session.phase();
    let is_busy = Memo::new(move |_| phase.get() != Phase::Idle && session.is_online().get());
    let status = Memo::new(move |previous: Option<&String>| {
        let previous = previous.map_or("", String::as_str);
        announce(previous, &session.state(), session.is_online().get())
    });
    view! { <StatusLine status is_busy /> }
}

#[component]
fn Banner() -> impl IntoView {
    let session = Session::expect();
    let error = Memo::new(move |_| {
        let text = session.state().last_error.as_ref().map(fault::explain);
        text.or_else(|| session.news().get())
    });
    let can_retry = session.memo(|state| fault::remedy(state).is_some());
    let retry = Callback::new(move |()| session.remedy());
    let dismiss = Callback::new(move |()| session.news().set(None));
    view! { <ErrorBanner error can_retry retry dismiss /> }
}

fn controls(session: Session) -> Controls {
    let (draft, phase, is_online) = (session.draft(), session.phase(), session.is_online());
    let offer = Memo::new(move |_| {
        draft.with(|draft| composer::Composer::new(phase.get(), is_online.get(), draft))
    });
    Controls {
        draft,
        offer,
        send: Callback::new(move |text| session.send(text)),
        stop: Callback::new(move |()| session.stop()),
    }
}
