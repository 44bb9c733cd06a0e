//! Where a message is written.

use super::browser;
use super::icon::{Glyph, Icon};
use crate::model::composer::{self, Key};
use leptos::ev::{self, KeyboardEvent, SubmitEvent};
use leptos::html;
use leptos::prelude::*;

/// What is written and where it goes; a copy is a handle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Controls {
    /// What is being written.
    pub(super) draft: RwSignal<String>,
    /// What can be done with it now.
    pub(super) offer: Memo<composer::Composer>,
    /// Sends a message.
    pub(super) send: Callback<String>,
    /// Stops the turn.
    pub(super) stop: Callback<()>,
}

/// A field that grows, Send, and Stop while a turn runs. A draft can be written at any time.
#[component]
pub(super) fn Composer(
    /// What it works on.
    controls: Controls,
    /// Whether the field takes the focus when it appears.
    takes_focus: bool,
) -> impl IntoView {
    let Controls { draft, offer, .. } = controls;
    let field = NodeRef::<html::Textarea>::new();
    if takes_focus {
        field.on_load(|field| browser::focus(&field));
    }
    let send = move || {
        if offer.with_untracked(|offer| offer.can_send) {
            let text = draft.with_untracked(|draft| draft.trim().to_owned());
            draft.set(String::new());
            controls.send.run(text);
        }
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        send();
    };
    let press = move |event: KeyboardEvent| match browser::key_press(&event).meaning() {
        Key::Send => {
            event.prevent_default();
            send();
        }
        Key::Stop | Key::Other => {}
    };
    let escape = window_event_listener(ev::keydown, move |event| {
        let can_stop = offer.try_with_untracked(|offer| offer.can_stop).unwrap_or_default();
        if can_stop && browser::key_press(&event).meaning() == Key::Stop {
            controls.stop.run(());
        }
    });
    on_cleanup(move || escape.remove());
    let stop = move |_| {
        controls.stop.run(());
        if let Some(field) = field.get_untracked() {
            browser::focus(&field);
        }
    };
    view! {
        <form class="composer" aria-label="Message" on:submit=submit>
            <div class="grow" data-text=move || draft.get()>
                <textarea
                    node_ref=field
                    rows="1"
                    placeholder="Write a message"
                    aria-label="Message"
                    aria-describedby="composer-hint"
                    autocomplete="off"
                    enterkeyhint="send"
                    bind:value=draft
                    on:keydown=press
                ></textarea>
            </div>
            <Show when=move || offer.with(|offer| offer.can_stop)>
                <button type="button" class="button stop" on:click=stop>
                    <Icon glyph=Glyph::Stop />
                    "Stop"
                </button>
            </Show>
            <button
                type="submit"
                class="button primary square send"
                aria-label="Send"
                aria-describedby="composer-hint"
                disabled=move || offer.with(|offer| !offer.can_send)
            >
                <Icon glyph=Glyph::ArrowUp />
            </button>
        </form>
        <p id="composer-hint" class="hint">{move || offer.with(|offer| offer.hint)}</p>
    }
}
