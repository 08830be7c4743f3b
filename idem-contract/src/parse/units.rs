//! Durations, sizes and dates.

use std::time::Duration;

/// A thousand years. Longer times are slips of the pen, and sums with them must not overflow.
const MAX_DAYS: u64 = 365_000;
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Why a duration or size was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitError {
    /// Not `<integer><unit>` parts.
    Malformed,
    /// A part whose unit is not in the list.
    Unit,
    /// Larger than any real one.
    TooLong,
}

/// Reads `1d12h`: integers with a unit each (`ms s m h d w`), added up.
pub(crate) fn duration(text: &str) -> Result<Duration, UnitError> {
    let total = parts(text, |unit| match unit {
        "ms" => Some(1),
        "s" => Some(1000),
        "m" => Some(60 * 1000),
        "h" => Some(60 * 60 * 1000),
        "d" => Some(DAY_MS),
        "w" => Some(7 * DAY_MS),
        _ => None,
    })?;
    if total > MAX_DAYS * DAY_MS {
        return Err(UnitError::TooLong);
    }
    Ok(Duration::from_millis(total))
}

/// Reads `64KiB`: an integer and `B`, `KiB` or `MiB`; bytes.
pub(crate) fn size(text: &str) -> Result<u64, UnitError> {
    parts(text, |unit| match unit {
        "B" => Some(1),
        "KiB" => Some(1 << 10),
        "MiB" => Some(1 << 20),
        _ => None,
    })
}

fn parts(text: &str, unit: impl Fn(&str) -> Option<u64>) -> Result<u64, UnitError> {
    let mut rest = text;
    let mut total = 0u64;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letters = (rest.bytes().skip(digits))
            .take_while(u8::is_ascii_alphabetic)
            .count();
        if digits == 0 || letters == 0 {
            return Err(UnitError::Malformed);
        }
        let factor = unit(&rest[digits..digits + letters]).ok_or(UnitError::Unit)?;
        let count: u64 = rest[..digits].parse().map_err(|_| UnitError::TooLong)?;
        total = (count.checked_mul(factor))
            .and_then(|part| total.checked_add(part))
            .ok_or(UnitError::TooLong)?;
        rest = &rest[digits + letters..];
        if rest.is_empty() {
            return Ok(total);
        }
    }
}

/// What a TOML date-time token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateText {
    /// A local date, as days since 1970-01-01.
    Date(i32),
    /// Looks like a date with a time, or a time.
    DateTime,
    /// Neither: `2027-02-30`, `1-2`.
    Neither,
}

/// Reads `2027-03-01`.
pub(crate) fn date(text: &str) -> DateText {
    let bytes = text.as_bytes();
    if bytes.len() >= 3 && bytes[2] == b':' {
        return DateText::DateTime;
    }
    let digits = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = bytes.get(range)?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        Some((digits.iter()).fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
    };
    let parts = (digits(0..4), digits(5..7), digits(8..10));
    let (Some(year), Some(month), Some(day)) = parts else {
        return DateText::Neither;
    };
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return DateText::Neither;
    }
    let Some(days) = days_from_civil(year, month, day) else {
        return DateText::Neither;
    };
    match bytes.get(10) {
        None => DateText::Date(days),
        Some(b'T' | b't' | b' ') => DateText::DateTime,
        Some(_) => DateText::Neither,
    }
}

/// Days since 1970-01-01 of a proleptic Gregorian date. Counts in 400-year cycles of years that
/// begin in March, where the leap day comes last.
fn days_from_civil(year: i64, month: i64, day: i64) -> Option<i32> {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i64::from(leap),
        _ => return None,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    let shifted = if month <= 2 { year - 1 } else { year };
    let cycle = shifted.div_euclid(400);
    let year_of_cycle = shifted.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_cycle = year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
    i32::try_from(cycle * 146_097 + day_of_cycle - 719_468).ok()
}

/// `2027-03-01` for days since 1970-01-01.
pub(crate) fn date_text(days: i32) -> String {
    let shifted = i64::from(days) + 719_468;
    let cycle = shifted.div_euclid(146_097);
    let day_of_cycle = shifted.rem_euclid(146_097);
    let year_of_cycle =
        (day_of_cycle - day_of_cycle / 1460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year =
        day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = cycle * 400 + year_of_cycle + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_the_sum_of_its_parts() {
        for (text, ms) in [
            ("250ms", 250),
            ("30s", 30_000),
            ("2m", 120_000),
            ("4h", 14_400_000),
            ("1d12h", 129_600_000),
            ("1w", 604_800_000),
            ("0s", 0),
            ("1h1h", 7_200_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_duration() {
        for text in [
            "", "30", "s", "30 s", "-1s", "1.5h", "+1s", "1d 12h", "1d12", "٣s", "1s\n",
        ] {
            assert_eq!(duration(text), Err(UnitError::Malformed), "{text}");
        }
        for text in ["30sec", "1y", "1M", "1us", "30S"] {
            assert_eq!(duration(text), Err(UnitError::Unit), "{text}");
        }
        for text in ["365001d", "99999999999999999999s", "18446744073709551615w"] {
            assert_eq!(duration(text), Err(UnitError::TooLong), "{text}");
        }
        assert!(duration("365000d").is_ok());
    }

    #[test]
    fn sizes_count_in_powers_of_1024() {
        assert_eq!(size("1B"), Ok(1));
        assert_eq!(size("64KiB"), Ok(65_536));
        assert_eq!(size("2MiB"), Ok(2_097_152));
        assert_eq!(size("64KB"), Err(UnitError::Unit));
        assert_eq!(size("64"), Err(UnitError::Malformed));
        assert_eq!(size("99999999999999999MiB"), Err(UnitError::TooLong));
    }

    #[test]
    fn dates_go_to_days_and_back() {
        assert_eq!(date("1970-01-01"), DateText::Date(0));
        assert_eq!(date("2000-03-01"), DateText::Date(11_017));
        assert_eq!(date("0000-01-01"), DateText::Date(-719_528));
        for days in (-800_000..3_000_000).step_by(173) {
            if let DateText::Date(back) = date(&date_text(days)) {
                assert_eq!(back, days);
            }
        }
        for text in [
            "2027-02-29",
            "2027-13-01",
            "2027-00-10",
            "2027-1-1",
            "2027-01-011",
            "12-34",
        ] {
            assert_eq!(date(text), DateText::Neither, "{text}");
        }
        assert_eq!(date("2028-02-29T10:00:00Z"), DateText::DateTime);
        assert_eq!(date("10:00:00"), DateText::DateTime);
    }
}
