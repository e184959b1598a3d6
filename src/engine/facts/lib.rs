//! Sources to facts: each file is read and parsed on its own.
//!
//! | module | input → output |
//! | --- | --- |
//! | [`components`] | a file with scripts and a template → the facts of its code |
//! | [`documentation`] | a docstring or documentation comment → what it says of parameters, results and errors |
//! | [`documents`] | the text of a document → the code that it quotes |
//! | [`source`] | a folder, or files in memory → texts |
//! | [`program`] | the vocabulary of a program: definitions, signatures, call sites, arguments |
//! | [`syntax`] | a text → the facts of one file |

pub mod components;
pub mod documentation;
pub mod documents;
pub mod program;
pub mod source;
pub mod syntax;

/// A hash of the sources of this package, for versions of what is kept on disk.
pub const SOURCES: &str = env!("SOURCES");
