//! The scrolled list of messages.

use super::browser;
use super::icon::{Glyph, Icon};
use super::message::Message;
use super::session::Session;
use super::unanswered::Unanswered;
use super::welcome::Welcome;
use leptos::html;
use leptos::prelude::*;
use turnwire::chat::{ChatState, MessageStatus, Phase};

/// The messages. It follows its end while the reader is near it and stays put otherwise.
///
/// It is no live region: the status line tells what happens, in a few words.
#[component]
pub(super) fn Conversation() -> impl IntoView {
    let session = Session::expect();
    let log = NodeRef::<html::Main>::new();
    let follow = Follow { log, is_at_end: RwSignal::new(true), has_news: RwSignal::new(false) };
    follow.watch(session);
    let keys = session.memo(|state| state.messages.iter().map(|m| m.key).collect::<Vec<_>>());
    let is_blank = session.memo(|state| state.messages.is_empty() && state.phase == Phase::Idle);
    view! {
        <main class="log" tabindex="0" aria-labelledby="log-title" node_ref=log on:scroll=move |_| follow.note_scroll()>
            <div class="column">
                <h2 id="log-title" class="unseen">"Conversation"</h2>
                <Show when=move || is_blank.get()>
                    <Welcome />
                </Show>
                <ol class="messages" role="list">
                    <For each=move || keys.get() key=|key| *key let:key>
                        <Message key />
                    </For>
                </ol>
                <Unanswered />
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
    is_at_end: RwSignal<bool>,
    has_news: RwSignal<bool>,
}

impl Follow {
    fn watch(self, session: Session) {
        let sent = session.memo(|state| (state.messages.len(), state.phase == Phase::Sending));
        let waiting = session.memo(count_waiting);
        Effect::new(move |before: Option<usize>| {
            // Whoever sends wants to see what comes of it.
            let waiting = waiting.get();
            if sent.get().1 || before.is_some_and(|before| waiting > before) {
                self.is_at_end.set(true);
            }
            waiting
        });
        let size = session.memo(|state| {
            state.messages.iter().map(|message| 1 + message.parts.len()).sum::<usize>()
        });
        Effect::new(move |seen: Option<usize>| {
            let size = size.get();
            if seen.is_some_and(|seen| size > seen) {
                self.after_layout(true);
            }
            size
        });
        Effect::new(move || {
            // Anything may have changed the height. A blank page is read from its top.
            if !session.state().messages.is_empty() {
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
            let is_near_end = browser::scroll_position(&log).is_near_end();
            self.is_at_end.set(is_near_end);
            if is_near_end {
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

fn count_waiting(state: &ChatState) -> usize {
    state.messages.iter().filter(|message| message.status == MessageStatus::Queued).count()
}
