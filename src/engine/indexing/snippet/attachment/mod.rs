//! What the value of a call is attached to, where that is not the statement of the call: the call is the default of a
//! parameter, an element of a list or object with a name, an argument of a decorator or the value of a property.

mod python;
mod typescript;

use std::ops::Range;

use super::call_text::name_length;
use apidisc_base::language::Language;

/// The greatest number of lines between a call and the line that opens the parameters or the list.
const MAX_LINES: usize = 30;

/// The texts before and after a call that say what its value is attached to: `def view(limit: Limit = ` and `): ...`.
pub(super) fn attachment(code: &str, call: &Range<usize>, language: Language) -> Option<(String, String)> {
    match language {
        Language::Python => python::attachment(code, call),
        Language::TypeScript => typescript::attachment(code, call),
    }
}

/// The line above that opens what a line with an indentation is part of, without the white space around it: it has a
/// smaller indentation, and the lines between do not.
fn opening_line(code: &str, line: usize, indentation: usize) -> Option<&str> {
    for above in code[..line].lines().rev().take(MAX_LINES) {
        let trimmed = above.trim();
        if !trimmed.is_empty() && above.len() - above.trim_start().len() < indentation {
            return Some(trimmed).filter(|trimmed| trimmed.ends_with(['(', '[', '{']));
        }
    }
    None
}

/// The last of the parts of a text that commas outside of brackets separate.
fn last_part(text: &str) -> &str {
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    text[start..].trim_start()
}

/// True for a string or a name with a colon behind it.
fn is_key(text: &str) -> bool {
    let Some(key) = text.strip_suffix(": ") else { return false };
    let quoted = key.strip_prefix(['"', '\'']).and_then(|key| key.strip_suffix(['"', '\'']));
    quoted.map_or_else(|| is_name(key), |key| !key.contains(['"', '\'', '\\']))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}
