//! Types and comments that are derived from values: of constants, attributes and defaults.

use super::{
    lexer::{TypeToken, tokens},
    types::{PrintedType, TypeScope, TypeShape, type_text},
};
use crate::stub::text::sanitized;

/// The maximum length of a value in a comment, in bytes. A longer value is not worth its tokens.
const MAX_LENGTH: usize = 24;

/// The annotated type, else the type of the value, else `any`.
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

/// `any`
pub(super) fn any() -> PrintedType {
    PrintedType { text: "any".to_owned(), shape: TypeShape::Any, ..PrintedType::default() }
}

/// The type that the compiler infers for a variable with this literal as its value. An array literal has the type
/// `any[]`.
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

/// A value that is a single literal: `10`, `-1`, `"a"`, `true`.
pub(super) fn literal(value: &str) -> Option<String> {
    let list = tokens(value)?;
    Some(match list[..] {
        [TypeToken::Number(text) | TypeToken::String(text)] if text.len() <= 2 * MAX_LENGTH => text.to_owned(),
        [TypeToken::Punctuator("-"), TypeToken::Number(text)] => format!("-{text}"),
        [TypeToken::Word(word @ ("true" | "false" | "null" | "undefined"))] => word.to_owned(),
        _ => return None,
    })
}

/// The text of a default for a comment, if it is short: literals, `[]`, `{}`, names.
pub(super) fn default_note(default: &str) -> Option<String> {
    let is_short = default.len() <= MAX_LENGTH && !default.contains(['`', '/', '=', '(']);
    let text = sanitized(default);
    (is_short && text == default && tokens(default).is_some() && default != "...").then_some(text)
}
