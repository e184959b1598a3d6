//! Words of names and texts, and an inverted index of the words of many documents.
//!
//! | file | content |
//! | --- | --- |
//! | `documents` | the fields of many documents → the terms of each, with weighted frequencies |
//! | `postings` | the documents of each term as bytes |
//! | `term_index` | the terms of documents → their inverted index, which scores documents for a query (BM25F) |

mod documents;
mod postings;
mod term_index;

pub use apidisc_words::{folded, is_stop_word, query_words, singular, words};
pub use documents::{DocumentTerms, DocumentTermsBuilder, Field};
pub use term_index::{Alternative, TermIndex};
