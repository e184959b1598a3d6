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
