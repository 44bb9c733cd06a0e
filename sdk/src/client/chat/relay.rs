//! What the other windows of the same session are told of its turn.

use super::Shared;
use crate::client::Transport;
use crate::client::platform::{Happened, News, Platform};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How much of a turn is kept for windows that come later. They ask the server for the rest.
const MAX_BYTES: usize = 4 << 20;

/// The events of the turn that this window reads, for those that do not.
#[derive(Debug, Default)]
pub(super) struct Relay(Mutex<Log>);

#[derive(Debug, Default)]
struct Log {
    session_id: String,
    turn_id: String,
    /// Number of the first event that is kept.
    first: u64,
    events: VecDeque<String>,
    bytes: usize,
    /// How many of the kept events were told.
    told: usize,
}

impl<T: Transport> Shared<T> {
    /// Publishes the state, and tells the other windows what led to it; true if it is a new one.
    pub(super) fn publish(&self) -> bool {
        self.relay.flush(&*self.platform);
        self.keep_items();
        self.store.publish_news()
    }

    /// Keeps an event that was read here for the other windows.
    pub(super) fn pass_on(&self, number: u64, json: &str) {
        if number == 0 {
            // The server has the message.
            self.keep_outbox();
        }
        let turn = self.store.read(|chat| {
            let asked = chat.asked().unwrap_or_default().to_owned();
            Some((chat.session_id()?.to_owned(), chat.turn_id()?.to_owned(), asked))
        });
        let Some((session_id, turn_id, text)) = turn.filter(|_| self.platform.has_peers()) else {
            return;
        };
        self.relay.keep(&session_id, &turn_id, number, json);
        if number == 0 {
            let what = Happened::Began { turn_id, text };
            self.platform.tell(&News { session_id, what });
        }
    }
}

impl Relay {
    /// Keeps an event for the next [`flush`](Self::flush).
    pub(super) fn keep(&self, session_id: &str, turn_id: &str, number: u64, json: &str) {
        let mut log = self.lock();
        let next = log.first + log.events.len() as u64;
        if log.turn_id != turn_id || number != next {
            let (session_id, turn_id) = (session_id.to_owned(), turn_id.to_owned());
            *log = Log { session_id, turn_id, first: number, ..Log::default() };
        }
        log.bytes += json.len();
        log.events.push_back(json.to_owned());
    }

    /// Tells the other windows what they have not been told.
    pub(super) fn flush(&self, platform: &dyn Platform) {
        let news = {
            let mut log = self.lock();
            let first = log.first + log.told as u64;
            let events: Vec<_> = log.events.iter().skip(log.told).cloned().collect();
            log.told = log.events.len();
            log.forget();
            (!events.is_empty()).then(|| log.news(first, events))
        };
        if let Some(news) = news {
            platform.tell(&news);
        }
    }

    /// The turn's events from this number on, for a window that lacks them.
    pub(super) fn answer(&self, turn_id: &str, first: u64) -> Option<News> {
        let log = self.lock();
        let skipped = usize::try_from(first.checked_sub(log.first)?).ok()?;
        let events: Vec<_> = log.events.iter().skip(skipped).cloned().collect();
        (log.turn_id == turn_id && !events.is_empty()).then(|| log.news(first, events))
    }

    fn lock(&self) -> MutexGuard<'_, Log> {
        // Every change under the lock is complete in itself, so a poisoned one is still sound.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    fn forget(&mut self) {
        while self.bytes > MAX_BYTES
            && let Some(event) = self.events.pop_front()
        {
            self.bytes -= event.len();
            self.first += 1;
            self.told -= 1;
        }
    }

    fn news(&self, first: u64, events: Vec<String>) -> News {
        let what = Happened::Events { turn_id: self.turn_id.clone(), first, events };
        News { session_id: self.session_id.clone(), what }
    }
}
