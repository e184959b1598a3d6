//! External entries: entries that are not in the corpus of an index, such as the operations of API documents. Their
//! scores have the same formula as those of the corpus, so that both can be compared.

use std::sync::Arc;

use super::{
    Corpus, DiscoverResult, ResultType, ScoreParts, ScoreWeights,
    description::{described, first_words},
    prior::prior_of_operation,
    reliability::{self, GREATEST_SCORE},
    results::rounded,
    scores::{share_of_prior, unit_of_words},
    static_score::{PRIOR_OF_A_SECTION, USES_OF_A_DEPRECATION},
};
use apidisc_base::{sort::SharedSort as _, unprintable::escaped_line};

/// Entries that are not in a corpus and can be results beside its entries.
pub trait ExternalEntries: Sync {
    /// The entries that match an intent by their words or their names.
    fn matches(&self, intent: &str) -> ExternalMatches;

    /// The entry at a position of [`Self::matches`].
    fn describe(&self, at: u32) -> ExternalEntry;
}

/// The external entries that match an intent.
#[derive(Debug, Default)]
pub struct ExternalMatches {
    /// The sum of the inverse document frequencies of the words of the intent; always greater than 0.
    pub information: f32,
    /// The matches, in any order.
    pub all: Vec<ExternalMatch>,
}

/// An external entry that matches an intent.
#[derive(Clone, Copy, Debug)]
pub struct ExternalMatch {
    /// The position of the entry.
    pub at: u32,
    /// The share of [`ExternalMatches::information`] that the words of the entry have, from 0 to 1.
    pub words: f32,
    /// True if the intent is the name of the entry.
    pub is_named: bool,
    /// The number of calls of the entry; `None` for an entry that no code can call, such as a schema.
    pub calls: Option<u32>,
    /// True if the document says that the entry is deprecated.
    pub is_deprecated: bool,
}

/// The texts and the place of an external entry.
#[derive(Clone, Debug)]
pub struct ExternalEntry {
    /// The id by which it is delivered.
    pub id: String,
    /// The name, which may have any characters.
    pub name: String,
    /// The kind.
    pub kind: &'static str,
    /// A text that describes it; it may be empty.
    pub text: String,
    /// The path of its file.
    pub path: String,
    /// The line in the file, from 1.
    pub line: u32,
    /// The source, if there are several.
    pub source: Option<String>,
}

/// The entries that one search covers: those of a corpus, and external entries.
#[derive(Clone, Copy)]
pub struct Searched<'a> {
    /// The corpus.
    pub corpus: &'a Corpus,
    /// The external entries; `None` without any.
    pub external: Option<&'a dyn ExternalEntries>,
}

impl<'a> From<&'a Corpus> for Searched<'a> {
    fn from(corpus: &'a Corpus) -> Self {
        Self { corpus, external: None }
    }
}

impl<'a> From<&'a Arc<Corpus>> for Searched<'a> {
    fn from(corpus: &'a Arc<Corpus>) -> Self {
        Self::from(&**corpus)
    }
}

/// An external entry with its score.
pub(super) struct RankedExternal {
    at: u32,
    product: f64,
    semantic: f64,
    parts: ScoreParts,
    calls: Option<u32>,
    is_deprecated: bool,
}

impl RankedExternal {
    /// The score, from 0 to [`GREATEST_SCORE`].
    pub(super) fn score(&self) -> f64 {
        self.product.min(GREATEST_SCORE)
    }
}

/// The matches with their scores, best first. `best` is the best match by words among the entries of the corpus and the
/// external entries.
pub(super) fn ranked_external(matches: &ExternalMatches, weights: &ScoreWeights, best: f32) -> Vec<RankedExternal> {
    let ranked = |found: &ExternalMatch| {
        let words = f64::from(found.words / unit_of_words(best, weights)) * weights.words;
        let exact = if found.is_named { weights.exact } else { 0.0 };
        let prior = found.calls.map_or(PRIOR_OF_A_SECTION, prior_of_operation);
        let prior = prior * (weights.prior * share_of_prior(matches.information) + weights.prior_of_match * words);
        let calls = found.calls.unwrap_or_default();
        let (works, uses) =
            if found.is_deprecated { (0, calls.saturating_add(USES_OF_A_DEPRECATION)) } else { (calls, calls) };
        let reliability = reliability::factor(works, uses);
        let semantic = 1.0 - (-(words + exact + prior)).exp();
        let parts = ScoreParts { words, exact, prior, reliability, ..ScoreParts::default() };
        let ExternalMatch { at, calls, is_deprecated, .. } = *found;
        RankedExternal { at, product: semantic * reliability, semantic, parts, calls, is_deprecated }
    };
    let mut all: Vec<RankedExternal> = matches.all.iter().map(ranked).collect();
    all.shared_sort_by(|a, b| b.product.total_cmp(&a.product).then(a.at.cmp(&b.at)));
    all
}

/// An external entry as a result.
pub(super) fn external_result(entries: &dyn ExternalEntries, ranked: &RankedExternal) -> DiscoverResult {
    let ExternalEntry { id, name, kind, text, path, line, source } = entries.describe(ranked.at);
    let calls = ranked.calls.filter(|calls| *calls > 0);
    DiscoverResult {
        kind: ResultType::Doc,
        id,
        name: escaped_line(&name).into_owned(),
        description: described(&first_words(&text)),
        score: rounded(ranked.score()),
        semantic_score: rounded(ranked.semantic),
        score_parts: ranked.parts.rounded(),
        symbol_kind: Some(kind),
        path: Some(path),
        line: Some(line),
        server_id: source,
        input_schema: None,
        code_snippet: None,
        is_deprecated: ranked.is_deprecated,
        success_rate: calls.map(|_| if ranked.is_deprecated { 0.0 } else { 1.0 }),
        usage_count: calls,
        symbols: Vec::new(),
        members: Vec::new(),
        related: Vec::new(),
    }
}
