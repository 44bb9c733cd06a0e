//! Whether the conversation follows its end.

/// How far from the end still counts as reading along.
const NEAR_PX: i32 = 96;

/// Where a scrolled box stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScrollPosition {
    /// Pixels above the visible part.
    pub top: i32,
    /// Height of the visible part.
    pub visible: i32,
    /// Height of everything.
    pub total: i32,
}

/// What a person has sent so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// Messages in the conversation.
    pub messages: usize,
    /// Messages that wait to be sent.
    pub waiting: usize,
    /// Whether one is on its way.
    pub is_sending: bool,
}

impl Sent {
    /// Whether something was sent just now: whoever sends wants to see what comes of it.
    #[must_use]
    pub fn is_more_than(self, before: Option<Self>) -> bool {
        self.is_sending || before.is_some_and(|before| self.waiting > before.waiting)
    }
}

impl ScrollPosition {
    /// Whether the end is in sight, or nearly.
    #[must_use]
    pub fn is_near_end(self) -> bool {
        self.total - self.visible - self.top <= NEAR_PX
    }

    /// Whether the end is still followed in this place, if it was in the one before: only who goes
    /// up leaves it, not the one whose box has grown meanwhile.
    #[must_use]
    pub fn follows(self, before: Self, was_following: bool) -> bool {
        self.is_near_end() || (was_following && self.top >= before.top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(top: i32) -> ScrollPosition {
        ScrollPosition { top, visible: 500, total: 2000 }
    }

    #[test]
    fn only_a_reader_near_the_end_is_taken_along() {
        assert!(at(1500).is_near_end() && at(1404).is_near_end());
        assert!(!at(1403).is_near_end() && !at(0).is_near_end());
    }

    #[test]
    fn only_going_up_leaves_the_end() {
        let grown = ScrollPosition { total: 9000, ..at(1500) };
        assert!(grown.follows(at(1500), true) && !grown.follows(at(1500), false));
        assert!(!at(1000).follows(at(1500), true));
        assert!(at(1500).follows(at(1000), false));
    }

    #[test]
    fn whoever_sends_is_taken_to_the_end() {
        let idle = Sent { messages: 2, ..Sent::default() };
        let waiting = Sent { waiting: 1, ..idle };
        assert!(Sent { is_sending: true, ..idle }.is_more_than(None));
        assert!(waiting.is_more_than(Some(idle)) && !waiting.is_more_than(None));
        assert!(!idle.is_more_than(Some(waiting)) && !waiting.is_more_than(Some(waiting)));
    }

    #[test]
    fn a_short_conversation_is_always_at_its_end() {
        let short = ScrollPosition { top: 0, visible: 500, total: 100 };
        assert!(short.is_near_end());
    }
}
