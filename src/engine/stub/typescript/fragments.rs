//! Small parts of declarations that come from values and notes.

use super::{
    lexer::{Token, tokens},
    types::{Printed, Shape, World, type_text},
};
use crate::stub::text::inert;

/// A longer value is not worth its tokens in a comment.
const LONGEST: usize = 24;

/// The type that is written, else that of the value, else `any`.
pub(super) fn type_or_any(annotation: Option<&str>, value: Option<&str>, world: World<'_>) -> Printed {
    let of_value = || {
        let text = value.and_then(type_of)?;
        let shape = if text.ends_with("[]") { Shape::Array } else { Shape::Other };
        Some(Printed { text: text.to_owned(), shape, ..Printed::default() })
    };
    match annotation {
        Some(text) => type_text(text, world),
        None => of_value(),
    }
    .unwrap_or_else(any)
}

/// `any`
pub(super) fn any() -> Printed {
    Printed { text: "any".to_owned(), shape: Shape::Any, ..Printed::default() }
}

/// The type that the compiler gives a variable of that value.
fn type_of(value: &str) -> Option<&'static str> {
    let list = tokens(value)?;
    Some(match list[..] {
        [Token::Number(number)] | [Token::Sign("-"), Token::Number(number)] if !number.ends_with('n') => "number",
        [Token::Number(_)] | [Token::Sign("-"), Token::Number(_)] => "bigint",
        [Token::Text(_) | Token::Template(_)] => "string",
        [Token::Word("true" | "false")] => "boolean",
        [Token::Sign("["), ..] => "any[]",
        _ => return None,
    })
}

/// A value that is a literal, on its own: `10`, `-1`, `"a"`, `true`.
pub(super) fn literal(value: &str) -> Option<String> {
    let list = tokens(value)?;
    Some(match list[..] {
        [Token::Number(text) | Token::Text(text)] if text.len() <= 2 * LONGEST => text.to_owned(),
        [Token::Sign("-"), Token::Number(text)] => format!("-{text}"),
        [Token::Word(word @ ("true" | "false" | "null" | "undefined"))] => word.to_owned(),
        _ => return None,
    })
}

/// A default as a comment says it, where it is short and plain: literals, `[]`, `{}`, names.
pub(super) fn default_note(default: &str) -> Option<String> {
    let is_short = default.len() <= LONGEST && !default.contains(['`', '/', '=', '(']);
    let text = inert(default);
    (is_short && text == default && tokens(default).is_some() && default != "...").then_some(text)
}
