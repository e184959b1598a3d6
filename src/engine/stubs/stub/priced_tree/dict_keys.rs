//! The keys of the dicts that callers pass for a parameter.

use compact_str::CompactString;
use indexmap::IndexMap;

use super::value_texts::MAX_TEXT;
use apidisc_base::sort::SharedSort as _;

/// The least number of calls that pass a key which a stub names. A key of one call is mostly data.
const MIN_CALLS: u32 = 2;

/// The keys of the dicts among the values that callers pass, the most passed first, ties by name:
/// `{"host": ..., "port": ...}`. A key that one call alone passes is left out unless an intent names the parameter.
/// `None` without a key.
pub(super) fn keys_of_dicts(passed: &[(CompactString, u32)], is_asked: bool) -> Option<String> {
    let mut calls: IndexMap<&str, u32> = IndexMap::new();
    for (value, count) in passed {
        for key in keys_of(value) {
            *calls.entry(key).or_default() += count;
        }
    }
    let mut keys: Vec<(&str, u32)> = calls.into_iter().filter(|(_, count)| is_asked || *count >= MIN_CALLS).collect();
    keys.shared_sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let mut text = String::from("{");
    for (key, _) in &keys {
        if text.len() > 1 && text.len() + key.len() > MAX_TEXT {
            text.push_str(", ...");
            break;
        }
        text.extend([if text.len() > 1 { ", " } else { "" }, "\"", key, "\": ..."]);
    }
    (text.len() > 1).then(|| text + "}")
}

/// The keys in the text of a dict; none in any other text.
fn keys_of(value: &str) -> impl Iterator<Item = &str> {
    let inner = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default();
    inner.split(", ").filter_map(|item| item.strip_prefix('"')?.strip_suffix("\": ..."))
}

#[cfg(test)]
mod tests {
    use super::keys_of_dicts;

    #[test]
    fn the_most_passed_keys_come_first() {
        let check = |passed: &[(&str, u32)], is_asked: bool, expected: Option<&str>| {
            let passed: Vec<_> = passed.iter().map(|&(value, count)| (value.into(), count)).collect();
            assert_eq!(keys_of_dicts(&passed, is_asked).as_deref(), expected, "{passed:?}");
        };
        let three = [(r#"{"port": ..., "host": ...}"#, 2), (r#"{"host": ..., "name": ...}"#, 1), ("\"text\"", 5)];
        check(&three, false, Some(r#"{"host": ..., "port": ...}"#));
        check(&three, true, Some(r#"{"host": ..., "port": ..., "name": ...}"#));
        check(&[(r#"{"a": ...}"#, 1)], false, None);
        check(&[("{}", 3), ("f({\"a\": ...})", 3)], true, None);
        let long = format!("{{{}}}", ["a", "b", "c", "d"].map(|c| format!("\"{}\": ...", c.repeat(20))).join(", "));
        let cut = format!("{{\"{}\": ..., \"{}\": ..., ...}}", "a".repeat(20), "b".repeat(20));
        check(&[(&long, 2)], false, Some(&cut));
    }
}
