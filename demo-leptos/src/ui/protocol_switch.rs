//! The links between the protocols that the page can speak.

use super::browser;
use crate::model::address::{self, Protocol};
use leptos::prelude::*;

/// One link a protocol; each keeps everything else in the page's address.
#[component]
pub(super) fn ProtocolSwitch(
    /// What the page speaks.
    current: Protocol,
    /// The session that the page is about.
    session: Memo<Option<String>>,
) -> impl IntoView {
    let links = Protocol::ALL.map(|protocol| {
        let href = move || {
            let query = address::with_session(&browser::query(), session.get().as_deref());
            match address::with_protocol(&query, protocol) {
                query if query.is_empty() => browser::path(),
                query => query,
            }
        };
        let is_current = (protocol == current).then_some("page");
        view! { <a href=href aria-current=is_current>{protocol.name()}</a> }
    });
    view! { <div class="protocols" role="group" aria-label="Protocol">{links.collect_view()}</div> }
}
