//! Search for modules, definitions and parameters by name. A [`Query`] on the [`Catalog`] of an index gives ranked
//! hits.
//!
//! ```
//! use std::sync::Arc;
//! use apidisc::{index::Index, search::{Catalog, Query, Searcher}};
//!
//! let catalog = Catalog::new(Arc::new(Index::default()), 1);
//! let mut searcher = Searcher::new(&catalog);
//! let hits = searcher.search(&catalog, &Query::parse("client kind:class"), 20, &mut |_| true);
//! assert_eq!(hits.map(|hits| hits.total), Some(0));
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `catalog`, `scope_lists` | the modules and definitions of an index in the order of display |
//! | `query` | a typed query: words and filters |
//! | `names`, `name_table_builder`, `letters` | every name of an index, stored for fast matching |
//! | `matching`, `subsequence`, `abbreviation` | the test whether a name matches the words of a query, and the score of a match |
//! | `tier` | the tiers of matches, by exactness: the whole name, its last part, a prefix, words, letters |
//! | `ranking` | the best names of an index for a query |
//! | `labels` | fuzzy matching of a short list of texts |

mod abbreviation;
mod catalog;
mod labels;
mod letters;
mod matching;
mod name_table_builder;
mod names;
mod query;
mod ranking;
mod scope_lists;
mod subsequence;
#[cfg(test)]
mod tests;
mod tier;

pub use catalog::Catalog;
pub use labels::{LabelMatcher, fuzzy_matches, substring_matches, word_positions};
pub use query::{FILTERS, Query};
pub use ranking::{HitsSoFar, SearchHit, SearchHits, Searcher};

use apidisc_facts::program::{DefinitionId, ModuleId};

/// Something that has a name to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchTarget {
    /// A module or package.
    Module(ModuleId),
    /// A definition.
    Definition(DefinitionId),
    /// The parameter at that position, from 0, of a definition's signature.
    Parameter(DefinitionId, u16),
}
