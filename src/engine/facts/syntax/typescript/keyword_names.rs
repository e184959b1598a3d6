//! Names that are keywords elsewhere and that the grammar rejects, for [`super::grammar_gaps`]: members called
//! `accessor` and `abstract`, variables and functions called `abstract`, and parameters of function types that are
//! called like a type. The first letter of each is replaced by `_`.

use memchr::memmem;

use super::tokens::is_in_name;

/// Types that may be the name of the only parameter of a function type.
const TYPES: [&str; 8] =
    ["(any)", "(string)", "(number)", "(boolean)", "(unknown)", "(object)", "(symbol)", "(bigint)"];

/// A source with the names that the grammar takes for keywords replaced; `None` if there are none. `has_types` is false
/// for JavaScript. It is meant for sources that the grammar rejects, since it searches the whole text several times.
pub(super) fn masked(text: &str, has_types: bool) -> Option<String> {
    let bytes = text.as_bytes();
    let mut found: Vec<usize> = Vec::new();
    for word in ["abstract", "accessor"] {
        found.extend(memmem::find_iter(bytes, word).filter(|at| is_name(bytes, *at, word.len())));
    }
    for word in TYPES.iter().filter(|_| has_types) {
        let is_parameter = |at: &usize| bytes[at + word.len()..].trim_ascii_start().starts_with(b"=>");
        found.extend(memmem::find_iter(bytes, word).filter(is_parameter).map(|at| at + 1));
    }
    if found.is_empty() {
        return None;
    }
    let mut text = text.to_owned();
    for at in found {
        text.replace_range(at..=at, "_");
    }
    Some(text)
}

/// True for a word that is a name. Behind a modifier of a class or member stands another name or an opening bracket.
fn is_name(text: &[u8], at: usize, length: usize) -> bool {
    let rest = &text[at + length..];
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let is_word = (at == 0 || !is_in_name(text[at - 1])) && rest.first().is_some_and(|byte| !is_in_name(*byte));
    // The last attribute of an element of JSX stands before `/>`.
    let next = &rest[blanks..];
    is_word && (next.first().is_some_and(|byte| b"(=:?;!<,.)}>".contains(byte)) || next.starts_with(b"/>"))
}
