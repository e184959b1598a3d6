//! Whether the condition of an `if` statement of a Python function holds for an argument of a call.

use std::iter;

use crate::statements::{self, literals};

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
    let condition = condition.trim();
    if condition.contains(" or ") {
        return condition.split(" or ").any(|part| holds_simply(part, passed, keyword) == Some(true)).then_some(true);
    }
    condition
        .split(" and ")
        .map(|part| holds_simply(part, passed, keyword))
        .try_fold(true, |all, one| Some(all && one?))
}

fn holds_simply(condition: &str, passed: Passed<'_>, keyword: &str) -> Option<bool> {
    let Passed { name, value, kwargs, omitted } = passed;
    let condition = condition.trim().trim_start_matches('(').trim_end_matches(')').trim();
    let subject = statements::words(condition).find(|word| *word != "not").unwrap_or_default();
    if subject != name
        && let Some((omitted, default)) = omitted.iter().find(|(omitted, _)| *omitted == subject)
    {
        // The default is written, so what it is equal to is known by its text.
        let default = Passed { name: omitted, value: Some(default), kwargs: None, omitted: &[] };
        return is_constant(default.value).then(|| holds_simply(condition, default, keyword)).flatten();
    }
    if kwargs.is_some_and(|kwargs| condition == kwargs) {
        return Some(true);
    }
    if let Some((left, right)) = condition.split_once(" in ") {
        let is_named = literals(left).eq(iter::once(keyword));
        return (is_named && kwargs == Some(right.trim())).then_some(true);
    }
    let is_true = value.map(|value| !matches!(value, "None" | "False" | "0" | "''" | "\"\"" | "0.0"));
    if condition == name {
        return Some(is_true.unwrap_or(true));
    }
    if condition.strip_prefix("not ").is_some_and(|rest| rest.trim() == name) {
        return is_true.map(|is_true| !is_true);
    }
    let operators = [(" is not ", false), (" != ", false), (" is ", true), (" == ", true)];
    let (left, right, is_equal) =
        operators.iter().find_map(|(operator, is)| condition.split_once(operator).map(|(a, b)| (a, b.trim(), *is)))?;
    if left.trim() != name || right.contains(' ') {
        return None;
    }
    let is_literal = matches!(right, "None" | "True" | "False")
        || right.starts_with(['"', '\''])
        || right.starts_with(|c: char| c.is_ascii_digit());
    match value {
        Some(value) => Some((value.replace('\'', "\"") == right.replace('\'', "\"")) == is_equal),
        // Something that is no literal is not `None`, and no mark of the function.
        None if right == "None" || !is_literal => (!is_equal).then_some(true),
        None => None,
    }
}

/// True for a text that is a value by itself, or the name of one value.
fn is_constant(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.contains(['(', '[', '{', ' ']))
}
