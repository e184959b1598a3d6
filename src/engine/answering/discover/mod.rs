//! Search by intent. An intent says in words what code should do, such as `retry with backoff`; the results are the
//! symbols, recipes and sections of documents that do it or describe it.
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
//! A score is a product of factors, and at most 0.95. The first one says how well a result matches the intent: it is
//! `1 - exp(-s)`, where `s` is the sum of the [`ScoreParts`] without the last two. The second one is the reliability:
//! it is less than 1 if many uses of the result expect an error. A class has up to three results, itself or members;
//! the second and the third one have a factor below 1, the repetition, so that one class does not take all first
//! places.
//!
//! An example: the words of the intent give 0.62, the similarity in meaning 0.18 and the prior 0.41, so `s` is 1.21 and
//! the result matches by 0.70. It has 40 uses, and none of them expects an error. A share of successes above 0.9 is
//! worth a factor of 1.2. From 40 uses, the true share is at least 0.91 (see `reliability`), so the factor is 1 + 0.2 ×
//! 0.91 = 1.18, and the score 0.70 × 1.18 = 0.83. If 36 of the 40 uses expected an error, the factor would be 0.23 and
//! the score 0.16.
//!
//! # Files
//!
//! | file | content |
//! | --- | --- |
//! | `request`, `response` | an intent with filters; the results with their scores |
//! | `corpus` | everything that can be found, with an inverted index of its words |
//! | `packed` | a corpus as bytes, which the program keeps on disk |
//! | `entries` | the order of everything that can be found |
//! | `corpus_parts` | the parts of a corpus, of which evaluations leave some out |
//! | `symbol_words`, `docstring` | a definition → its words by field; its whole docstring |
//! | `code` | a function → its code |
//! | `comments` | a definition without documentation → the comments that describe it |
//! | `document_sections` | a document → its sections: headings with the text below them |
//! | `sections` | all documents → their sections, with the symbols that they show |
//! | `section_code` | a section → the code at which its description ends |
//! | `section_ids` | the sections of a corpus by their ids |
//! | `described_objects` | a page → the objects that it describes, by name |
//! | `captions` | what documents say of symbols: the paragraphs above their calls, and descriptions |
//! | `names` | symbols by their last names |
//! | `prior` | a definition → how likely it is that a search looks for it, for any intent |
//! | `subclasses` | a class → its uses as the base of others |
//! | `decorators` | a definition → whether it is a decorator |
//! | `inner` | a definition → whether users of the library import it |
//! | `static_score` | an entry → the part of its score that is the same for every intent, in a few bytes |
//! | `stems` | the words of many texts → their stems |
//! | `meaning` | words → vectors; words of similar meaning have near vectors |
//! | `intent` | the text of an intent → its words with their synonyms, the names of code in it, the kinds of symbols it asks for |
//! | `scores` | a corpus and an intent → how well each entry matches |
//! | `shown` | the sections that match best → the symbols that they show; the best symbols → the sections that show them |
//! | `ranking` | the scores of all entries → the best results |
//! | `reliability` | the number of uses that expect no error, and of all uses → the factor of a score |
//! | `weights` | the weights of the parts of a score |
//! | `mixing` | results of several types, by score → the same, with each type among the first |
//! | `external` | entries beside a corpus, such as operations of API documents: their scores and results |
//! | `search` | a corpus, external entries and a request → a response |
//! | `results`, `description`, `schema` | an entry of a corpus → a result; the text that describes it; the parameters of a symbol as JSON schema |
//! | `asked_snippet` | a result and the words of an intent → the line of code with the parameters that the words name |
//! | `text_terms` | the words of queries and texts, for searches that are not in an index |
//! | `text` | a response → the text for an agent, within a budget |

mod asked_snippet;
mod captions;
mod code;
mod comments;
mod corpus;
mod corpus_parts;
mod decorators;
mod described_objects;
mod description;
mod docstring;
mod document_sections;
mod entries;
mod external;
mod inner;
mod intent;
mod meaning;
mod mixing;
mod names;
mod packed;
mod prior;
mod ranking;
mod reliability;
mod request;
mod response;
mod results;
mod schema;
mod scores;
mod search;
mod section_code;
mod section_ids;
mod sections;
mod shown;
mod static_score;
mod stems;
mod subclasses;
mod symbol_words;
#[cfg(test)]
mod tests;
mod text;
mod text_terms;
mod weights;

pub use apidisc_words::stem;
pub use corpus::Corpus;
pub use corpus_parts::CorpusParts;
pub use external::{ExternalEntries, ExternalEntry, ExternalMatch, ExternalMatches, Searched};
pub use meaning::{WordModel, built_in_model};
pub use packed::{corpus_key, corpus_version};
pub use request::{Discover, Filter, MAX_RESULTS, TypeFilter};
pub use response::{DiscoverResponse, DiscoverResult, Meta, ResultType, ScoreParts};
pub use search::{discover, discover_briefly, rank_symbols};
pub use text::answer;
pub use text_terms::{TextTerms, with_query};
pub use weights::ScoreWeights;
