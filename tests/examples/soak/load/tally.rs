//! What readers saw, against what there was to see.

use std::collections::HashMap;
use std::iter::Sum;

/// Counts over any number of streams.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Events that were seen.
    pub(crate) events: usize,
    /// Events that were there and were not seen.
    pub(crate) lost: usize,
    /// Events that were seen more often than they were there.
    pub(crate) duplicated: usize,
    /// Streams in which everything was seen once, but not in its place.
    pub(crate) disordered: usize,
}

impl Tally {
    /// Compares one stream with what there was to see, event by event.
    pub(crate) fn of(there: &[String], seen: &[String]) -> Self {
        let mut balance: HashMap<&str, isize> = HashMap::new();
        for event in there {
            *balance.entry(event).or_default() += 1;
        }
        for event in seen {
            *balance.entry(event).or_default() -= 1;
        }
        let sum_of = |sign: isize| balance.values().map(|n| (n * sign).max(0) as usize).sum();
        let (lost, duplicated) = (sum_of(1), sum_of(-1));
        let is_disordered = lost == 0 && duplicated == 0 && there != seen;
        let disordered = usize::from(is_disordered);
        Self { events: seen.len(), lost, duplicated, disordered }
    }

    /// Whether everything was seen once and in its place.
    pub(crate) fn is_clean(&self) -> bool {
        (self.lost, self.duplicated, self.disordered) == (0, 0, 0)
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |sum, tally| Self {
            events: sum.events + tally.events,
            lost: sum.lost + tally.lost,
            duplicated: sum.duplicated + tally.duplicated,
            disordered: sum.disordered + tally.disordered,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(there: &str, seen: &str) -> (usize, usize, usize) {
        let events = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        let tally = Tally::of(&events(there), &events(seen));
        assert_eq!(tally.events, seen.len());
        assert_eq!(tally.is_clean(), there == seen);
        (tally.lost, tally.duplicated, tally.disordered)
    }

    #[test]
    fn what_was_seen_once_and_in_its_place_is_clean() {
        assert_eq!(tally("abcb", "abcb"), (0, 0, 0));
        assert_eq!(tally("", ""), (0, 0, 0));
    }

    #[test]
    fn each_event_that_is_missing_twice_or_in_another_place_is_counted() {
        assert_eq!(tally("abcb", "acb"), (1, 0, 0));
        assert_eq!(tally("abcb", ""), (4, 0, 0));
        assert_eq!(tally("abcb", "abbcb"), (0, 1, 0));
        assert_eq!(tally("abcb", "abcc"), (1, 1, 0));
        assert_eq!(tally("abcb", "acbb"), (0, 0, 1));
    }

    #[test]
    fn tallies_add_up() {
        let one = Tally { events: 1, lost: 2, duplicated: 3, disordered: 4 };
        let sum: Tally = [one, one].into_iter().sum();
        assert_eq!(sum, Tally { events: 2, lost: 4, duplicated: 6, disordered: 8 });
    }
}
