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
    let is_busy = Memo::new(move |_| phase.get() != Phase::Idle && session.is_online().get());
    let status = Memo::new(move |previous: Option<&String>| {
        let previous = previous.map_or("", String::as_str);
        announce(previous, &session.state(), session.is_online().get())
    });
    view! {
        <p class="status" role="status" data-busy=move || is_busy.get().to_string()>
            {move || status.get()}
        </p>
    }
}
