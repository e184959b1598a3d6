//! Search by intent: somebody says what to do, and gets the symbols, recipes and sections of documents that do it.
//!
//! ```
//! use std::sync::Arc;
//! use apidisc::{answers::SymbolTable, discover::{Corpus, Discover, discover}, index::Index};
//!
//! let symbols = Arc::new(SymbolTable::new(Arc::new(Index::default())));
//! let corpus = Corpus::new(symbols, &|_| None);
//! let found = discover(&corpus, &|_| None, &Discover { intent: "retry with backoff".into(), ..Discover::default() })?;
//! assert_eq!(found.meta.total_found, 0);
//! # Ok::<(), apidisc::answers::AnswerError>(())
//! ```
//!
//! # Scores
//!
//! A score is a product of two factors, and at most 0.95. The first one says how well a result matches the intent: it is
//! `1 - exp(-s)`, where `s` is the sum of the [`ScoreParts`] without the last. The second one is the last part: how far the
//! use of the result can be relied on.
//!
//! An example: the words of the intent give 0.62, the similarity in meaning 0.18 and the prior 0.41, so `s` is 1.21 and the
//! result matches by 0.70. It has 40 uses, all meant to work. A share of successes above 0.9 is worth a factor of 1.2, but 40
//! uses prove only a share of at least 0.91, so the factor is 1 + 0.2 × 0.91 = 1.18, and the score 0.70 × 1.18 = 0.83. If 36
//! of the 40 uses expected an error, the factor would be 0.23 and the score 0.16.
//!
//! # Files
//!
//! | file | content |
//! | --- | --- |
//! | `request`, `response` | an intent with filters; the results with their scores |
//! | `corpus` | everything that can be found, with an inverted index of its words |
//! | `kept` | a corpus as bytes, which outlive the process |
//! | `entries` | the order of everything that can be found |
//! | `contents` | the parts of a corpus that evaluations hold out |
//! | `symbol_words`, `docstring` | a definition → its words by field; its whole docstring |
//! | `sections` | documents → headings with their text and the symbols that they show |
//! | `names` | symbols by their last names |
//! | `prior` | a definition → how likely anybody looks for it, whatever the intent |
//! | `decorators` | a definition → whether it is a decorator |
//! | `standing` | an entry → its prior, its reliability and the class it belongs to, in a few bytes |
//! | `stems`, `synonyms` | words → stems; words of programming with one meaning |
//! | `meaning` | words → vectors; words of similar meaning have near vectors |
//! | `intent` | the text of an intent → its words with their synonyms, the names of code in it, the kinds of symbols it asks for |
//! | `scores` | a corpus and an intent → how well each entry matches |
//! | `ranking` | the scores of all entries → the best results |
//! | `reliability` | uses that are meant to work, and all uses → the factor of a score |
//! | `weights` | the weights of the parts of a score |
//! | `others` | things beside a corpus, such as operations of API documents: their scores and results |
//! | `search` | a corpus, things beside it and a request → a response |
//! | `found`, `description`, `schema` | an entry of a corpus → a result; the text that describes it; the parameters of a symbol as JSON schema |
//! | `other_search` | the words of queries and texts, for searches in other things |
//! | `text` | a response → the text for an agent, within a budget |

mod contents;
mod corpus;
mod decorators;
mod description;
mod docstring;
mod entries;
mod found;
mod intent;
mod kept;
mod meaning;
mod names;
mod other_search;
mod others;
mod prior;
mod ranking;
mod reliability;
mod request;
mod response;
mod schema;
mod scores;
mod search;
mod sections;
mod standing;
mod stems;
mod symbol_words;
mod synonyms;
#[cfg(test)]
mod tests;
mod text;
mod weights;

pub use contents::Contents;
pub use corpus::Corpus;
pub use kept::{corpus_key, corpus_version};
pub use meaning::{WordModel, built_in_model};
pub(crate) use other_search::{TextTerms, folded_name, with_query};
pub use others::{Other, OtherMatch, OtherMatches, Others, Searched};
pub use request::{Discover, Filter, MAX_RESULTS, Wanted};
pub use response::{Discovered, Found, FoundKind, Meta, ScoreParts};
pub use search::{discover, rank_symbols};
pub(crate) use stems::stem;
pub use text::answer;
pub use weights::Weights;
