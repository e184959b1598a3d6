//! Types and comments that are derived from the values of constants, attributes and parameter defaults.

use super::{
    lexer::{TypeToken, tokens},
    types::{PrintedType, TypeScope, TypeShape, type_text},
};
use crate::stub::text::sanitized;

/// The maximum length of a value in a comment, in bytes. A longer value is not worth its tokens.
const MAX_LENGTH: usize = 24;

/// The type of the annotation or, without an annotation, of the value. `any` if this type is unknown or cannot be
/// written.
pub(super) fn type_or_any(annotation: Option<&str>, value: Option<&str>, scope: TypeScope<'_>) -> PrintedType {
    let inferred = || {
        let text = value.and_then(type_of_literal)?;
        let shape = if text.ends_with("[]") { TypeShape::Array } else { TypeShape::Other };
        Some(PrintedType { text: text.to_owned(), shape, ..PrintedType::default() })
    };
    match annotation {
        Some(text) => type_text(text, scope),
        None => inferred(),
    }
    .unwrap_or_else(any)
}

pub(super) fn any() -> PrintedType {
    PrintedType { text: "any".to_owned(), shape: TypeShape::Any, ..PrintedType::default() }
}

/// The type that the compiler infers for a `let` variable with this literal as its value, except that every array
/// literal has the type `any[]`. `None` for other values.
fn type_of_literal(value: &str) -> Option<&'static str> {
    let list = tokens(value)?;
    Some(match list[..] {
        [TypeToken::Number(number)] | [TypeToken::Punctuator("-"), TypeToken::Number(number)]
            if !number.ends_with('n') =>
        {
            "number"
        }
        [TypeToken::Number(_)] | [TypeToken::Punctuator("-"), TypeToken::Number(_)] => "bigint",
        [TypeToken::String(_) | TypeToken::Template(_)] => "string",
        [TypeToken::Word("true" | "false")] => "boolean",
        [TypeToken::Punctuator("["), ..] => "any[]",
        _ => return None,
    })
}

/// The text of a value that is a single literal, such as `10`, `-1`, `"a"` or `true`. `None` for other or long values.
pub(super) fn literal(value: &str) -> Option<String> {
    let list = tokens(value)?;
    Some(match list[..] {
        [TypeToken::Number(text) | TypeToken::String(text)] if text.len() <= 2 * MAX_LENGTH => text.to_owned(),
        [TypeToken::Punctuator("-"), TypeToken::Number(text)] => format!("-{text}"),
        [TypeToken::Word(word @ ("true" | "false" | "null" | "undefined"))] => word.to_owned(),
        _ => return None,
    })
}

/// The text of a parameter default for a comment. `None` unless it is short and simple, such as a literal, a name, `[]`
/// or `{}`.
pub(super) fn default_note(default: &str) -> Option<String> {
    let is_short = default.len() <= MAX_LENGTH && !default.contains(['`', '/', '=', '(']);
    let text = sanitized(default);
    (is_short && text == default && tokens(default).is_some() && default != "...").then_some(text)
}
