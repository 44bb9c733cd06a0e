//! The end of a turn: under way, or cut off.

use super::browser;
use super::icon::{Glyph, Icon};
use super::message::{CurrentMessage, status};
use super::session::Session;
use super::working::Working;
use crate::model::fault;
use leptos::prelude::*;
use turnwire::chat::{MessageStatus, Phase};

/// Says that the agent works, or that the rest is known to the server alone.
#[component]
pub(super) fn TurnState(
    /// The turn's message.
    message: CurrentMessage,
) -> impl IntoView {
    let session = Session::expect();
    let phase = session.phase();
    let is_working = Memo::new(move |_| {
        status(message) == Some(MessageStatus::Active)
            && matches!(phase.get(), Phase::Sending | Phase::Running)
    });
    let is_cut_off = Memo::new(move |_| {
        message.with(|message| message.as_deref().is_some_and(fault::is_unfinished_here))
    });
    view! {
        <Show when=move || is_working.get()>
            <Working />
        </Show>
        <Show when=move || is_cut_off.get()>
            <CutOff message />
        </Show>
    }
}

#[component]
fn CutOff(message: CurrentMessage) -> impl IntoView {
    let session = Session::expect();
    let words = move || match status(message) {
        Some(MessageStatus::Stopped) => "You stopped following this turn.",
        _ => "The connection broke off.",
    };
    let show = move |_| {
        session.retry();
        browser::focus_conversation();
    };
    view! {
        <p class="notice cut-off">
            <Icon glyph=Glyph::Minus />
            <span>
                {words} " The agent may have gone on at the server. "
                <button type="button" class="button link" on:click=show>
                    "Show what happened"
                </button>
            </span>
        </p>
    }
}
