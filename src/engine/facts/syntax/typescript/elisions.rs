//! Elements that examples leave out: `...` in place of a property, an item or an argument, as in `open(url, { ... })`.
//!
//! No program has them, so the grammar rejects the whole example. They are replaced by the spread of a value that is
//! not known, `..._`, which takes one byte of the white space beside them. Where there is none, as in `{...}`, the
//! whole object or list is replaced by a value that is not known. `open(...)` stays: it cannot be replaced.

use std::ops::Range;

use memchr::memmem;

use super::code_positions;

/// What takes the place of a left out element, with the bytes that it replaces.
type Replacement = (Range<usize>, &'static str);

/// The code with replacements for the elements that it leaves out; `None` if there are none.
pub(super) fn replaced(code: &str) -> Option<String> {
    let dots: Vec<usize> = memmem::find_iter(code.as_bytes(), "...").collect();
    let are_in_code = code_positions::are_in_code(code, &dots);
    let left_out = dots.iter().zip(are_in_code).filter(|(_, is_in_code)| *is_in_code);
    let replacements: Vec<Replacement> = left_out.filter_map(|(at, _)| replacement(code.as_bytes(), *at)).collect();
    if replacements.is_empty() {
        return None;
    }
    let mut replaced = code.to_owned();
    for (range, text) in replacements {
        replaced.replace_range(range, text);
    }
    Some(replaced)
}

/// The replacement for the three dots at `at`, if they stand for an element.
fn replacement(code: &[u8], at: usize) -> Option<Replacement> {
    let end = at + 3;
    let is_blank = |at: usize| matches!(code.get(at), Some(b' ' | b'\t'));
    let before = code[..at].trim_ascii_end().last()?;
    let after = code[end..].trim_ascii_start().first()?;
    if !b"{[(,".contains(before) || !b"}]),".contains(after) {
        return None;
    }
    if at > 0 && is_blank(at - 1) {
        Some((at - 1..end, "..._"))
    } else if is_blank(end) {
        Some((at..end + 1, "..._"))
    } else if code.get(end) == Some(&b',') && is_blank(end + 1) {
        Some((at..end + 2, "..._,"))
    } else if matches!((code[at - 1], code.get(end)), (b'{', Some(b'}')) | (b'[', Some(b']'))) {
        Some((at - 1..end + 1, "_____"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn elements_that_are_left_out_become_spreads() {
        for (code, expected) in [
            ("open(url, { ... })", "open(url, {..._ })"),
            ("open(a, ...)", "open(a,..._)"),
            ("open(..., b)", "open(..._,b)"),
            ("open({...}, [...])", "open(_____, _____)"),
            ("open({\n  a,\n  ...\n})", "open({\n  a,\n ..._\n})"),
        ] {
            assert_eq!(replaced(code).as_deref(), Some(expected), "{code}");
        }
    }

    #[test]
    fn other_dots_stay() {
        for code in ["open(...)", "f(...a, { ...b })", "f('{ ... }') // { ... }", "f(a...)", "...", "{a ...}"] {
            assert_eq!(replaced(code), None, "{code}");
        }
    }
}
