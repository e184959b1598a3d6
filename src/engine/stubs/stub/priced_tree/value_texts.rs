//! Values of parameters as texts.

use apidisc_facts::program::DefinitionId;

use super::{option_keys::KeyText, values::ParameterValues};
use crate::stub::wording::HIDDEN_SIGN;

/// The length of the texts of one parameter, in bytes, behind which no further value is written.
pub(super) const MAX_TEXT: usize = 60;
/// The same for a reader with an intent.
const MAX_TEXT_FOR_AN_INTENT: usize = 120;
/// The same if classes and functions make some of the values, which have their parameters.
const MAX_TEXT_OF_MADE: usize = 200;
/// The greatest number of classes and of strings that a type allows.
const MAX_CHOICES: usize = 8;
/// The greatest number of members of an enum: a name seldom says which one means the same as a word of the intent.
const MAX_ENUM_MEMBERS: usize = 12;
/// The greatest number of values in a text that is cut.
const FEW_VALUES: usize = 3;
/// The length of a cut text, in bytes, behind which no further value is written.
const SHORT_TEXT: usize = 40;

/// A value of a parameter.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value {
    pub(super) text: String,
    /// The enum, constant or class that the text names, if it is known.
    pub(super) named: Option<DefinitionId>,
    /// What the keys of an object name in the text.
    pub(super) named_by_keys: Vec<DefinitionId>,
    /// A shorter text of the keys of an object; empty for other values.
    pub(super) short: String,
}

impl Value {
    pub(super) fn new(text: String, named: Option<DefinitionId>) -> Self {
        Self { text, named, named_by_keys: Vec::new(), short: String::new() }
    }

    /// A value whose text names nothing.
    pub(super) fn unnamed(text: String) -> Self {
        Self::new(text, None)
    }

    /// An object with these keys.
    pub(super) fn of_keys(keys: KeyText) -> Self {
        Self { text: keys.text, named: None, named_by_keys: keys.named, short: keys.short }
    }
}

/// The members of one enum, or another value.
struct ValueGroup<'v> {
    /// The name of the enum; empty for another value.
    owner: &'v str,
    members: Vec<&'v str>,
    named: Vec<DefinitionId>,
}

/// Values in one text, in which the members of an enum follow its name. Further values are left out of a long text. For
/// a reader with an intent, a sign says that there are further choices, and there is a shorter text.
pub(super) fn joined(values: &[Value], has_intent: bool) -> ParameterValues {
    let is_name = |value: &Value| value.named.is_some() && !is_made(&value.text);
    let are_choices = values.iter().all(|value| is_string(&value.text) || is_member(&value.text) || is_name(value));
    let has_members = values.iter().any(|value| is_member(&value.text));
    let (longest, most) = match (has_intent, are_choices) {
        (false, _) => (MAX_TEXT, values.len()),
        (true, false) => (MAX_TEXT_OF_MADE, values.len()),
        (true, true) if has_members => (MAX_TEXT_FOR_AN_INTENT, MAX_ENUM_MEMBERS),
        (true, true) => (MAX_TEXT_FOR_AN_INTENT, MAX_CHOICES),
    };
    let (text, named) = text_of(values, longest, most, has_intent && are_choices);
    let short = match values {
        [keys, ..] if has_intent && !keys.short.is_empty() => keys.short.clone(),
        _ if has_intent => text_of(values, SHORT_TEXT, FEW_VALUES, are_choices).0,
        _ => String::new(),
    };
    let short = if short.len() < text.len() { short } else { String::new() };
    ParameterValues { text, short, named, ..ParameterValues::default() }
}

/// At most `most` values in one text of about `longest` bytes, and the definitions that they name. `marks_rest` says
/// whether a sign stands for the values that are left out.
fn text_of(values: &[Value], longest: usize, most: usize, marks_rest: bool) -> (String, Vec<DefinitionId>) {
    let mut groups: Vec<ValueGroup<'_>> = Vec::new();
    for Value { text, named, named_by_keys, .. } in values.iter().take(most) {
        let (owner, last) = text.rsplit_once('.').filter(|_| is_member(text)).unwrap_or(("", text));
        let group = groups.iter_mut().find(|group| !owner.is_empty() && group.owner == owner);
        if let Some(group) = group {
            group.members.push(last);
        } else {
            let named = named.iter().chain(named_by_keys).copied().collect();
            groups.push(ValueGroup { owner, members: vec![last], named });
        }
    }
    let (mut joined, mut names) = (String::new(), Vec::new());
    let mut is_cut = values.len() > most;
    let mut ends_with_group = false;
    for ValueGroup { owner, members, named } in groups {
        let group = match (owner, &members[..]) {
            ("", [value]) => (*value).to_owned(),
            (owner, [member]) => format!("{owner}.{member}"),
            (owner, members) => format!("{owner} ({})", members.join(", ")),
        };
        if !joined.is_empty() && joined.len() + group.len() > longest {
            is_cut = true;
            break;
        }
        joined.extend([if joined.is_empty() { "" } else { ", " }, &group]);
        names.extend(named);
        ends_with_group = members.len() > 1;
    }
    if is_cut && marks_rest {
        let end = if ends_with_group { ")" } else { "" };
        joined.truncate(joined.len() - end.len());
        joined.extend([", ", HIDDEN_SIGN, end]);
    }
    (joined, names)
}

/// The name at the beginning of a value: `Corner` of `Corner.ROUND` and `new Corner(1)`.
pub(super) fn class_of_value(value: &str) -> &str {
    value.strip_prefix("new ").unwrap_or(value).split(['.', '(']).next().unwrap_or_default()
}

/// True for the member of an enum or another named value of a class or module: `Corner.ROUND`.
pub(super) fn is_member(value: &str) -> bool {
    let is_name = value.starts_with(|c: char| c.is_alphabetic() || c == '_') && !value.contains(['"', '\'']);
    value.contains('.') && is_name && !value.contains('(')
}

/// True for a value that a class makes: `After(attempts=...)`.
pub(super) fn is_made(value: &str) -> bool {
    value.ends_with(')')
}

/// True for a string in quotes.
pub(super) fn is_string(value: &str) -> bool {
    value.len() > 2 && value.starts_with(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::{Value, joined};

    fn texts(values: &[&str], has_intent: bool) -> (String, String) {
        let values: Vec<Value> = values.iter().map(|text| Value::unnamed((*text).to_owned())).collect();
        let joined = joined(&values, has_intent);
        (joined.text, joined.short)
    }

    #[test]
    fn choices_that_do_not_fit_are_cut() {
        let strings = ["\"a\"", "\"b\"", "\"c\"", "\"d\"", "\"e\"", "\"f\"", "\"g\"", "\"h\"", "\"i\""];
        let (text, short) = texts(&strings, true);
        assert_eq!(text, r#""a", "b", "c", "d", "e", "f", "g", "h", ..."#);
        assert_eq!(short, r#""a", "b", "c", ..."#);
        let (text, short) = texts(&strings[..2], true);
        assert_eq!((text.as_str(), short.as_str()), (r#""a", "b""#, ""));
        let (text, short) = texts(&strings, false);
        assert_eq!((text.matches(", ").count(), short.as_str()), (8, ""));
        let (text, short) = texts(&["Corner.ROUND", "Corner.SHARP", "Corner.FLAT", "Corner.NOTCHED"], true);
        assert_eq!(
            (text.as_str(), short.as_str()),
            ("Corner (ROUND, SHARP, FLAT, NOTCHED)", "Corner (ROUND, SHARP, FLAT, ...)")
        );
    }

    #[test]
    fn of_values_that_are_made_the_first_ones_stay() {
        let long = format!("Weekly({}=...)", "x".repeat(40));
        let (text, short) = texts(&[&long, "Once(moment)"], true);
        assert_eq!((text, short), (format!("{long}, Once(moment)"), long));
    }
}
