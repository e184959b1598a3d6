//! Answers to the questions of agents and people, from an index.
//!
//! | module | input → output |
//! | --- | --- |
//! | [`first_call`] | an index and a definition → the code of its first use |
//! | [`types`] | an index → the definitions that make, take, extend and raise each type |
//! | [`overview`] | an index and a scope → what a reader should see first |
//! | [`recipes`] | an index → the ways of calling that its sources use again and again; a recipe → its code |
//! | [`search`] | an index → its modules and definitions in the order of display; a query → the names that match |
//! | [`terms`] | names and texts → words, and an inverted index of the words of many documents |
//! | [`answers`] | an index and the request of an agent → an answer within a token budget |
//! | [`route`] | a task in words → the functions that gather its context |
//! | [`discover`] | an intent in words → the symbols, recipes and documentation that serve it |
//! | [`code_check`] | the text of an answer → the mistakes in its code |

pub mod answers;
pub mod code_check;
pub mod discover;
pub mod first_call;
pub mod overview;
pub mod recipes;
pub mod route;
pub mod search;
pub mod terms;
pub mod types;

/// A hash of the sources of this package, for versions of what is kept on disk.
pub const SOURCES: &str = env!("SOURCES");
