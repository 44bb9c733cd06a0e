//! Whether the conversation follows its end.

/// How far from the end still counts as reading along.
const NEAR_PX: i32 = 96;

/// Where a scrolled box stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScrollPosition {
    /// Pixels above the visible part.
    pub top: i32,
    /// Height of the visible part.
    pub visible: i32,
    /// Height of everything.
    pub total: i32,
}

impl ScrollPosition {
    /// Whether the end is in sight, or nearly.
    #[must_use]
    pub fn is_near_end(self) -> bool {
        self.total - self.visible - self.top <= NEAR_PX
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
    fn a_short_conversation_is_always_at_its_end() {
        let short = ScrollPosition { top: 0, visible: 500, total: 100 };
        assert!(short.is_near_end());
    }
}
