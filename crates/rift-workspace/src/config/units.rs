//! Durations and sizes as `rift.toml` writes them: a whole number without leading zeros and a unit.

use std::time::Duration;

const DURATIONS: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
const SIZES: [(&str, u64); 5] = [("b", 1), ("kb", 1 << 10), ("mb", 1 << 20), ("gb", 1 << 30), ("tb", 1 << 40)];

/// A duration such as `500ms`, `30s`, `5m`, `1h`, `1d`.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    parse(text, &DURATIONS).map(Duration::from_millis)
}

/// A size in bytes such as `0b`, `64kb`, `4mb`, `2gb`, `1tb`. Units are binary: `1kb` is 1024 bytes.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    parse(text, &SIZES)
}

/// The shortest spelling of a duration. What is finer than a millisecond is lost.
pub(crate) fn show_duration(duration: Duration) -> String {
    show(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX), &DURATIONS)
}

/// The shortest spelling of a size.
pub(crate) fn show_size(bytes: u64) -> String {
    show(bytes, &SIZES)
}

fn parse(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    if number.is_empty() || (number.len() > 1 && number.starts_with('0')) {
        return None;
    }
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*factor)
}

fn show(value: u64, units: &[(&str, u64)]) -> String {
    let fits = units.iter().rev().find(|(_, factor)| value != 0 && value.is_multiple_of(*factor));
    let (unit, factor) = fits.or(units.first()).copied().unwrap_or(("", 1));
    format!("{}{unit}", value / factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        for (text, millis) in
            [("0ms", 0), ("1ms", 1), ("30s", 30_000), ("5m", 300_000), ("1h", 3_600_000), ("1d", 86_400_000)]
        {
            assert_eq!(parse_duration(text), Some(Duration::from_millis(millis)), "{text}");
        }
        for (text, bytes) in
            [("0b", 0), ("1kb", 1024), ("4mb", 4_194_304), ("64gb", 68_719_476_736), ("1tb", 1_099_511_627_776)]
        {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
        for text in [
            "",
            "1",
            "s",
            "01s",
            "1 s",
            "1S",
            "-1s",
            "1.5s",
            "1w",
            "1us",
            "99999999999999999999s",
            "999999999999999999d",
            "1kb",
        ] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
        for text in ["", "4", "mb", "04mb", "4MB", "4 mb", "4mib", "4k", "-1b", "1.5gb", "1s", "99999999tb"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn shown_values_parse_back() {
        for (bytes, text) in [
            (0, "0b"),
            (1, "1b"),
            (1024, "1kb"),
            (1536, "1536b"),
            (512 << 20, "512mb"),
            (u64::MAX, "18446744073709551615b"),
        ] {
            assert_eq!(show_size(bytes), text);
            assert_eq!(parse_size(text), Some(bytes));
        }
        for (millis, text) in [(0, "0ms"), (250, "250ms"), (90_000, "90s"), (1_800_000, "30m"), (86_400_000, "1d")] {
            assert_eq!(show_duration(Duration::from_millis(millis)), text);
        }
    }
}
