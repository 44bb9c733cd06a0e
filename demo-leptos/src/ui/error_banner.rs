//! What went wrong with the conversation.

use super::browser;
use super::icon::{Glyph, Icon};
use super::session::Session;
use crate::model::fault::{self, Remedy};
use leptos::prelude::*;

/// Says what went wrong, at once to a screen reader too, with what can be done about it.
#[component]
pub(super) fn ErrorBanner() -> impl IntoView {
    let session = Session::expect();
    let dismissed = RwSignal::new(false);
    let error = Memo::new(move |_| {
        let text = session.state().last_error.as_ref().map(fault::explain);
        text.or_else(|| session.news().get())
    });
    Effect::new(move || {
        error.track();
        dismissed.set(false);
    });
    let shown = Memo::new(move |_| error.get().filter(|_| !dismissed.get()));
    let remedy = session.memo(fault::remedy);
    view! {
        <div class="banner-place" role="alert">
            {move || shown.get().map(|text| view! {
                <div class="banner">
                    <Icon glyph=Glyph::Warning />
                    <p>{text}</p>
                    {move || remedy.get().map(|remedy| view! { <RemedyButton remedy /> })}
                    <button
                        type="button"
                        class="button quiet square dismiss"
                        aria-label="Dismiss"
                        on:click=move |_| {
                            session.news().set(None);
                            dismissed.set(true);
                            browser::focus_conversation();
                        }
                    >
                        <Icon glyph=Glyph::Cross />
                    </button>
                </div>
            })}
        </div>
    }
}

#[component]
fn RemedyButton(remedy: Remedy) -> impl IntoView {
    let session = Session::expect();
    let act = move |_| {
        match &remedy {
            Remedy::Retry => session.retry(),
            Remedy::Ask(text) => session.send(text.clone()),
        }
        browser::focus_conversation();
    };
    view! { <button type="button" class="button retry" on:click=act>"Retry"</button> }
}
