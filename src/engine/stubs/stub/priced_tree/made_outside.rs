//! The values that callers make with classes of other packages: the classes to construct, with their imports.

use compact_str::CompactString;
use indexmap::IndexMap;

use super::values::ParameterValues;
use crate::stub::text::sanitized;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::made_outside;

/// The least number of calls that pass values of a class, unless they are most calls that pass the parameter.
const MIN_CALLS: u32 = 2;
/// The greatest number of classes.
const MAX_CLASSES: usize = 2;

/// The values that one class makes, each with the number of calls that pass it.
#[derive(Default)]
struct ByClass<'v> {
    calls: u32,
    values: Vec<(u32, &'v str)>,
}

/// How callers make the values of a parameter with classes of other packages: of the classes that most calls use, the
/// value that most calls write, of equal ones the longest. `count` is the number of calls that pass the parameter.
pub(super) fn values_made_outside(passed: &[(CompactString, u32)], count: u32) -> Option<ParameterValues> {
    let mut classes: IndexMap<&str, ByClass<'_>> = IndexMap::new();
    for (text, calls) in passed {
        let Some((value, _)) = made_outside(text) else { continue };
        let class = value.split('(').next().unwrap_or_default();
        let of_class = classes.entry(class).or_default();
        of_class.calls += calls;
        of_class.values.push((*calls, text));
    }
    let mut classes: Vec<ByClass<'_>> = classes.into_values().collect();
    classes.retain(|made| made.calls >= MIN_CALLS || made.calls.saturating_mul(2) >= count.max(1));
    classes.shared_sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.values.cmp(&b.values)));
    let mut made = ParameterValues::default();
    for ByClass { values, .. } in classes.iter().take(MAX_CLASSES) {
        let best = values.iter().max_by_key(|(calls, text)| (*calls, text.len(), std::cmp::Reverse(*text)));
        let Some((value, imports)) = best.and_then(|(_, text)| made_outside(text)) else { continue };
        made.text.extend([if made.text.is_empty() { "" } else { ", " }, &*sanitized(value)]);
        made.imports.extend(imports.map(sanitized));
    }
    (!made.text.is_empty()).then_some(made)
}

#[cfg(test)]
mod tests {
    use super::values_made_outside;

    #[test]
    fn the_value_that_most_calls_make_is_shown_with_its_imports() {
        let made = |passed: &[(&str, u32)], count: u32| {
            let passed: Vec<_> = passed.iter().map(|&(value, calls)| (value.into(), calls)).collect();
            values_made_outside(&passed, count).map(|made| (made.text, made.imports))
        };
        let (long, short) =
            ("t.Content(role=..., parts=...); from g import t", "t.Content(parts=...); from g import t");
        let found = made(&[(long, 2), (short, 3), ("New(a=...); from b import New", 1)], 9);
        assert_eq!(found, Some(("t.Content(parts=...)".to_owned(), vec!["from g import t".to_owned()])));
        let found = made(&[(long, 1), (short, 1)], 9);
        assert_eq!(found.map(|(text, _)| text).as_deref(), Some("t.Content(role=..., parts=...)"));
        // One call of many is no habit, and classes of the sources have texts without imports.
        assert_eq!(made(&[(long, 1)], 9), None);
        assert!(made(&[(long, 1)], 1).is_some());
        assert_eq!(made(&[("After(a=...)", 5), ("\"x\"", 2)], 7), None);
    }
}
