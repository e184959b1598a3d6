//! The words of names and texts, as searches and stubs for an intent compare them.
//!
//! | file | content |
//! | --- | --- |
//! | `split` | a name, text or query → its words; stop words; plurals |
//! | `phrases` | expressions of plain English → the words of programming that they stand for |
//! | `stem` | a word → its stem |
//! | `synonyms` | words of programming with the same meaning |
//! | `everyday` | everyday words → the words of programming that they may stand for |
//! | `values` | a text → its concrete values, with the words of programming for what they are |

mod everyday;
mod phrases;
mod split;
mod stem;
mod synonyms;
mod values;

pub use everyday::everyday;
pub use split::{SaidWord, folded, is_stop_word, query_words, said_words, singular, words};
pub use stem::stem;
pub use synonyms::synonyms;
pub use values::values;

/// A hash of the sources of this package, for versions of what is kept on disk.
pub const SOURCES: &str = env!("SOURCES");
