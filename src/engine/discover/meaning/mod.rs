//! The meaning of words: vectors in which words that people use for one thing lie near each other, so that an intent
//! finds a symbol with which it shares no word.
//!
//! | file | content |
//! | --- | --- |
//! | `word_vectors` | the table of words with their vectors, as a file and in memory |
//! | `entry_vectors` | the entries of a corpus → their vectors; how near an intent is to each |

mod entry_vectors;
mod word_vectors;

pub(super) use entry_vectors::EntryVectors;
pub(super) use word_vectors::WordVectors;
