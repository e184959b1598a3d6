//! Numbers and dates for display.

use apidisc::usage::WrittenShare;

/// Groups digits: `12402` is `12,402`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `part / whole` in percent; a share below half a percent is written as its count, `3×`, since 0% would say "never",
/// and one that only rounding makes 100% as `>99%`. `None` if `whole` is 0.
pub fn share_text(part: u32, whole: u32) -> Option<String> {
    Some(match WrittenShare::new(part, whole)? {
        WrittenShare::Percent(percent) => format!("{percent}%"),
        WrittenShare::NearlyNone => format!("{}×", grouped(part as usize)),
        WrittenShare::NearlyAll => ">99%".to_owned(),
    })
}

/// `part / whole` as a percentage without its sign, for a text that states the whole: `68`, `<1`, `>99`. `None` if
/// `whole` is 0.
pub fn percentage(part: u32, whole: u32) -> Option<String> {
    Some(match WrittenShare::new(part, whole)? {
        WrittenShare::Percent(percent) => percent.to_string(),
        WrittenShare::NearlyNone => "<1".to_owned(),
        WrittenShare::NearlyAll => ">99".to_owned(),
    })
}

/// Abbreviates a number below ten billion to at most five cells: `812`, `9,999`, `12.4k`, `124k`, `1.2M`.
pub fn short(number: usize) -> String {
    match number {
        0..10_000 => grouped(number),
        10_000..100_000 => format!("{}.{}k", number / 1_000, number % 1_000 / 100),
        100_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..100_000_000 => format!("{}.{}M", number / 1_000_000, number % 1_000_000 / 100_000),
        _ => format!("{}M", number / 1_000_000),
    }
}

/// The day in UTC of a Unix time in seconds: `2025-11-02`.
pub fn date(seconds: i64) -> String {
    // Years begin on the first of March, so that a leap day is the last day of its year. The algorithm is from
    // Howard Hinnant, "chrono-compatible low-level date algorithms".
    let days = seconds.div_euclid(86_400) + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + i64::from(month < 3);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_below_half_a_percent_is_a_count() {
        let shares =
            [(0, 9), (3, 1000), (5, 1000), (1234, 1_000_000), (1, 1)].map(|(part, whole)| share_text(part, whole));
        assert_eq!(shares.map(Option::unwrap), ["0%", "3×", "1%", "1,234×", "100%"]);
        assert_eq!(share_text(0, 0), None);
        assert_eq!(share_text(999, 1000).as_deref(), Some(">99%"));
        let shares = [(3, 1000), (57, 200), (999, 1000), (1, 1)].map(|(part, whole)| percentage(part, whole));
        assert_eq!(shares.map(Option::unwrap), ["<1", "29", ">99", "100"]);
    }

    #[test]
    fn days_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (1_709_251_200, "2024-03-01"),
            (4_107_542_399, "2100-02-28"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(date(seconds), day);
        }
    }

    #[test]
    fn thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn short_numbers_stay_short() {
        for (number, text) in
            [(9_999, "9,999"), (12_402, "12.4k"), (124_020, "124k"), (1_240_000, "1.2M"), (99_999, "99.9k")]
        {
            assert_eq!(short(number), text);
            assert!(short(number).len() <= 5);
        }
    }
}
