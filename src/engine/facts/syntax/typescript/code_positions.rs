//! The parts of a text that are code, for [`super::type_gaps`]: comments, strings, templates and regular expressions
//! may hold anything that looks like code.

use super::tokens::tokens;
use crate::syntax::tokens::TokenKind;

/// Whether each of the `positions`, which are in ascending order, is in code.
pub(super) fn are_in_code(text: &str, positions: &[usize]) -> Vec<bool> {
    let mut answers = Vec::with_capacity(positions.len());
    for token in tokens(text) {
        if answers.len() == positions.len() {
            break;
        }
        let first = text.as_bytes()[token.range.start];
        let is_code = match token.kind {
            TokenKind::Comment => false,
            // A word or number, and no string, template or regular expression.
            TokenKind::Literal => super::tokens::is_in_name(first),
            _ => token.range.len() == 1 || token.kind == TokenKind::Word,
        };
        while positions.get(answers.len()).is_some_and(|position| *position < token.range.end) {
            let is_before = positions[answers.len()] < token.range.start;
            answers.push(is_code || is_before);
        }
    }
    answers.resize(positions.len(), true);
    answers
}
