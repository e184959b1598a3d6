//! The request of [`discover`](super::discover()), with defaults and limits.

use serde::{Deserialize, Serialize};

/// The greatest number of results.
pub const MAX_RESULTS: i64 = 50;

/// The text of a search by intent, and which results are wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Discover {
    /// The text of the search, which says what code should do: `retry with backoff`. It may contain names of symbols.
    pub intent: String,
    /// The results that are wanted.
    pub filter: Filter,
    /// The greatest number of results, from 1 to [`MAX_RESULTS`].
    pub limit: i64,
    /// Adds to each symbol the symbols that code often calls before and after it.
    pub include_related: bool,
    /// Only symbols and recipes of this package, by its label in [`Index::packages`](apidisc_indexing::index::Index).
    pub package: Option<String>,
}

/// The results that are wanted, by type and by score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// The type of the results.
    #[serde(rename = "type")]
    pub kind: TypeFilter,
    /// The least score, from 0 to 1.
    #[serde(alias = "minScore")]
    pub min_score: f64,
}

/// The type of the results that are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TypeFilter {
    /// Results of every type.
    #[default]
    All,
    /// Only symbols.
    #[serde(alias = "tool")]
    Symbol,
    /// Only recipes.
    #[serde(alias = "capability")]
    Recipe,
    /// Only sections of documents.
    Doc,
}

impl TypeFilter {
    /// Every type.
    pub const ALL: [Self; 4] = [Self::Symbol, Self::Recipe, Self::Doc, Self::All];

    /// The word for the type.
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Symbol => "symbol",
            Self::Recipe => "recipe",
            Self::Doc => "doc",
        }
    }
}

impl Default for Discover {
    fn default() -> Self {
        Self { intent: String::new(), filter: Filter::default(), limit: 10, include_related: false, package: None }
    }
}
