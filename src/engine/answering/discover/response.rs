//! The response of [`discover`](super::discover()).

use serde::Serialize;
use serde_json::Value;

use super::TypeFilter;
use crate::answers::Related;
use apidisc_base::language::QualifiedName;
use apidisc_facts::program::DefinitionId;

/// The results of a search by intent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DiscoverResponse {
    /// The results, by descending score. If all types are wanted, the best symbol comes first and the best result of
    /// each type is among the first three, unless its score is much lower than the best one.
    pub results: Vec<DiscoverResult>,
    /// How many results there are.
    pub meta: Meta,
}

/// A symbol, a recipe or a section of a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiscoverResult {
    /// The type of the result.
    #[serde(rename = "type")]
    pub kind: ResultType,
    /// The hash of a symbol, the id of a recipe, the path and line of a section, such as `docs/a.md:12`, or the id of a
    /// chunk of an API document.
    pub id: String,
    /// The name: of a symbol the shortest one by which it can be looked up, of a section its heading, of an operation
    /// its method and path.
    pub name: String,
    /// The summary of a symbol, the calls of a recipe in words, or the first line of a section; it may be empty.
    pub description: String,
    /// `semantic_score` × [`ScoreParts::reliability`], from 0 to 0.95.
    pub score: f64,
    /// How well the result matches the intent, from 0 to 1.
    pub semantic_score: f64,
    /// The parts of the score.
    pub score_parts: ScoreParts,
    /// The kind of a symbol, such as `class`, or of a part of an API document: `operation`, `webhook`, `schema`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_kind: Option<&'static str>,
    /// The path of the file; `None` if the index does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The source of the result, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_id: Option<String>,
    /// The parameters of a callable symbol, as JSON schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// Code that shows a recipe, a typical call of a symbol, or the code at which the description of a section ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code_snippet: Option<String>,
    /// True for a deprecated symbol, and for a recipe that calls one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_deprecated: bool,
    /// The share of the uses that expect no error. `None` without a use; 0 for a deprecated symbol that is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// The number of uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage_count: Option<u32>,
    /// The names of the symbols that a recipe or a section of a document uses; of a symbol, the names of the public,
    /// used members of the same class and of the symbols with the same name that match the intent. Best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<String>,
    /// The symbols that code often calls before and after a symbol, if the request asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// Of a symbol: the public members of the same class and the public symbols with the same name that match the
    /// intent, used or not, best first. Contexts have lines for them; [`Self::symbols`] are what an answer says.
    #[serde(skip)]
    pub members: Vec<DefinitionId>,
}

/// The type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultType {
    /// A symbol.
    Symbol,
    /// A recipe.
    Recipe,
    /// A section of a document, or a part of an API document.
    Doc,
}

/// The parts of a score: `semantic_score` is `1 - exp(-sum)`, where `sum` is the sum of all parts but the last two,
/// which are factors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreParts {
    /// The words of the intent that the result has, by information and by field (BM25F), from 0 to 1.
    pub words: f64,
    /// How much more similar in meaning the result is to the intent than the average of everything that can be found:
    /// by the cosine of the mean vectors of their words.
    pub similarity: f64,
    /// The part for an entry whose name the intent contains exactly.
    pub exact: f64,
    /// The part for a symbol of a kind that the intent asks for.
    pub kind: f64,
    /// The prior of the result: how likely it is that a search looks for it, before the words of the intent are known.
    /// It is great for symbols of the library that are public, re-exported and much used. It counts more if the result
    /// matches well, and less if the intent has many words.
    pub prior: f64,
    /// The part for a class, by the words of its best member.
    pub member: f64,
    /// The part for a symbol that the best sections of documents show, and for a section that shows the best symbols.
    pub documents: f64,
    /// The reliability: the factor by the share of uses that expect no error, from 0.1 to 1.2.
    pub reliability: f64,
    /// The repetition: 1, or the factor of a further result of the same class, below 1.
    pub repetition: f64,
}

impl Default for ScoreParts {
    fn default() -> Self {
        Self {
            words: 0.0,
            similarity: 0.0,
            exact: 0.0,
            kind: 0.0,
            prior: 0.0,
            member: 0.0,
            documents: 0.0,
            reliability: 1.0,
            repetition: 1.0,
        }
    }
}

/// How many results there are.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Meta {
    /// The intent.
    pub query: String,
    /// The type of the results that were wanted.
    pub filter_type: TypeFilter,
    /// The number of results before the limit.
    pub total_found: usize,
    /// The number of results.
    pub returned_count: usize,
    /// The symbols among `total_found`.
    pub symbols_count: usize,
    /// The recipes among `total_found`.
    pub recipes_count: usize,
    /// The sections of documents and the parts of API documents among `total_found`.
    pub docs_count: usize,
    /// If there is no result: the reason, and the nearest name or word that exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl DiscoverResult {
    /// True for an operation, webhook or schema of an API document, whose id is that of a chunk.
    pub fn is_of_api(&self) -> bool {
        self.kind == ResultType::Doc && self.symbol_kind.is_some()
    }

    /// [`Self::symbols`] as they are written below a result: the members of a class by their own names alone, another
    /// symbol of the same name in full.
    pub fn listed_symbols(&self) -> Vec<&str> {
        let own_name = |name: &'_ str| name.rfind(QualifiedName::SEPARATORS).map_or(0, |at| at + 1);
        let same = &self.name[own_name(&self.name)..];
        let is_own = |name: &str| self.kind == ResultType::Symbol && &name[own_name(name)..] != same;
        let listed = |name: &'_ String| if is_own(name) { own_name(name) } else { 0 };
        self.symbols.iter().map(|name| &name[listed(name)..]).collect()
    }
}

impl ScoreParts {
    /// How well an entry with these parts matches the intent, from 0 to 1.
    pub fn semantic(&self) -> f64 {
        let Self { words, similarity, exact, kind, prior, member, documents, reliability: _, repetition: _ } = self;
        1.0 - (-(words + similarity + exact + kind + prior + member + documents)).exp()
    }

    /// Every part with three digits.
    pub(super) fn rounded(self) -> Self {
        let Self { words, similarity, exact, kind, prior, member, documents, reliability, repetition } = self;
        let [words, similarity, exact, kind, prior, member, documents, reliability, repetition] =
            [words, similarity, exact, kind, prior, member, documents, reliability, repetition]
                .map(super::results::rounded);
        Self { words, similarity, exact, kind, prior, member, documents, reliability, repetition }
    }
}

impl ResultType {
    /// The word for the type.
    pub fn word(self) -> &'static str {
        match self {
            Self::Symbol => "symbol",
            Self::Recipe => "recipe",
            Self::Doc => "doc",
        }
    }
}
