//! The parts of a text that are code, for [`super::type_gaps`]: comments, strings, templates and regular expressions may hold
//! anything that looks like code.
//!
//! The text is read without a tree, so texts between the tags of JSX are read as code.

use memchr::memmem;

use super::type_gaps::is_in_name;

/// Whether each of the `positions`, which are in ascending order, is in code.
pub(super) fn are_in_code(text: &[u8], positions: &[usize]) -> Vec<bool> {
    let mut answers = Vec::with_capacity(positions.len());
    let mut at = 0;
    // The last byte of code that is no white space.
    let mut last = None;
    // For each enclosing template literal: the number of open braces in its current substitution.
    let mut braces: Vec<usize> = Vec::new();
    while answers.len() < positions.len() && at < text.len() {
        let start = at;
        at = match text[at] {
            b'/' if text[at..].starts_with(b"//") => end_of_line(text, at),
            b'/' if text[at..].starts_with(b"/*") => {
                memmem::find(&text[at..], b"*/").map_or(text.len(), |end| at + end + 2)
            }
            b'/' if last.is_none_or(|last| begins_operand(text, last)) => end_of_literal(text, at),
            b'"' | b'\'' => end_of_literal(text, at),
            b'`' => end_of_template_text(text, at + 1, &mut braces),
            b'}' if braces.last() == Some(&0) => {
                braces.pop();
                end_of_template_text(text, at + 1, &mut braces)
            }
            byte => {
                if let Some(open) = braces.last_mut() {
                    *open = match byte {
                        b'{' => *open + 1,
                        b'}' => *open - 1,
                        _ => *open,
                    };
                }
                at + 1
            }
        };
        let is_code = at == start + 1;
        while positions.get(answers.len()).is_some_and(|position| *position < at) {
            answers.push(is_code);
        }
        let is_comment = !is_code && text[start..].starts_with(b"/") && matches!(text[start + 1], b'/' | b'*');
        if !is_comment && !text[at - 1].is_ascii_whitespace() {
            last = Some(at - 1);
        }
    }
    answers.resize(positions.len(), true);
    answers
}

/// Whether an operand follows the byte at `last`, so that `/` begins a regular expression.
fn begins_operand(text: &[u8], last: usize) -> bool {
    if is_in_name(text[last]) {
        let start = text[..last].iter().rposition(|byte| !is_in_name(*byte)).map_or(0, |at| at + 1);
        return matches!(&text[start..=last], b"return" | b"typeof" | b"case" | b"of" | b"in" | b"await" | b"yield");
    }
    b"(,=:[!&|?{};+-*%~^".contains(&text[last]) || text[..=last].ends_with(b"=>")
}

fn end_of_line(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end)
}

/// The end of the string or regular expression that begins at `start`. Both end with their line at the latest.
fn end_of_literal(text: &[u8], start: usize) -> usize {
    let quote = text[start];
    let mut is_in_class = false;
    let mut at = start + 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            b'[' if quote == b'/' => is_in_class = true,
            b']' => is_in_class = false,
            byte if byte == quote && !is_in_class => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The end of the text of a template from `at` on: behind its backtick, or behind the `${` of a substitution.
fn end_of_template_text(text: &[u8], mut at: usize, braces: &mut Vec<usize>) -> usize {
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'`' => return at + 1,
            b'$' if text.get(at + 1) == Some(&b'{') => {
                braces.push(0);
                return at + 2;
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}
