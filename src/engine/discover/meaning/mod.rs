//! The meaning of words: vectors in which words of similar meaning lie near each other, so that an intent finds a symbol
//! with which it shares no word.
//!
//! | file | content |
//! | --- | --- |
//! | `model` | the trait of a model of words, and the model that comes with the program |
//! | `table` | the bytes of a table of words → their parts |
//! | `word_vectors` | a table of words as a model |
//! | `entry_vectors` | the entries of a corpus → their vectors; how near an intent is to each |

mod entry_vectors;
mod model;
mod table;
mod word_vectors;

pub(super) use entry_vectors::EntryVectors;
pub use model::{WordModel, built_in_model};
