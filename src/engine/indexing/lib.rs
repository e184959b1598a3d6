//! A linked program to an index: what is counted, and how a whole source becomes an index.
//!
//! | module | input → output |
//! | --- | --- |
//! | [`snippet`] | the text of a file, and a call in it → the part of the text that shows the call |
//! | [`usage`] | calls → counts: parameters, argument sets, values, the ledger |
//! | [`index`] | program and counts → an immutable [`Index`](index::Index) with names, scopes and `api_metadata.yaml` |
//! | [`packages`] | the vocabulary of installed packages: their names, states and files |
//! | [`dependencies`] | an index and what was found of packages → the packages that the program uses |
//! | [`facts`] | an index → rows of definitions, calls, reads and ledger, source by source; rows of sources → an index |
//! | [`indexer`] | a source → an index, with progress, cancelling and reuse of facts |

pub mod dependencies;
pub mod facts;
pub mod index;
pub mod indexer;
pub mod packages;
pub mod snippet;
pub mod usage;

/// A hash of the sources of this package, for versions of what is kept on disk.
pub const SOURCES: &str = env!("SOURCES");
