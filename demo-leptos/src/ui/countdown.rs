//! How long a card can still be decided.

use super::browser;
use super::icon::{Glyph, Icon};
use super::part::CurrentItem;
use crate::model::deadline::{Deadline, TimeLeft};
use leptos::prelude::*;
use turnwire::chat::PendingItem;

/// The time that is left for an open item; a copy is a handle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Countdown {
    deadline: Memo<Option<Deadline>>,
    left: Memo<Option<TimeLeft>>,
}

impl Countdown {
    /// Counts down while the item is open, and looks at the clock only when the words change.
    pub(super) fn of(item: CurrentItem) -> Self {
        let seen = browser::now();
        let now = RwSignal::new(seen);
        let deadline = Memo::new(move |_| item.with(|item| deadline(item.as_deref()?, seen)));
        let left = Memo::new(move |_| Some(deadline.get()?.left(now.get())));
        Effect::new(move || {
            now.track();
            let Some(stays) = left.get().and_then(TimeLeft::stays) else { return };
            let look = move || {
                let _gone = now.try_set(browser::now());
            };
            if let Ok(timer) = set_timeout_with_handle(look, stays) {
                on_cleanup(move || timer.clear());
            }
        });
        Self { deadline, left }
    }

    /// Whether the time is up.
    pub(super) fn is_over(self) -> bool {
        self.left.get().is_some_and(TimeLeft::is_over)
    }
}

/// The time that is left, calmly: no screen reader is interrupted by it.
#[component]
pub(super) fn TimeLeftLine(countdown: Countdown) -> impl IntoView {
    let until = Memo::new(move |_| Some(browser::clock_time(countdown.deadline.get()?.ends)));
    let words = Memo::new(move |_| Some(countdown.left.get()?.words(&until.get()?)));
    let is_short = Memo::new(move |_| countdown.left.get().is_some_and(TimeLeft::is_short));
    view! {
        <Show when=move || words.with(Option::is_some)>
            <p class="card-deadline" data-short=move || is_short.get().to_string()>
                <Icon glyph=Glyph::Clock />
                <span>{move || words.get()}</span>
            </p>
        </Show>
    }
}

fn deadline(item: &PendingItem, seen: i64) -> Option<Deadline> {
    let time = |text: &Option<String>| text.as_deref().and_then(browser::parse_time);
    let expires = time(&item.expires_at).filter(|_| item.is_open())?;
    Deadline::new(time(&item.requested_at), expires, seen)
}
