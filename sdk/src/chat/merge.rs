//! One turn's events from two sources without doubles.
//!
//! A decision's response holds every event of its turn from `session` on; an open stream delivers
//! the same events in the same order. So an event's index tells whether it is new.

use crate::loopengine::Received;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Which events of the running turn were applied.
#[derive(Debug, Clone, Default)]
pub(super) struct TurnLog {
    /// Fingerprints of the applied events, in order.
    applied: Vec<u64>,
    /// How many events the open stream delivered.
    streamed: usize,
    /// How many events had happened before the chat began to watch.
    past: usize,
}

impl TurnLog {
    /// A log of a turn of which this many events have happened already.
    pub(super) fn with_past(past: usize) -> Self {
        Self { past, ..Self::default() }
    }

    /// Says that this many events have happened already.
    pub(super) fn expect_past(&mut self, past: usize) {
        self.past = past;
    }

    /// Notes the stream's next event; true if it has not been applied yet.
    pub(super) fn take_streamed(&mut self, event: &Received) -> bool {
        let index = self.streamed;
        self.streamed += 1;
        let is_new = index >= self.applied.len();
        if is_new {
            self.applied.push(fingerprint(event));
        }
        is_new
    }

    /// Notes the events of a response and gives those that have not been applied yet; `None` if
    /// they are another turn's.
    pub(super) fn take_response<'a>(&mut self, events: &'a [Received]) -> Option<&'a [Received]> {
        let known = events.iter().zip(&self.applied);
        if known.into_iter().any(|(event, applied)| fingerprint(event) != *applied) {
            return None;
        }
        let fresh = events.get(self.applied.len()..).unwrap_or_default();
        self.applied.extend(fresh.iter().map(fingerprint));
        Some(fresh)
    }

    /// Where a stream has to begin that brings what is missing.
    pub(super) fn resume(&mut self) -> usize {
        self.streamed = self.applied.len();
        self.streamed
    }

    /// How many events the stream delivered.
    pub(super) fn streamed(&self) -> usize {
        self.streamed
    }

    /// Whether every event of before the chat began to watch was applied.
    pub(super) fn has_caught_up(&self) -> bool {
        self.applied.len() >= self.past
    }

    /// Whether the last applied event happened before the chat began to watch.
    pub(super) fn is_in_past(&self) -> bool {
        self.applied.len() <= self.past
    }

    /// How many events were applied.
    pub(super) fn applied(&self) -> usize {
        self.applied.len()
    }

    /// Whether no event was applied yet.
    pub(super) fn is_empty(&self) -> bool {
        self.applied.is_empty()
    }
}

fn fingerprint(event: &Received) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(event).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loopengine::decode;

    fn events(texts: &[&str]) -> Vec<Received> {
        let event =
            |text| decode(&format!(r#"{{"type":"assistant:text","text":"{text}"}}"#)).unwrap();
        texts.iter().map(|text| Received::Event(event(text))).collect()
    }

    #[test]
    fn every_order_of_stream_and_response_applies_each_event_once() {
        let all = events(&["a", "b", "c", "d"]);
        for before in 0..=all.len() {
            for length in 0..=all.len() {
                let mut log = TurnLog::default();
                let early = all[..before].iter().filter(|event| log.take_streamed(event)).count();
                let response = log.take_response(&all[..length]).unwrap().len();
                let late = all[before..].iter().filter(|event| log.take_streamed(event)).count();
                assert_eq!(early + response + late, all.len(), "{before} {length}");
            }
        }
    }

    #[test]
    fn a_response_of_another_turn_is_refused() {
        let mut log = TurnLog::default();
        assert!(log.take_streamed(&events(&["a"])[0]));
        assert!(log.take_response(&events(&["x", "y"])).is_none());
        assert_eq!(log.take_response(&events(&["a", "y"])).unwrap().len(), 1);
    }
}
