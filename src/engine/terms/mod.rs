//! Words of names and texts, and an inverted index of the words of many documents.
//!
//! | file | content |
//! | --- | --- |
//! | `words` | a name, text or query → its words; stop words; plurals |
//! | `term_index` | the fields of many documents → their inverted index, which scores documents for a query (BM25F) |

mod term_index;
mod words;

pub(crate) use term_index::{Alternative, Field, TermIndex, TermIndexBuilder};
pub(crate) use words::{is_stop_word, query_words, singular, words};
