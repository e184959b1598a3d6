//! `get_symbol_source`.

use serde::Serialize;

use super::{Answer, AnswerError, Context, GetSymbolSource};

/// Answers.
///
/// # Errors
/// [`AnswerError`].
pub fn get_symbol_source(
    context: &Context<'_>,
    request: &GetSymbolSource,
) -> Result<Answer<SourceAnswer>, AnswerError> {
    let _ = (context, request);
    todo!()
}

/// The answer of [`get_symbol_source`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceAnswer {
    /// The path of the file.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
    /// The number of lines of the file.
    pub file_lines: u32,
    /// The last line that was asked for, if the budget has no room for all.
    pub cut_before: Option<u32>,
    /// The lines with their numbers.
    pub source: String,
}
