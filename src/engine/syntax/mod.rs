//! Parsing and lowering: from the text of one file to its facts, which are its definitions, bindings, imports and
//! calls. Each language has a folder with its own facts; the other files are shared by both.
//!
//! **Architecture invariant.** The facts of a file depend on the bytes of that file alone, never on its path or on
//! other files, so that files can be lowered in parallel and facts can be cached by content.

mod grammar;
mod names;
pub mod python;
mod text;
mod tree;
pub mod typescript;

pub use tree::Watch;

/// The greatest number of parameters of a function that are read. It bounds the work for each call of the function.
pub(crate) const MAX_PARAMETERS: usize = 4096;

/// The greatest number of members of a declaration that are read. Positions of members take two bytes.
pub(crate) const MAX_MEMBERS: usize = u16::MAX as usize;
