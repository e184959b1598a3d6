//! Word vectors: words of similar meaning have vectors of similar directions. By them, an intent finds a symbol that
//! has no word in common with it.
//!
//! | file | content |
//! | --- | --- |
//! | `model` | the trait of a model that has a vector for each word, and the built-in model |
//! | `table` | the bytes of a table of words → their parts |
//! | `word_vectors` | a table of words as a model |
//! | `entry_vectors` | the entries of a corpus → their vectors, and the similarity of an intent to each |

mod entry_vectors;
mod model;
mod table;
mod word_vectors;

pub(super) use entry_vectors::EntryVectors;
pub use model::{WordModel, built_in_model};
