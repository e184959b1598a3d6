//! An index to the bytes that a reader receives: the used part of an API within a token budget.
//!
//! | module | input → output |
//! | --- | --- |
//! | `exports` | a name in a module → the definition that it means |
//! | `literals` | an annotation → the strings that it allows |
//! | `makers` | a type → the functions and constants that give a value of it |
//! | `subclasses` | a class or interface → the classes whose instances code passes for it |
//! | [`overrides`] | pins and bans → the definitions and parameters that they name |
//! | [`intent`] | a scope and an intent in words → the members and parameters that the intent names |
//! | [`stub`] | a scope of an index → a tree of stub parts, each with its price in tokens |
//! | [`strategy`] | a priced tree → the parts to show |
//! | [`delivery`] | the parts to show → the delivered bytes; also profiles, coverage curves and held-out evaluation |

pub mod delivery;
mod exports;
pub mod intent;
mod literals;
mod makers;
pub mod overrides;
pub mod strategy;
pub mod stub;
mod subclasses;

/// A hash of the sources of this package, for versions of what is kept on disk.
pub const SOURCES: &str = env!("SOURCES");
