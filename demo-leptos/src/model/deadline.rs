//! How long a card can still be decided, in words that change slowly.

use std::time::Duration;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// When a decision has to be there, by the page's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// Milliseconds since 1970.
    pub ends: i64,
}

/// How long is left, or that nothing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLeft(i64);

impl Deadline {
    /// The deadline of an item that was first `seen` open at that time. All times are in
    /// milliseconds since 1970; `seen` is the page's own, the others are the server's.
    ///
    /// Nothing is asked in the future, and what is over is not open: a clock of the page that says
    /// otherwise is wrong. One that is behind is put right; one that is ahead tells nothing, and the
    /// server alone then says when the time is up.
    #[must_use]
    pub fn new(requested: Option<i64>, expires: i64, seen: i64) -> Option<Self> {
        let behind = requested.map_or(0, |requested| (requested - seen).max(0));
        let ends = expires - behind;
        (ends > seen).then_some(Self { ends })
    }

    /// What is left of it.
    #[must_use]
    pub fn left(self, now: i64) -> TimeLeft {
        TimeLeft((self.ends - now).max(0))
    }
}

impl TimeLeft {
    /// Whether the time is up.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.0 == 0
    }

    /// Whether it is time to hurry.
    #[must_use]
    pub fn is_short(self) -> bool {
        self.0 < MINUTE
    }

    /// How long is left: whole minutes until the last one, which is counted in seconds. `until` is
    /// the end as a clock shows it.
    #[must_use]
    pub fn words(self, until: &str) -> String {
        let left = self.0;
        match left {
            0 => "Time is up".to_owned(),
            1..MINUTE => format!("{} s left", (left + SECOND - 1) / SECOND),
            MINUTE..HOUR => format!("{} min left, until {until}", left / MINUTE),
            HOUR..DAY => format!("{} h left, until {until}", left / HOUR),
            _ => format!("Until {until}"),
        }
    }

    /// How long the words stay as they are; nothing changes any more once the time is up.
    ///
    /// Not more than a minute, as a machine may sleep meanwhile.
    #[must_use]
    pub fn stays(self) -> Option<Duration> {
        let ms = match self.0 {
            0 => return None,
            left @ 1..MINUTE => (left - 1) % SECOND + 1,
            left => left % MINUTE + 1,
        };
        u64::try_from(ms).ok().map(Duration::from_millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: i64 = 1_700_000_000_000;

    fn words(left: i64) -> String {
        TimeLeft(left).words("14:32")
    }

    #[test]
    fn minutes_are_counted_and_then_seconds() {
        assert_eq!(words(DAY), "Until 14:32");
        assert_eq!(words(DAY - 1), "23 h left, until 14:32");
        assert_eq!(words(HOUR - 1), "59 min left, until 14:32");
        assert_eq!(words(MINUTE), "1 min left, until 14:32");
        assert_eq!(words(MINUTE - SECOND), "59 s left");
        assert_eq!(words(1), "1 s left");
        assert_eq!(words(0), "Time is up");
    }

    #[test]
    fn the_words_never_change_before_they_are_looked_at_again() {
        for start in [2 * HOUR, 3 * MINUTE + 7, MINUTE, 4_321, 2, 1] {
            let left = TimeLeft(start);
            let stays = i64::try_from(left.stays().unwrap().as_millis()).unwrap();
            assert!(stays <= MINUTE);
            assert_eq!(words(start - (stays - 1)), words(start), "{start}");
        }
        assert_eq!(TimeLeft(0).stays(), None);
    }

    #[test]
    fn the_words_change_once_a_second_at_most() {
        let (mut left, mut changes) = (5 * SECOND, 0);
        while let Some(stays) = TimeLeft(left).stays() {
            left -= i64::try_from(stays.as_millis()).unwrap();
            changes += 1;
        }
        assert_eq!((left, changes), (0, 5));
    }

    #[test]
    fn the_time_is_up_at_the_deadline() {
        let deadline = Deadline::new(Some(SEEN), SEEN + MINUTE, SEEN).unwrap();
        assert!(!deadline.left(SEEN + MINUTE - 1).is_over());
        assert!(deadline.left(SEEN + MINUTE).is_over() && deadline.left(SEEN + HOUR).is_over());
        assert!(deadline.left(SEEN + 1).is_short() && !deadline.left(SEEN).is_short());
    }

    #[test]
    fn a_clock_that_is_behind_is_put_right() {
        let asked = SEEN + HOUR;
        let deadline = Deadline::new(Some(asked), asked + MINUTE, SEEN).unwrap();
        assert_eq!(deadline.ends, SEEN + MINUTE);
    }

    #[test]
    fn a_clock_that_calls_an_open_item_over_is_not_believed() {
        assert_eq!(Deadline::new(Some(SEEN - HOUR), SEEN - 1, SEEN), None);
        assert_eq!(Deadline::new(None, SEEN, SEEN), None);
    }
}
