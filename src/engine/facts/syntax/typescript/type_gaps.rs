//! Types that the grammar rejects in valid programs, for [`super::grammar_gaps`]. Each is replaced by blanks where it
//! is recognized without a tree.

use std::{borrow::Cow, ops::Range};

use memchr::{memchr_iter, memmem};

use super::{code_positions, tokens::is_in_name};
use apidisc_base::sort::SharedSort as _;

/// The greatest length of a list of type parameters or type arguments that is examined, in bytes.
const MAX_LIST: usize = 1_000;
/// The greatest nesting of type arguments that is searched for those of a call.
const MAX_NESTING: usize = 8;

/// A range of a text, with the byte that replaces each of its bytes but line ends.
type Mask = (Range<usize>, u8);

/// The source without the parts of types that the grammar rejects.
pub(super) fn mask(mut text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut blanks = variance_annotations(bytes);
    blanks.extend(type_params_of_first_argument(bytes));
    blanks.extend(optional_elements(bytes));
    blanks.extend(asserted_operands(bytes));
    let mut masks: Vec<Mask> = blanks.into_iter().map(|range| (range, b' ')).collect();
    masks.extend(awaited_type_arguments(bytes).into_iter().map(|at| (at..at + 1, b'|')));
    masks.shared_sort_by_key(|(range, _)| range.start);
    let positions: Vec<usize> = masks.iter().map(|(range, _)| range.start).collect();
    let are_in_code = code_positions::are_in_code(&text, &positions);
    for ((range, mask), _) in masks.into_iter().zip(are_in_code).filter(|(_, is_in_code)| *is_in_code) {
        let bytes = &text.as_bytes()[range.clone()];
        let masked: String = bytes.iter().map(|byte| char::from(if *byte == b'\n' { b'\n' } else { mask })).collect();
        text.to_mut().replace_range(range, &masked);
    }
    text
}

/// The words `in` and `out` before the type parameters of interfaces, classes and type aliases:
/// `interface Box<in out T>`.
fn variance_annotations(text: &[u8]) -> Vec<Range<usize>> {
    let mut masks = Vec::new();
    for keyword in ["interface ", "class ", "type "] {
        for at in memmem::find_iter(text, keyword) {
            if at > 0 && is_in_name(text[at - 1]) {
                continue;
            }
            let name = at + keyword.len();
            let list = name + text[name..].iter().take_while(|byte| is_in_name(**byte)).count();
            if text.get(list) != Some(&b'<') || list == name {
                continue;
            }
            let Some(end) = end_of_list(text, list) else { continue };
            for start in starts_of_items(text, list, end) {
                masks.extend(variance_annotation(text, start));
            }
        }
    }
    masks
}

/// The words `in` and `out` at the beginning of the type parameter at `start`.
fn variance_annotation(text: &[u8], start: usize) -> Option<Range<usize>> {
    let mut at = start;
    for word in ["in", "out"] {
        let rest = text[at..].strip_prefix(word.as_bytes());
        let blanks = rest.map_or(0, |rest| rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count());
        let next = at + word.len() + blanks;
        // A type parameter itself may be called `out`.
        let is_name =
            |rest: &[u8]| rest.first().is_some_and(|byte| is_in_name(*byte)) && !rest.starts_with(b"extends ");
        if blanks > 0 && text.get(next..).is_some_and(is_name) {
            at = next;
        }
    }
    (at > start).then_some(start..at)
}

/// The type parameters of a function type that is the first of the type arguments of a call, `f<<T>(x: T) => T>()`: the
/// grammar takes `<<` for the operator.
fn type_params_of_first_argument(text: &[u8]) -> Vec<Range<usize>> {
    let mut masks = Vec::new();
    for at in memmem::find_iter(text, "<<") {
        let Some(inner) = end_of_list(text, at + 1) else { continue };
        let is_function_type = at > 0 && is_in_name(text[at - 1]) && text.get(inner + 1) == Some(&b'(');
        if is_function_type && end_of_list(text, at).is_some_and(|end| text.get(end + 1) == Some(&b'(')) {
            masks.push(at + 1..inner + 1);
        }
    }
    masks
}

/// The `?` of the optional elements of tuples in the type arguments of calls, `f<[A?]>()`: the grammar takes it for a
/// conditional expression.
fn optional_elements(text: &[u8]) -> Vec<Range<usize>> {
    let mut masks: Vec<Range<usize>> = Vec::new();
    for element_end in memmem::find_iter(text, "?]") {
        if masks.last().is_some_and(|last| element_end < last.end) {
            continue;
        }
        let Some((start, end)) = type_arguments_around(text, element_end) else { continue };
        let ends_element = |at: &usize| text[*at] == b'?' && matches!(text[at + 1], b']' | b',');
        masks.extend((start..end).filter(ends_element).map(|at| at..at + 1));
    }
    masks
}

/// The type arguments of a call around `at`, as the positions of their `<` and `>`: those of `f<A<B>>()`.
fn type_arguments_around(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut inner = at;
    for _ in 0..MAX_NESTING {
        let start = start_of_list(text, inner)?;
        let end = end_of_list(text, start).filter(|end| *end > at)?;
        if start > 0 && is_in_name(text[start - 1]) && text.get(end + 1) == Some(&b'(') {
            return Some((start, end));
        }
        inner = start;
    }
    None
}

/// The blanks before the second type arguments of awaited calls, `await f<A, B>(x)`: in a list of arguments, the
/// grammar takes such a call for two comparisons. With `|` before it, which a type may begin with, the type argument is
/// no operand.
fn awaited_type_arguments(text: &[u8]) -> Vec<usize> {
    const AWAIT: &str = "await ";
    let mut blanks = Vec::new();
    for at in memmem::find_iter(text, AWAIT) {
        let callee = at + AWAIT.len();
        let is_in_callee = |byte: &&u8| is_in_name(**byte) || matches!(**byte, b'.' | b'?' | b'!');
        let list = callee + text[callee..].iter().take(MAX_LIST).take_while(is_in_callee).count();
        if text.get(list) != Some(&b'<') || list == callee {
            continue;
        }
        let Some(end) = end_of_list(text, list).filter(|end| text.get(end + 1) == Some(&b'(')) else { continue };
        let may_follow_bar =
            |start: &&usize| matches!(text[**start - 1], b' ' | b'\t') && !matches!(text[**start], b'|' | b'>');
        let items = starts_of_items(text, list, end);
        blanks.extend(items.iter().skip(1).find(may_follow_bar).map(|start| start - 1));
    }
    blanks
}

/// The `!` after operands of the operator `!`: in `!a!.b` the grammar applies the assertion to `!a`.
fn asserted_operands(text: &[u8]) -> Vec<Range<usize>> {
    let mut masks = Vec::new();
    for at in memchr_iter(b'!', text) {
        if is_assertion(text, at) && is_negated(text, at) {
            masks.push(at..at + 1);
        }
    }
    masks
}

/// Whether the `!` at `at` is a non-null assertion that a property, item or call follows.
fn is_assertion(text: &[u8], at: usize) -> bool {
    let follows_operand = at > 0 && (is_in_name(text[at - 1]) || matches!(text[at - 1], b')' | b']'));
    follows_operand && matches!(text.get(at + 1), Some(b'.' | b'(' | b'['))
}

/// Whether the operator `!` stands before the chain of names, properties, items and calls that ends before `end`.
fn is_negated(text: &[u8], end: usize) -> bool {
    let first = end.saturating_sub(MAX_LIST);
    let mut depth = 0_usize;
    for at in (first..end).rev() {
        match text[at] {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth == 0 => return false,
            b'(' | b'[' => depth -= 1,
            b';' | b'{' | b'}' => return false,
            _ if depth > 0 => {}
            b'!' if !is_assertion(text, at) => return true,
            byte if is_in_name(byte) || matches!(byte, b'.' | b'?' | b'!') => {}
            _ => return false,
        }
    }
    false
}

/// The position of the `>` that ends the list which the `<` at `start` begins.
fn end_of_list(text: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate().skip(start).take(MAX_LIST) {
        match byte {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            // `=>` ends no list.
            b'>' if text[at - 1] == b'=' => {}
            b'>' | b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return (*byte == b'>').then_some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The position of the `<` that begins the innermost list of types around `at`.
fn start_of_list(text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (at.saturating_sub(MAX_LIST)..at).rev() {
        match text[at] {
            b'>' if at > 0 && text[at - 1] == b'=' => {}
            b'>' | b')' | b']' | b'}' => depth += 1,
            b'<' if depth == 0 => return Some(at),
            // The tuple may be an element of others, or in parentheses.
            b'(' | b'[' => depth = depth.saturating_sub(1),
            b'<' | b'{' => depth = depth.checked_sub(1)?,
            b';' => return None,
            _ => {}
        }
    }
    None
}

/// The positions of the first words of the items of the list between `start` and `end`.
fn starts_of_items(text: &[u8], start: usize, end: usize) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut depth = 0_usize;
    for at in start..end {
        match text[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if text[at - 1] == b'=' => {}
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 1 && (at == start || text[at] == b',') {
            let blanks = text[at + 1..end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            starts.push(at + 1 + blanks);
        }
    }
    starts
}
