//! The functions that agents call. Each maps an index and a request to an answer within a token budget.
//!
//! ```
//! use std::sync::Arc;
//! use apidisc::{answers::{self, Context, SearchSymbols, SymbolTable}, index::Index};
//!
//! let table = SymbolTable::new(Arc::new(Index::default()));
//! let context = Context::new(&table, &|_| None);
//! let answer = answers::search_symbols(&context, &SearchSymbols { query: "client".into(), ..Default::default() })?;
//! assert_eq!(answer.data.total, 0);
//! # Ok::<(), answers::AnswerError>(())
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `fixture` | a fixture of pytest → the line that says which tests take it |
//! | `request` | the request of each function, with defaults and limits |
//! | `context` | the index, the sources and the tokenizer that answers are made from |
//! | `answer`, `error` | an answer as text and as data; the errors of the functions |
//! | `symbol_table` | symbols by name and by hash |
//! | `symbol_terms`, `ranking` | the words of symbols; symbols ranked for a query |
//! | `hits`, `filter` | a symbol in a list; the filters of lists |
//! | `symbol_detail`, `symbol_text` | the description of one symbol, as data and as text |
//! | `used_together` | the symbols that functions use together with a symbol |
//! | `overview_text` | the text of an overview |
//! | `fit` | a text of several parts within a budget |
//! | `get_…`, `list_symbols`, `search_…` | the function with the name of the file |
//!
//! **Guarantees.** The text of an answer never has more tokens than its request allows; [`Answer::tokens`] is exact.
//! Equal requests of equal indexes get equal answers. Text from the sources is printable: control characters and
//! bidirectional controls are written as escapes. Stubs and source texts are fenced, below a line that says that they
//! are data. An answer says what it leaves out, and how to get it.
//!
//! The help of a module is no answer of this kind, but a [`Delivery`](apidisc_stubs::delivery::Delivery): the bytes of
//! `--export`.

mod answer;
mod context;
mod error;
mod filter;
pub mod fit;
mod fixture;
mod get_module;
mod get_repo_overview;
mod get_symbol;
mod get_symbol_source;
mod get_symbols;
mod hits;
mod list_symbols;
mod overview_text;
mod ranking;
mod related;
mod request;
mod search_symbols;
mod search_symbols_batch;
mod source_names;
mod symbol_detail;
mod symbol_table;
mod symbol_terms;
mod symbol_text;
#[cfg(test)]
mod tests;
mod used_together;

pub use answer::{Answer, Delivered, Held};
pub use context::{Context, ReadSource};
pub use error::AnswerError;
pub(crate) use fixture::FixtureUses;
pub use get_module::{ModuleAnswer, get_module};
pub use get_repo_overview::{
    ConceptRow, DeprecatedRow, EntryRow, LanguageRow, ModuleRow, QuotedRow, RepoOverview, SourceRow, get_repo_overview,
};
pub use get_symbol::get_symbol;
pub(crate) use get_symbol_source::find_path;
pub use get_symbol_source::{SourceAnswer, get_symbol_source};
pub use get_symbols::{NotFound, SymbolsAnswer, get_symbols};
pub use hits::SymbolHit;
pub use list_symbols::{SymbolList, list_symbols};
pub use related::Related;
pub use request::{
    GetModule, GetRepoOverview, GetSymbol, GetSymbolSource, GetSymbols, ListSymbols, MAX_ANSWER_TOKENS, MAX_CONTEXT,
    SearchSymbols, SearchSymbolsBatch,
};
pub use search_symbols::{SymbolHits, search_symbols};
pub use search_symbols_batch::{QueryHits, SymbolHitsBatch, search_symbols_batch};
pub use symbol_detail::{ArgumentRow, CallGraphNeighbour, SymbolDetail};
pub use symbol_table::{SymbolTable, is_symbol_hash, symbol_hash};
pub use used_together::UsedTogether;
pub use {
    fit::fit,
    request::{budget, in_range},
    search_symbols::shown,
};
