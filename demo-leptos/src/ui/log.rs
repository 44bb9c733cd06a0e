//! The scrolled list that a conversation stands in.

use super::browser;
use super::icon::{Glyph, Icon};
use crate::model::scroll::{ScrollPosition, Sent};
use leptos::html;
use leptos::prelude::*;

/// What the list has to know of its conversation; a copy is a handle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// How much is shown; more of it is news.
    pub(super) size: Memo<usize>,
    /// What was sent.
    pub(super) sent: Memo<Sent>,
    /// Whether anything is shown; tells of every change, as each may change the height.
    pub(super) is_filled: Signal<bool>,
}

/// The list. It follows its end while the reader is near it and stays put otherwise.
///
/// It is no live region: the status line tells what happens, in a few words.
#[component]
pub(super) fn Log(
    /// How much there is in it.
    extent: Extent,
    /// The conversation.
    children: Children,
) -> impl IntoView {
    let log = NodeRef::<html::Main>::new();
    let follow = Follow {
        log,
        position: RwSignal::default(),
        is_at_end: RwSignal::new(true),
        has_news: RwSignal::new(false),
    };
    follow.watch(extent);
    view! {
        <main class="log" tabindex="0" aria-labelledby="log-title" node_ref=log on:scroll=move |_| follow.note_scroll()>
            <div class="column">
                <h2 id="log-title" class="unseen">"Conversation"</h2>
                {children()}
            </div>
        </main>
        <Show when=move || follow.has_news.get()>
            <div class="to-end">
                <button type="button" class="button raised" on:click=move |_| follow.go_to_end()>
                    <Icon glyph=Glyph::ArrowDown />
                    "New messages"
                </button>
            </div>
        </Show>
    }
}

/// Whether and how the list follows its end.
#[derive(Clone, Copy)]
struct Follow {
    log: NodeRef<html::Main>,
    position: RwSignal<ScrollPosition>,
    is_at_end: RwSignal<bool>,
    has_news: RwSignal<bool>,
}

impl Follow {
    fn watch(self, extent: Extent) {
        let Extent { size, sent, is_filled } = extent;
        Effect::new(move |before: Option<Sent>| {
            let sent = sent.get();
            if sent.is_more_than(before) {
                self.is_at_end.set(true);
            }
            sent
        });
        Effect::new(move |seen: Option<usize>| {
            let size = size.get();
            if seen.is_some_and(|seen| size > seen) {
                self.after_layout(true);
            }
            size
        });
        Effect::new(move || {
            // A blank page is read from its top.
            if is_filled.get() {
                self.after_layout(false);
            }
        });
    }

    fn after_layout(self, grew: bool) {
        request_animation_frame(move || {
            // By then the component may be gone.
            let Some(is_at_end) = self.is_at_end.try_get_untracked() else { return };
            if is_at_end {
                self.scroll();
            } else if grew {
                self.has_news.set(true);
            }
        });
    }

    fn note_scroll(self) {
        if let Some(log) = self.log.get_untracked() {
            let position = browser::scroll_position(&log);
            let before = self.position.get_untracked();
            let is_at_end = position.follows(before, self.is_at_end.get_untracked());
            self.position.set(position);
            self.is_at_end.set(is_at_end);
            if is_at_end {
                self.has_news.set(false);
            }
        }
    }

    fn go_to_end(self) {
        self.is_at_end.set(true);
        self.has_news.set(false);
        self.scroll();
        if let Some(log) = self.log.get_untracked() {
            browser::focus(&log);
        }
    }

    fn scroll(self) {
        if let Some(log) = self.log.get_untracked() {
            browser::scroll_to_end(&log);
        }
    }
}
