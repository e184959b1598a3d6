//! `search_symbols`.

use serde::Serialize;

use super::{Answer, AnswerError, Context, SearchSymbols};

/// Answers.
///
/// # Errors
/// [`AnswerError`].
pub fn search_symbols(context: &Context<'_>, request: &SearchSymbols) -> Result<Answer<SymbolHits>, AnswerError> {
    let _ = (context, request);
    todo!()
}

/// A symbol that a search or a list gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolHit {
    /// The hash of the symbol.
    pub hash: String,
    /// The fully qualified name.
    pub fqn: String,
    /// The shortest public name.
    pub alias: String,
    /// The kind, such as `class`.
    pub kind: &'static str,
    /// The path of the file; `None` in an index that does not say so.
    pub path: Option<String>,
    /// The line of the name, from 1.
    pub line: u32,
    /// The number of calls.
    pub calls: u32,
    /// The number of reads.
    pub reads: u32,
    /// The first line of the documentation.
    pub summary: Option<String>,
    /// How well the symbol matches, from 0 to 1, relative to the best hit.
    pub score: f64,
}

/// The answer of [`search_symbols`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolHits {
    /// The hits, best first.
    pub hits: Vec<SymbolHit>,
    /// The number of all symbols that match.
    pub total: usize,
}
