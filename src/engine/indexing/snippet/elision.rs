//! Leaves values out of a long Python call, so that the call fits on a line, is valid and still names its arguments.

use super::call_text::{balanced_length, first_token, name_length, one_line};
use apidisc_base::{language::Language, sort::SharedSort as _, unprintable::escaped_line};

/// A call whose arguments take more bytes without their values is never short: a line has at most 100 characters, each
/// of at most 4 bytes.
const MAX_ELIDED_BYTES: usize = 500;

/// One argument of a call, on one line.
struct WrittenArgument {
    /// `name=`, or empty.
    keyword: String,
    value: String,
    /// The dots that replace the contents of the value: `[...]`, `(...)`; `None` for a value that cannot be left out.
    dots: Option<&'static str>,
    /// The text before the contents that the dots replace: the callee of a call, else empty.
    callee: String,
}

/// The call of `callee` with the arguments in `text`, which is the argument list with its parentheses. The longest
/// values are left out until the call `is_short`: `"..."` stands for a string, `[...]` for a list, `f(...)` for a call
/// and `...` for anything else. `None` if that is not enough, or if nothing but dots would be left.
pub(super) fn elided(callee: &str, text: &str, is_short: impl Fn(&str) -> bool) -> Option<String> {
    let inner = text.trim_start().strip_prefix('(')?.strip_suffix(')')?;
    let mut arguments: Vec<WrittenArgument> =
        split(inner).into_iter().map(WrittenArgument::new).collect::<Option<_>>()?;
    // A call that stays long without its values is not worth the search for the values to leave out.
    if arguments.iter().map(WrittenArgument::least_length).sum::<usize>() > MAX_ELIDED_BYTES {
        return None;
    }
    let mut longest_first: Vec<usize> = (0..arguments.len()).collect();
    longest_first.shared_sort_by_key(|&at| std::cmp::Reverse(arguments[at].value.len()));
    let mut left_out = Vec::new();
    for at in longest_first {
        left_out.push((at, arguments[at].leave_out()?));
        if is_short(&line_of(callee, &arguments)) {
            break;
        }
    }
    // The values that were left out last may have saved more characters than necessary, so other values are restored
    // while the call stays short.
    for (at, value) in left_out.into_iter().rev() {
        let short = std::mem::replace(&mut arguments[at].value, value);
        if !is_short(&line_of(callee, &arguments)) {
            arguments[at].value = short;
        }
    }
    let shows_something = arguments.iter().any(|argument| argument.text() != "...");
    Some(line_of(callee, &arguments)).filter(|line| shows_something && is_short(line))
}

fn line_of(callee: &str, arguments: &[WrittenArgument]) -> String {
    format!("{callee}({})", arguments.iter().map(WrittenArgument::text).collect::<Vec<_>>().join(", "))
}

impl WrittenArgument {
    /// The argument in `text`; `None` for a part of a lambda expression, because commas separate the parameters of a
    /// lambda, too.
    fn new(text: &str) -> Option<Self> {
        let line = escaped_line(&one_line(text, Language::Python)).into_owned();
        let name = name_length(&line);
        let after = line[name..].trim_start();
        let is_keyword = name > 0 && after.starts_with('=') && !after.starts_with("==");
        let (keyword, value) = if is_keyword {
            (format!("{}=", &line[..name]), after[1..].trim_start().to_owned())
        } else {
            (String::new(), line)
        };
        if value.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "lambda") && !value.contains(':')
        {
            return None;
        }
        let (callee, dots) = elided_value(&value);
        Some(Self { keyword, callee: callee.to_owned(), dots, value })
    }

    /// Replaces the value by dots, and returns the value. `None` if the value cannot be left out.
    fn leave_out(&mut self) -> Option<String> {
        let short = [&self.callee, self.dots?].concat();
        Some(std::mem::replace(&mut self.value, short))
    }

    /// The number of bytes that the argument takes at least, with or without its value.
    fn least_length(&self) -> usize {
        let elided = self.dots.map_or(usize::MAX, |dots| self.callee.len() + dots.len());
        self.keyword.len() + self.value.len().min(elided)
    }

    fn text(&self) -> String {
        [self.keyword.as_str(), &self.value].concat()
    }
}

/// The callee of a value that is a call, else an empty text; and the dots that replace the rest of the value.
fn elided_value(value: &str) -> (&str, Option<&'static str>) {
    let callee = value.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.')).unwrap_or(value.len());
    let is_one =
        |open: usize| balanced_length(&value[open..], Language::Python, |_, depth| depth == 0) == value.len() - open;
    let rest = &value[callee..];
    match rest.chars().next() {
        Some('*') if callee == 0 => ("", None),
        Some('(') if callee > 0 && is_one(callee) => (&value[..callee], Some("(...)")),
        Some('[') if callee == 0 && is_one(0) => ("", Some("[...]")),
        Some('{') if callee == 0 && is_one(0) => ("", Some("{...}")),
        Some(quote @ ('"' | '\''))
            if callee <= 2 && first_token(rest, Language::Python, quote).0.len() == rest.len() =>
        {
            ("", Some("\"...\""))
        }
        _ => ("", Some("...")),
    }
}

/// The arguments between the parentheses of a call.
fn split(text: &str) -> Vec<&str> {
    let mut arguments = Vec::new();
    let (mut start, mut at, mut depth) = (0, 0, 0_usize);
    while let Some(c) = text[at..].chars().next() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                arguments.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += first_token(&text[at..], Language::Python, c).0.len();
    }
    arguments.push(&text[start..]);
    arguments.retain(|argument| !one_line(argument, Language::Python).is_empty());
    arguments
}
