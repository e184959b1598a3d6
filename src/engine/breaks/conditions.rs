//! Whether the condition of an `if` statement of a Python function holds for an argument of a call.

use std::iter;

use crate::statements::{self, end_of_string};

/// An argument that a call passes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed<'p> {
    /// The name of the parameter or of the keyword.
    pub(crate) name: &'p str,
    /// The text of the argument if it is a literal.
    pub(crate) value: Option<&'p str>,
    /// The name of the parameter `**kwargs` that takes the argument.
    pub(crate) kwargs: Option<&'p str>,
    /// The parameters that the call leaves out, with the texts of their defaults.
    pub(crate) omitted: &'p [(&'p str, &'p str)],
}

/// Whether a condition holds for an argument, which the function knows by the name of `passed`; `keyword` is the name
/// that the call writes. `None` if that depends on more than the argument.
pub(crate) fn holds(condition: &str, passed: Passed<'_>, keyword: &str) -> Option<bool> {
    let condition = unwrapped(condition);
    let alternatives = split(condition, " or ");
    if alternatives.len() > 1 {
        return alternatives.iter().any(|part| holds_simply(part, passed, keyword) == Some(true)).then_some(true);
    }
    let parts = split(condition, " and ");
    parts.iter().map(|part| holds_simply(part, passed, keyword)).try_fold(true, |all, one| Some(all && one?))
}

/// Whether a condition without `and` and `or` holds.
fn holds_simply(condition: &str, passed: Passed<'_>, keyword: &str) -> Option<bool> {
    let Passed { name, value, kwargs, omitted } = passed;
    let condition = unwrapped(condition);
    // A call, an inner pair of brackets or a comment may mean anything.
    if outside_strings(condition).any(|(_, byte, _)| matches!(byte, b'(' | b')' | b'#')) {
        return None;
    }
    let subject = statements::words(condition).find(|word| *word != "not").unwrap_or_default();
    if subject != name
        && let Some((omitted, default)) = omitted.iter().find(|(omitted, _)| *omitted == subject)
    {
        // The call omits this parameter, so its value is the default, whose source text is known.
        let default = Passed { name: omitted, value: Some(default), kwargs: None, omitted: &[] };
        return is_constant(default.value).then(|| holds_simply(condition, default, keyword)).flatten();
    }
    if kwargs.is_some_and(|kwargs| condition == kwargs) {
        return Some(true);
    }
    if let [left, right] = split(condition, " in ")[..] {
        let (left, is_in) = left.strip_suffix(" not").map_or((left, true), |left| (left, false));
        let is_named = unquoted(left.trim()) == Some(keyword);
        return (is_named && kwargs == Some(right.trim())).then_some(is_in);
    }
    let is_true = value.map(|value| !matches!(value, "None" | "False" | "0" | "''" | "\"\"" | "0.0"));
    if condition == name {
        return Some(is_true.unwrap_or(true));
    }
    if condition.strip_prefix("not ").is_some_and(|rest| rest.trim() == name) {
        return is_true.map(|is_true| !is_true);
    }
    let operators = [(" is not ", false), (" != ", false), (" is ", true), (" == ", true)];
    let (left, right, is_equal) = operators.iter().find_map(|(operator, is_equal)| {
        let [left, right] = split(condition, operator)[..] else { return None };
        Some((left, right.trim(), *is_equal))
    })?;
    if left.trim() != name || right.contains(' ') {
        return None;
    }
    let is_literal = matches!(right, "None" | "True" | "False")
        || right.starts_with(['"', '\''])
        || right.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    if !is_literal && !is_sentinel(right) {
        return None;
    }
    match value {
        Some(value) => Some((value.replace('\'', "\"") == right.replace('\'', "\"")) == is_equal),
        // An argument that is not a literal is assumed to differ from `None` and from sentinels of the function.
        None if right == "None" || !is_literal => (!is_equal).then_some(true),
        None => None,
    }
}

/// True for a text that is a value by itself, or the name of one value.
fn is_constant(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.contains(['(', '[', '{', ' ']))
}

/// True for a name that looks like a mark of the function for "nothing was passed": `_missing`, `UNSET`,
/// `np._NoValue`. Other names may be parameters or values that the call passes.
fn is_sentinel(name: &str) -> bool {
    match name.rsplit_once('.') {
        Some((object, last)) => last.starts_with('_') && !matches!(object, "self" | "cls"),
        None => name.starts_with('_') || name.starts_with(char::is_uppercase),
    }
}

/// The content of a text that is one string literal.
fn unquoted(text: &str) -> Option<&str> {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\''))
}

/// The text inside a pair of brackets that stands around the whole.
fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    let end = outside_strings(text).find(|(_, byte, depth)| *byte == b')' && *depth == 0).map(|(at, ..)| at + 1);
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.filter(|_| end == Some(text.len())).map_or(text, str::trim)
}

/// The parts of a condition between the operator `separator`, where it stands in no brackets and no string.
fn split<'c>(condition: &'c str, separator: &str) -> Vec<&'c str> {
    let mut begin = 0;
    let mut found = Vec::new();
    for (at, _, depth) in outside_strings(condition) {
        if depth == 0 && at >= begin && condition.as_bytes()[at..].starts_with(separator.as_bytes()) {
            found.push(&condition[begin..at]);
            begin = at + separator.len();
        }
    }
    found.push(&condition[begin..]);
    found
}

/// The bytes of a text that stand in no string, each with its position and the number of brackets around it.
fn outside_strings(text: &str) -> impl Iterator<Item = (usize, u8, usize)> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    iter::from_fn(move || {
        while matches!(bytes.get(at), Some(b'"' | b'\'')) {
            at = end_of_string(text, at);
        }
        let byte = *bytes.get(at)?;
        if matches!(byte, b')' | b']' | b'}') {
            depth = depth.saturating_sub(1);
        }
        let found = (at, byte, depth);
        if matches!(byte, b'(' | b'[' | b'{') {
            depth += 1;
        }
        at += 1;
        Some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_holds_fails_or_is_open() {
        let holds = |condition: &str, value: Option<&str>| {
            let passed = Passed { name: "a", value, kwargs: Some("kwargs"), omitted: &[("b", "None")] };
            holds(condition, passed, "a")
        };
        for (condition, expected) in [
            ("'a' in kwargs", Some(true)),
            ("\"a\" not in kwargs", Some(false)),
            ("a in kwargs", None),
            ("not (a or b)", None),
            ("not (a and b)", None),
            ("(a is not None)", Some(true)),
            ("(a) and (b is None)", Some(true)),
            ("a or b", Some(true)),
            ("a == 'x or a'", None),
            ("g(a)", None),
            ("a != c", None),
            ("a is not c", None),
            ("a is not self._a", None),
            ("a is not _missing", Some(true)),
            ("a is not UNSET", Some(true)),
            ("a is not np._NoValue", Some(true)),
        ] {
            assert_eq!(holds(condition, None), expected, "{condition}");
        }
        let of_text = ["a != c", "a != 'x'", "a == '1'"].map(|condition| holds(condition, Some("\"1\"")));
        assert_eq!(of_text, [None, Some(true), Some(true)]);
    }
}
