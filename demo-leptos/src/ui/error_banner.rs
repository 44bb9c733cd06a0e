//! What went wrong with the conversation.

use super::browser;
use super::icon::{Glyph, Icon};
use leptos::prelude::*;

/// Says what went wrong, at once to a screen reader too, with what can be done about it.
#[component]
pub(super) fn ErrorBanner(
    /// What went wrong, in words.
    error: Memo<Option<String>>,
    /// Whether something can be done about it.
    can_retry: Memo<bool>,
    /// Does it.
    retry: Callback<()>,
    /// Forgets the error.
    dismiss: Callback<()>,
) -> impl IntoView {
    let dismissed = RwSignal::new(false);
    Effect::new(move || {
        error.track();
        dismissed.set(false);
    });
    let shown = Memo::new(move |_| error.get().filter(|_| !dismissed.get()));
    let act = move |_| {
        retry.run(());
        browser::focus_conversation();
    };
    view! {
        <div class="banner-place" role="alert">
            {move || shown.get().map(|text| view! {
                <div class="banner">
                    <Icon glyph=Glyph::Warning />
                    <p>{text}</p>
                    <Show when=move || can_retry.get()>
                        <button type="button" class="button retry" on:click=act>"Retry"</button>
                    </Show>
                    <button
                        type="button"
                        class="button quiet square dismiss"
                        aria-label="Dismiss"
                        on:click=move |_| {
                            dismiss.run(());
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
