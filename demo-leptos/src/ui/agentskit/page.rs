//! A conversation in AgentsKit's protocol, with everything around it.

use super::catalog::Catalog;
use super::conversation::Conversation;
use super::turns::Turns;
use crate::model::address::{self, Protocol};
use crate::model::agentskit::announce::announce;
use crate::model::agentskit::fault::{self, Remedy};
use crate::model::composer::Composer as Offer;
use crate::ui::browser;
use crate::ui::composer::{Composer, Controls};
use crate::ui::connection::ConnectionNotes;
use crate::ui::error_banner::ErrorBanner;
use crate::ui::header::Header;
use crate::ui::status_line::StatusLine;
use crate::ui::surroundings::{follow_address, follow_network};
use leptos::prelude::*;
use turnwire::chat::Phase;

/// One conversation.
#[component]
pub(in crate::ui) fn TurnPage(
    /// Whether the page has just been loaded.
    is_first: bool,
    /// Begins another conversation.
    start_over: Callback<()>,
) -> impl IntoView {
    let query = browser::query();
    let agent = address::agent_in(&query);
    let turns = Turns::start(&agent, address::session_in(&query));
    provide_context(turns);
    provide_context(Catalog::new());
    follow_address(turns.id());
    follow_network(turns.is_online(), move || look_again(turns));
    view! {
        <div class="page">
            <Header
                agent
                protocol=Protocol::AgentsKit
                session=turns.id()
                is_blank=turns.memo(|state| state.messages.is_empty())
                start_over
            />
            <Conversation />
            <footer class="dock">
                <ConnectionNotes notes=turns.memo(fault::notes) />
                <Banner />
                <Status />
                <Composer
                    controls=controls(turns)
                    takes_focus=!is_first || browser::has_fine_pointer()
                />
            </footer>
        </div>
    }
}

#[component]
fn Status() -> impl IntoView {
    let turns = Turns::expect();
    let (phase, request, is_online) = (turns.phase(), turns.request(), turns.is_online());
    let is_busy =
        Memo::new(move |_| !matches!(phase.get(), Phase::Idle | Phase::Waiting) && is_online.get());
    let status = Memo::new(move |previous: Option<&String>| {
        let previous = previous.map_or("", String::as_str);
        let (doing, request) = (turns.doing().get(), request.get());
        announce(previous, &turns.state(), phase.get(), &doing, request.as_ref(), is_online.get())
    });
    view! { <StatusLine status is_busy /> }
}

#[component]
fn Banner() -> impl IntoView {
    let turns = Turns::expect();
    let trouble = turns.trouble();
    let is_stopped = move || turns.doing().with(|doing| doing.is_stopped);
    let error =
        Memo::new(move |_| fault::words(&turns.state(), trouble.get().as_ref(), is_stopped()));
    let can_retry =
        Memo::new(move |_| fault::remedy(&turns.state(), trouble.get().as_ref()).is_some());
    let retry = Callback::new(move |()| turns.remedy());
    let dismiss = Callback::new(move |()| trouble.set(None));
    view! { <ErrorBanner error can_retry retry dismiss /> }
}

fn controls(turns: Turns) -> Controls {
    let (draft, phase, is_online) = (turns.draft(), turns.phase(), turns.is_online());
    let offer =
        Memo::new(move |_| draft.with(|draft| Offer::direct(phase.get(), is_online.get(), draft)));
    Controls {
        draft,
        offer,
        send: Callback::new(move |text| turns.send(text)),
        stop: Callback::new(move |()| turns.stop()),
    }
}

/// What could not be seen without a network is looked at once it is back.
fn look_again(turns: Turns) {
    let trouble = turns.trouble().get_untracked();
    let remedy = untrack(|| fault::remedy(&turns.state(), trouble.as_ref()));
    if remedy == Some(Remedy::Look) {
        turns.open();
    }
}
