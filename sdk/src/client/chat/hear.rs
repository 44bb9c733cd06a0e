//! What the other windows of the same session tell.

use super::{Chat, Shared};
use crate::client::Transport;
use crate::client::platform::{Happened, News};

impl<T: Transport> Chat<T> {
    /// Hears from another window of the same session. True if a turn began that has to be followed.
    #[must_use]
    pub fn hear(&self, news: &News) -> bool {
        let shared = &*self.0;
        if shared.session_id().as_ref() != Some(&news.session_id) {
            return false;
        }
        match &news.what {
            Happened::Began { turn_id, text } => {
                shared.store.update(|chat| chat.begin_foreign_turn(turn_id, text))
            }
            Happened::Events { turn_id, first, events } => {
                shared.take_told(turn_id, *first, events);
                false
            }
            Happened::Missing { turn_id, first } => {
                if let Some(answer) = shared.relay.answer(turn_id, *first) {
                    shared.platform.tell(&answer);
                }
                false
            }
            Happened::Deciding { id, verdict } => {
                shared.store.update(|chat| chat.decide_elsewhere(id, verdict.clone()));
                false
            }
        }
    }
}

impl<T: Transport> Shared<T> {
    /// Applies what the window that leads has read.
    fn take_told(&self, turn_id: &str, first: u64, events: &[String]) {
        if self.control.is_reading() {
            return;
        }
        let missing = self.store.update(|chat| {
            if chat.turn_id() != Some(turn_id) {
                return None;
            }
            chat.take_all(first, events).is_err().then(|| chat.streamed())
        });
        if let Some(first) = missing {
            self.ask_for(turn_id, first);
        }
    }

    pub(super) fn ask_for(&self, turn_id: &str, first: u64) {
        if let Some(session_id) = self.session_id() {
            let what = Happened::Missing { turn_id: turn_id.to_owned(), first };
            self.platform.tell(&News { session_id, what });
        }
    }
}
