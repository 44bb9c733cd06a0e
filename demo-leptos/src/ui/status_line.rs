//! The status of the turn, for eyes and screen readers alike.

use super::session::Session;
use crate::model::announce::announce;
use leptos::prelude::*;
use turnwire::chat::Phase;

/// The one polite live region: it changes a few times a turn and never holds the answer.
#[component]
pub(super) fn StatusLine() -> impl IntoView {
    let session = Session::expect();
    let phase = session.phase();
    let status = Memo::new(move |previous: Option<&String>| {
        announce(previous.map_or("", String::as_str), &session.state())
    });
    view! {
        <p class="status" role="status" data-busy=move || (phase.get() != Phase::Idle).to_string()>
            {move || status.get()}
        </p>
    }
}
