//! Times of records.

use std::time::Duration;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A point in time.
pub type LogTime = OffsetDateTime;

/// Units of an age, as `rift.toml` spells durations.
const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// The time that `text` names: an RFC 3339 time, or an age before `now` such as `30s`, `10m`, `2h`, `1d`.
pub fn parse_time(text: &str, now: LogTime) -> Option<LogTime> {
    let text = text.trim();
    if let Some(age) = parse_age(text) {
        return now.checked_sub(age.try_into().ok()?);
    }
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

fn parse_age(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit)?;
    Some(Duration::from_millis(number.parse::<u64>().ok()?.checked_mul(*factor)?))
}

/// A time in UTC with its milliseconds; the same width always, so that lines of a log align.
pub(super) fn show(time: LogTime) -> String {
    let time = time.to_offset(time::UtcOffset::UTC);
    let (date, clock) = (time.date(), time.time());
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    let (hour, minute, second, milli) = (clock.hour(), clock.minute(), clock.second(), clock.millisecond());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> LogTime {
        OffsetDateTime::parse(text, &Rfc3339).expect(text)
    }

    #[test]
    fn ages_and_times() {
        let now = at("2026-03-01T00:00:10Z");
        for (text, expected) in [
            ("10s", "2026-03-01T00:00:00Z"),
            ("250ms", "2026-03-01T00:00:09.75Z"),
            ("10m", "2026-02-28T23:50:10Z"),
            ("2h", "2026-02-28T22:00:10Z"),
            ("1d", "2026-02-28T00:00:10Z"),
            (" 0s ", "2026-03-01T00:00:10Z"),
            ("2026-02-01T12:00:00Z", "2026-02-01T12:00:00Z"),
            ("2026-02-01T12:00:00.5+02:00", "2026-02-01T10:00:00.5Z"),
        ] {
            assert_eq!(parse_time(text, now), Some(at(expected)), "{text}");
        }
        for text in
            ["", "10", "m", "ten minutes", "-5m", "1w", "2026-02-01", "2026-02-30T00:00:00Z", "99999999999999999d"]
        {
            assert_eq!(parse_time(text, now), None, "{text}");
        }
    }

    #[test]
    fn shown_in_utc_with_milliseconds() {
        assert_eq!(show(at("2026-02-01T12:00:00+02:00")), "2026-02-01T10:00:00.000Z");
        assert_eq!(show(at("1999-12-31T23:59:59.9994Z")), "1999-12-31T23:59:59.999Z");
    }
}
