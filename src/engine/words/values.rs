//! What concrete values in a text are: a person who writes `18:30` or `Monday` wants the parameter that takes an hour
//! or a weekday.

use super::split::words;

/// The words that clock times, days, months and years stand for.
const TIME_OF_DAY: &[&str] = &["hour", "minute", "time"];
const WEEKDAY: &[&str] = &["weekday", "day"];
const MONTH: &[&str] = &["month", "date"];
const YEAR: &[&str] = &["year", "date"];
const TIME_ZONE: &[&str] = &["zone", "timezone", "tz"];
const ADDRESS: &[&str] = &["url", "uri", "address", "dsn"];
const EMAIL: &[&str] = &["email", "mail"];
const SHARE: &[&str] = &["percent", "ratio", "share"];

/// The short names of weekdays and months.
const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// The names of weekdays, and of months that are no other word: `may` is one.
const DAY_NAMES: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTH_NAMES: [&str; 11] =
    ["january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december"];

/// The concrete values in a text: the first word of each, in lower case, and the words of programming for what the
/// value is.
pub fn values(text: &str) -> Vec<(String, &'static [&'static str])> {
    let mut found = Vec::new();
    let tokens: Vec<&str> = text.split_whitespace().map(without_punctuation).collect();
    for (at, token) in tokens.iter().enumerate() {
        let Some(first) = words(token).next() else { continue };
        if let Some(words) = kind_of(token) {
            found.push((first, words));
        } else if tokens.get(at + 1) == Some(&"time") && token.starts_with(char::is_uppercase) && at > 0 {
            // `Berlin time`; a sentence may begin with any word.
            found.push((first, TIME_ZONE));
        }
    }
    found
}

/// A token without the quotes and the punctuation around it.
fn without_punctuation(token: &str) -> &str {
    token.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '(' | ')' | ',' | '.' | ';' | '?' | '!'))
}

/// The words for what a value is; `None` for a token that is no value of a known kind.
fn kind_of(token: &str) -> Option<&'static [&'static str]> {
    if token.contains("://") {
        return Some(ADDRESS);
    }
    if let Some((name, host)) = token.split_once('@') {
        return (!name.is_empty() && host.contains('.')).then_some(EMAIL);
    }
    if token.strip_suffix('%').is_some_and(is_number) {
        return Some(SHARE);
    }
    if token == "UTC" || is_zone(token) {
        return Some(TIME_ZONE);
    }
    let mut parts = token.split(':');
    if let (Some(hour), Some(minute)) = (parts.next(), parts.next())
        && is_number(hour)
        && is_number(minute)
        && hour.len() <= 2
        && minute.len() == 2
    {
        return Some(TIME_OF_DAY);
    }
    let year = token.split('-').next().unwrap_or_default();
    if year.len() == 4 && is_number(year) && (year.starts_with("19") || year.starts_with("20")) {
        return Some(YEAR);
    }
    let lower = token.to_lowercase();
    let day = lower.strip_suffix('s').unwrap_or(&lower);
    // `mon-fri`
    let is_range =
        || lower.split_once('-').is_some_and(|(from, to)| WEEKDAYS.contains(&from) && WEEKDAYS.contains(&to));
    if DAY_NAMES.contains(&day) || is_range() {
        return Some(WEEKDAY);
    }
    // `march` in lower case, and `may`, are other words.
    let is_name = token.starts_with(char::is_uppercase);
    let is_range = || lower.split_once('-').is_some_and(|(from, to)| MONTHS.contains(&from) && MONTHS.contains(&to));
    (is_name && MONTH_NAMES.contains(&&*lower) || is_range()).then_some(MONTH)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// True for a name of the time zone database: `Europe/Berlin`.
fn is_zone(token: &str) -> bool {
    const AREAS: [&str; 8] = ["Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"];
    token.split_once('/').is_some_and(|(area, city)| AREAS.contains(&area) && !city.is_empty())
}

#[cfg(test)]
mod tests {
    use super::values;

    /// The first words for what each value in a text is.
    fn kinds(text: &str) -> Vec<(String, &'static str)> {
        values(text).into_iter().map(|(word, kinds)| (word, kinds[0])).collect()
    }

    #[test]
    fn times_days_and_addresses_are_values() {
        let expected = [("monday", "weekday"), ("18", "hour"), ("berlin", "zone")].map(|(a, b)| (a.to_owned(), b));
        assert_eq!(kinds("Monday to nobody at 18:30, Berlin time"), expected);
        for (text, kind) in [
            ("mon-fri", "weekday"),
            ("in January", "month"),
            ("2026-01-15", "year"),
            ("Asia/Tokyo", "zone"),
            ("`redis://cache:6379`", "url"),
            ("ada@example.org", "email"),
            ("50%", "percent"),
        ] {
            assert_eq!(kinds(text).into_iter().map(|(_, kind)| kind).collect::<Vec<_>>(), [kind], "{text}");
        }
    }

    #[test]
    fn other_words_and_numbers_are_no_values() {
        for text in
            ["Time is up", "it may march on", "100 items", "a:b", "src/lib", "@decorator", "", "🎉 time", "1:2:3"]
        {
            assert_eq!(values(text), [], "{text}");
        }
    }
}
