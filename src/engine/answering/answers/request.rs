//! The request of each function, with defaults and limits.
//!
//! Numbers are signed, so that a negative number gives [`AnswerError::OutOfRange`] instead of an error of the JSON
//! parser.

use serde::{Deserialize, Serialize};

use super::AnswerError;

/// The greatest budget of an answer, in tokens.
pub const MAX_ANSWER_TOKENS: i64 = 20_000;
/// The greatest number of context lines before a source text, and of those after it.
pub const MAX_CONTEXT: i64 = 200;

macro_rules! request {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $default:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    };
}

request! {
    /// The request of [`super::search_symbols`].
    SearchSymbols {
        /// Words of names, documentation and parameters, or a whole name. `*`, or nothing, lists every symbol that
        /// passes the filters. `makes:T`, `takes:T`, `is:T`, `raises:T` and `A -> B` are conditions on types.
        query: String = String::new(),
        /// Only symbols of this kind, such as `class` or `function`.
        kind: Option<String> = None,
        /// Only symbols in this module or below it.
        module: Option<String> = None,
        /// The greatest number of hits, from 1 to 100.
        limit: i64 = 20,
        /// The budget of the answer in tokens, from 1 to [`MAX_ANSWER_TOKENS`].
        max_tokens: i64 = 1_000,
    }
}

request! {
    /// The request of [`super::search_symbols_batch`].
    SearchSymbolsBatch {
        /// From 1 to 20 queries.
        queries: Vec<String> = Vec::new(),
        /// Only symbols of this kind.
        kind: Option<String> = None,
        /// Only symbols in this module or below it.
        module: Option<String> = None,
        /// The greatest number of hits of each query, from 1 to 100.
        limit_per_query: i64 = 10,
        /// The budget of the answer in tokens, from 1 to [`MAX_ANSWER_TOKENS`].
        max_tokens: i64 = 1_500,
    }
}

request! {
    /// The request of [`super::list_symbols`].
    ListSymbols {
        /// The module; `None` for the whole repository.
        module: Option<String> = None,
        /// The greatest number of symbols, from 1 to 200.
        limit: i64 = 50,
        /// The number of symbols that precede the page.
        offset: i64 = 0,
        /// The budget of the answer in tokens, from 1 to [`MAX_ANSWER_TOKENS`].
        max_tokens: i64 = 1_500,
    }
}

request! {
    /// The request of [`super::get_symbol`].
    GetSymbol {
        /// The symbol: its FQN, an alias, a unique suffix, or its hash.
        hash: String = String::new(),
        /// Adds the source text of the symbol.
        include_source: bool = false,
        /// Adds the symbols that code often calls before and after it.
        include_related: bool = false,
        /// The number of lines before and after the source text, from 0 to [`MAX_CONTEXT`].
        context: i64 = 3,
        /// The budget of the answer in tokens, from 1 to [`MAX_ANSWER_TOKENS`].
        max_tokens: i64 = 1_000,
        /// Describes the symbol even if the session holds it.
        again: bool = false,
    }
}

request! {
    /// The request of [`super::get_symbols`].
    GetSymbols {
        /// From 1 to 20 symbols, each by its FQN, an alias, a unique suffix, or its hash.
        #[serde(alias = "symbols")]
        hashes: Vec<String> = Vec::new(),
        /// Adds the source texts of the symbols.
        include_source: bool = false,
        /// Adds to each symbol the symbols that code often calls before and after it.
        include_related: bool = false,
        /// The number of lines before and after each source text, from 0 to [`MAX_CONTEXT`].
        context: i64 = 3,
        /// The budget of the answer in tokens, from 1 to [`MAX_ANSWER_TOKENS`].
        max_tokens: i64 = 4_000,
        /// Describes even the symbols that the session holds.
        again: bool = false,
    }
}

request! {
    /// The request of [`super::get_symbol_source`]: a symbol, or lines of a file.
    GetSymbolSource {
        /// The symbol: its FQN, an alias, a unique suffix, or its hash.
        hash: Option<String> = None,
        /// The path of a file from the root of the repository, or a unique end of it.
        file_path: Option<String> = None,
        /// The first line of the file, from 1.
        start_line: Option<i64> = None,
        /// The last line of the file.
        end_line: Option<i64> = None,
        /// The number of lines before and after, from 0 to [`MAX_CONTEXT`].
        context: i64 = 3,
        /// The budget of the answer in tokens, from 1 to [`MAX_ANSWER_TOKENS`].
        max_tokens: i64 = 4_000,
    }
}

request! {
    /// The request of [`super::get_repo_overview`].
    GetRepoOverview {
        /// The module or package; `None` for the whole repository.
        module: Option<String> = None,
        /// The budget of the answer in tokens, from 1 to [`MAX_ANSWER_TOKENS`].
        max_tokens: i64 = 500,
    }
}

request! {
    /// The request of [`super::get_module`].
    GetModule {
        /// The module.
        module: String = String::new(),
        /// The budget of the answer in tokens, from 1 to [`MAX_ANSWER_TOKENS`].
        max_tokens: i64 = 8_000,
    }
}

/// A number of a request within its limits.
///
/// # Errors
/// [`AnswerError::OutOfRange`] outside of them.
pub fn in_range(name: &'static str, given: i64, least: i64, most: i64) -> Result<usize, AnswerError> {
    if (least..=most).contains(&given) {
        Ok(given as usize)
    } else {
        Err(AnswerError::OutOfRange { name, given, least, most })
    }
}

/// The budget of a request.
///
/// # Errors
/// [`AnswerError::OutOfRange`] for a budget that no answer may have.
pub fn budget(max_tokens: i64) -> Result<usize, AnswerError> {
    in_range("max_tokens", max_tokens, 1, MAX_ANSWER_TOKENS)
}
