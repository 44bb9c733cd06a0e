//! The two grammars of instants: a lenient one for envelopes, a strict one for messages.

const MS_PER_DAY: i64 = 86_400_000;

/// The last millisecond of the year 9999, the last that has four digits.
const MAX_MS: u64 = 253_402_300_799_999;

/// Whether a text is an instant with an offset; its seconds may be left out.
pub(super) fn is_instant(text: &str) -> bool {
    split(text, 10).is_some_and(|(date, rest)| {
        day_of(date).is_some() && rest.strip_prefix('T').is_some_and(is_time_and_zone)
    })
}

/// Milliseconds since 1970 of an instant written just as JavaScript's `toISOString` does.
pub(super) fn strict_ms(text: &str) -> Option<i64> {
    let (date, rest) = split(text, 10)?;
    let (time, fraction) = split(rest.strip_prefix('T')?, 8)?;
    let ms = digits(fraction.strip_prefix('.')?.strip_suffix('Z')?, 3, 999)?;
    let (hour_and_minute, second) = split(time, 5)?;
    let second = digits(second.strip_prefix(':')?, 2, 59)?;
    let minutes = minute_of_day(hour_and_minute)?;
    Some(day_of(date)? * MS_PER_DAY + (minutes * 60 + second) * 1000 + ms)
}

/// An instant as JavaScript's `toISOString` writes it; what is too late for four digits of a year
/// is the latest that has them.
pub(super) fn written(unix_ms: u64) -> String {
    let ms = unix_ms.min(MAX_MS);
    let (days, seconds) = (ms / 86_400_000, ms / 1000);
    let (year, month, day) = date_of(days);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let fraction = ms % 1000;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

/// Year, month and day of so many days since 1970. A year is counted from March, so that a leap day
/// is its last one.
fn date_of(days: u64) -> (u64, u64, u64) {
    let since_march_0000 = days + 719_468;
    let (era, day_of_era) = (since_march_0000 / 146_097, since_march_0000 % 146_097);
    let leap_days = day_of_era / 1460 + day_of_era / 146_096 - day_of_era / 36_524;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let months = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * months + 2) / 5 + 1;
    let month = if months < 10 { months + 3 } else { months - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

fn is_time_and_zone(text: &str) -> bool {
    let Some((time, rest)) = split(text, 5) else {
        return false;
    };
    minute_of_day(time).is_some() && after_seconds(rest).is_some_and(is_zone)
}

/// What follows the seconds and their fraction, where they are there at all.
fn after_seconds(text: &str) -> Option<&str> {
    let Some(seconds) = text.strip_prefix(':') else {
        return Some(text);
    };
    let (second, rest) = split(seconds, 2)?;
    digits(second, 2, 59)?;
    let Some(fraction) = rest.strip_prefix('.') else {
        return Some(rest);
    };
    let rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < fraction.len()).then_some(rest)
}

fn is_zone(text: &str) -> bool {
    text == "Z" || text.strip_prefix(['+', '-']).and_then(minute_of_day).is_some()
}

/// `hh:mm` as minutes.
fn minute_of_day(text: &str) -> Option<i64> {
    let (hour, minute) = text.split_once(':')?;
    Some(digits(hour, 2, 23)? * 60 + digits(minute, 2, 59)?)
}

/// `yyyy-mm-dd` as days since 1970, if there is such a day.
fn day_of(text: &str) -> Option<i64> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let (year, month) = (digits(year, 4, 9999)?, digits(month, 2, 12)?);
    let day = digits(day, 2, days_in(year, month)?)?;
    (day > 0).then(|| days_before(year, month) + day - 1)
}

fn days_in(year: i64, month: i64) -> Option<i64> {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 if is_leap(year) => Some(29),
        2 => Some(28),
        _ => None,
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days from 1970 to the first day of a month.
fn days_before(year: i64, month: i64) -> i64 {
    let leap_days = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let in_year: i64 = (1..month).filter_map(|month| days_in(year, month)).sum();
    (year - 1970) * 365 + leap_days(year - 1) - leap_days(1969) + in_year
}

/// Exactly `count` decimal digits that are at most `max`.
fn digits(text: &str, count: usize, max: i64) -> Option<i64> {
    let is_number = text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    let number = is_number.then(|| text.parse().ok())??;
    (number <= max).then_some(number)
}

fn split(text: &str, at: usize) -> Option<(&str, &str)> {
    text.split_at_checked(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn envelopes_may_leave_seconds_out_and_carry_offsets() {
        for text in [
            "2031-03-04T05:06Z",
            "2031-03-04T05:06:07Z",
            "2031-03-04T05:06:07.1234567890123Z",
            "2031-03-04T05:06-00:00",
            "0000-02-29T23:59:59+23:59",
            "2000-02-29T00:00:00Z",
        ] {
            assert!(is_instant(text), "{text}");
        }
        for text in [
            "1900-02-29T00:00:00Z",
            "2031-13-04T05:06Z",
            "2031-00-04T05:06Z",
            "2031-03-00T05:06Z",
            "2031-04-31T05:06Z",
            "2031-03-04t05:06Z",
            "2031-03-04T05:06z",
            "2031-03-04T24:00Z",
            "2031-03-04T05:60Z",
            "2031-03-04T05:06:60Z",
            "2031-03-04T05:06.5Z",
            "2031-03-04T05:06:07.Z",
            "2031-03-04T05:06:07,5Z",
            "2031-03-04T05:06",
            "2031-03-04T05:06+0545",
            "2031-03-04T05:06+05",
            "2031-03-04T05:06+24:00",
            "2031-03-04T05:06Z\n",
            " 2031-03-04T05:06Z",
            "12031-03-04T05:06Z",
            "+2031-03-04T05:06Z",
            "2031-03-04T05:06Zé",
            "２031-03-04T05:06Z",
            "",
        ] {
            assert!(!is_instant(text), "{text}");
        }
    }

    #[test]
    fn every_day_is_written_as_it_is_read() {
        // The calendar repeats itself after 400 years.
        for day in 0..146_097 {
            let ms = day * 86_400_000 + 86_399_999;
            assert_eq!(strict_ms(&written(ms)), i64::try_from(ms).ok(), "day {day}");
        }
        for ms in [MAX_MS, MAX_MS + 1, u64::MAX] {
            assert_eq!(written(ms), "9999-12-31T23:59:59.999Z");
        }
    }

    #[test]
    fn messages_count_from_1970() {
        for (text, ms) in [
            ("1970-01-01T00:00:00.000Z", 0),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2000-03-01T00:00:00.000Z", 951_868_800_000),
            ("2031-03-04T05:06:07.089Z", 1_930_367_167_089),
            ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] {
            assert_eq!(strict_ms(text), Some(ms), "{text}");
            let is_writable = u64::try_from(ms).is_ok_and(|ms| written(ms) == text);
            assert_eq!(is_writable, ms >= 0, "{text}");
        }
        for text in [
            "2031-03-04T05:06:07Z",
            "2031-03-04T05:06:07.08Z",
            "2031-03-04T05:06:07.0891Z",
            "2031-03-04T05:06:07.089+00:00",
            "2031-02-29T05:06:07.089Z",
            "2031-03-04T24:00:00.000Z",
            "2031-03-04T05:06:60.000Z",
            "2031-03-04 05:06:07.089Z",
        ] {
            assert_eq!(strict_ms(text), None, "{text}");
        }
    }
}
