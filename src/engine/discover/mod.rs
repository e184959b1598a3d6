//! Search by intent: somebody says what to do, and gets the symbols, recipes and sections of documents that serve it.
//!
//! ```
//! use std::sync::Arc;
//! use apidisc::{answers::SymbolTable, discover::{Corpus, Discover, discover}, index::Index};
//!
//! let symbols = Arc::new(SymbolTable::new(Arc::new(Index::default())));
//! let corpus = Corpus::new(symbols, &|_| None);
//! let found = discover(&corpus, &Discover { intent: "retry with backoff".into(), ..Discover::default() })?;
//! assert_eq!(found.meta.total_found, 0);
//! # Ok::<(), apidisc::answers::AnswerError>(())
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `request`, `response` | an intent with filters; the results with their scores |
//! | `corpus` | everything that can be found, with an inverted index of its words |
//! | `symbol_words` | a definition → the words of its fields |
//! | `prior` | a definition → how likely anybody looks for it, whatever the intent |
//! | `stems`, `synonyms` | words → stems; words of programming with one meaning |
//! | `intent` | the text of an intent → words with alternatives, identifiers, kinds |
//! | `ranking` | a corpus and an intent → the matching entries with their scores |
//! | `reliability` | successes and failures → the factor of a score |
//! | `weights` | the weights of the parts of a score |
//! | `search` | a corpus and a request → a response |

mod corpus;
mod intent;
mod prior;
mod ranking;
mod reliability;
mod request;
mod response;
mod search;
mod stems;
mod symbol_words;
mod synonyms;
mod weights;

pub use corpus::Corpus;
pub use request::{Discover, Filter, MAX_RESULTS, Wanted};
pub use response::{Discovered, Found, FoundKind, Meta, Related, ScoreParts};
pub use search::discover;
pub use weights::Weights;
