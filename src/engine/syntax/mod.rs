//! One file to facts: what it defines, binds, imports and calls. A folder a language, each with facts of its own.
//!
//! **Architecture invariant.** Facts of a file depend on the bytes of that file alone, never on its
//! path or on other files, so that they can be made in parallel and cached by content.

pub mod python;
mod text;
pub mod typescript;
