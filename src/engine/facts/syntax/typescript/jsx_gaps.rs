//! Elements of JSX that the grammar rejects in valid programs, for [`super::grammar_gaps`]: those with an `&` that
//! begins no character reference. It is replaced by `_`, since the texts of strings are read from the source.

use std::{borrow::Cow, ops::Range};

use memchr::{memchr, memchr_iter};
use tree_sitter::Tree;

use super::code_positions;
use crate::syntax::tree;

/// The greatest length of the string of an attribute that is examined, in bytes.
const MAX_STRING: usize = 10_000;
/// The greatest number of syntax errors that are examined.
const MAX_ERRORS: usize = 200;

/// The source with the `&` in the strings of attributes replaced: `<a href="?b=1&c=2">`.
pub(super) fn mask_attributes(mut text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if memchr(b'&', bytes).is_none() {
        return text;
    }
    let mut strings: Vec<Range<usize>> = Vec::new();
    for equals in memchr_iter(b'=', bytes) {
        let start = equals + 2;
        let Some(&quote @ (b'"' | b'\'')) = bytes.get(equals + 1) else { continue };
        let rest = &bytes[start..bytes.len().min(start + MAX_STRING)];
        let Some(length) = memchr(quote, rest) else { continue };
        if memchr(b'&', &rest[..length]).is_some() {
            strings.push(start..start + length);
        }
    }
    let positions: Vec<usize> = strings.iter().map(|string| string.start - 2).collect();
    let are_in_code = code_positions::are_in_code(&text, &positions);
    for (string, _) in strings.into_iter().zip(are_in_code).filter(|(_, is_in_code)| *is_in_code) {
        let masked = text[string.clone()].replace('&', "_");
        text.to_mut().replace_range(string, &masked);
    }
    text
}

/// The text with the `&` between the tags of elements replaced, where they are syntax errors of `tree`:
/// `<p>this & that</p>`. `None` if there are none.
pub(super) fn replace_ampersands(text: &str, tree: &Tree) -> Option<String> {
    let errors = tree::errors(tree.root_node()).take(MAX_ERRORS);
    let in_element = errors.filter(|(_, parent)| {
        parent.is_some_and(|parent| matches!(parent.kind(), "jsx_element" | "jsx_fragment" | "jsx_opening_element"))
    });
    let positions: Vec<usize> = in_element.map(|(error, _)| error.start_byte()).collect();
    let mut bytes = text.as_bytes().to_vec();
    let mut changed = false;
    for at in positions {
        if bytes.get(at) == Some(&b'&') {
            bytes[at] = b'_';
            changed = true;
        }
    }
    if changed { String::from_utf8(bytes).ok() } else { None }
}
