//! What the other windows of the same session tell.

use super::{Chat, Shared};
use crate::chat::Phase;
use crate::client::Transport;
use crate::client::platform::{Happened, News};

/// What a chat has to do about what it heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Heard {
    /// Nothing: it is shown, or not for this chat.
    Shown,
    /// A turn began: [`Chat::follow_turn`].
    Turn,
    /// The session has gone on without this chat: [`Chat::catch_up`], then [`Chat::follow_turn`].
    Gap,
}

impl<T: Transport> Chat<T> {
    /// Hears from another window of the same session.
    pub fn hear(&self, news: &News) -> Heard {
        let shared = &*self.0;
        if shared.session_id().as_ref() != Some(&news.session_id) {
            return Heard::Shown;
        }
        match &news.what {
            Happened::Began { turn_id, text } => {
                let began = shared.store.update(|chat| chat.begin_foreign_turn(turn_id, text));
                if began { Heard::Turn } else { Heard::Shown }
            }
            Happened::Events { turn_id, first, events } => {
                shared.take_told(turn_id, *first, events)
            }
            Happened::Missing { turn_id, first } => {
                if let Some(answer) = shared.relay.answer(turn_id, *first) {
                    shared.platform.tell(&answer);
                }
                Heard::Shown
            }
            Happened::Deciding { id, verdict } => {
                shared.store.update(|chat| chat.decide_elsewhere(id, verdict.clone()));
                Heard::Shown
            }
        }
    }
}

impl<T: Transport> Shared<T> {
    /// Applies what the window that leads has read.
    fn take_told(&self, turn_id: &str, first: u64, events: &[String]) -> Heard {
        if self.control.is_reading() {
            return Heard::Shown;
        }
        if self.store.read(|chat| chat.turn_id() != Some(turn_id)) {
            let is_idle = self.store.read(|chat| chat.phase() == Phase::Idle);
            return if is_idle { Heard::Gap } else { Heard::Shown };
        }
        let missing = self
            .store
            .update(|chat| chat.take_all(first, events).is_err().then(|| chat.streamed()));
        if let Some(first) = missing {
            self.ask_for(turn_id, first);
        }
        Heard::Shown
    }

    pub(super) fn ask_for(&self, turn_id: &str, first: u64) {
        if let Some(session_id) = self.session_id() {
            let what = Happened::Missing { turn_id: turn_id.to_owned(), first };
            self.platform.tell(&News { session_id, what });
        }
    }
}
