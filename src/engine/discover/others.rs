//! Things beside a corpus that an intent can find, such as the operations of API documents. Their scores are made by the
//! formula of the entries of a corpus, so that they are comparable.

use std::sync::Arc;

use super::{
    Corpus, Found, FoundKind, ScoreParts, Weights,
    description::{described, first_words},
    found::rounded,
    prior::prior_of_operation,
    reliability::{self, GREATEST_SCORE},
    scores::share_of_prior,
    standing::{PRIOR_OF_A_SECTION, USES_OF_A_DEPRECATION},
};
use crate::unprintable::escaped_line;

/// Things that an intent can find.
pub trait Others: Sync {
    /// The things that match an intent by their words or their names.
    fn matches(&self, intent: &str) -> OtherMatches;

    /// The thing at a position.
    fn describe(&self, at: u32) -> Other;
}

/// The things that match an intent.
#[derive(Debug, Default)]
pub struct OtherMatches {
    /// The information of the words of the intent, above 0.
    pub information: f32,
    /// The things.
    pub all: Vec<OtherMatch>,
}

/// A thing that matches an intent.
#[derive(Clone, Copy, Debug)]
pub struct OtherMatch {
    /// The position of the thing.
    pub at: u32,
    /// The share of the information of the intent that the words of the thing have, from 0 to 1.
    pub words: f32,
    /// True if the intent is its name.
    pub is_named: bool,
    /// The number of its calls; `None` for a thing that nobody calls.
    pub calls: Option<u32>,
    /// True if it is not to be used any more.
    pub is_deprecated: bool,
}

/// A thing, described.
#[derive(Clone, Debug)]
pub struct Other {
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

/// What an intent searches: a corpus, and things beside it.
#[derive(Clone, Copy)]
pub struct Searched<'a> {
    /// The corpus.
    pub corpus: &'a Corpus,
    /// The things beside it.
    pub others: Option<&'a dyn Others>,
}

impl<'a> From<&'a Corpus> for Searched<'a> {
    fn from(corpus: &'a Corpus) -> Self {
        Self { corpus, others: None }
    }
}

impl<'a> From<&'a Arc<Corpus>> for Searched<'a> {
    fn from(corpus: &'a Arc<Corpus>) -> Self {
        Self::from(&**corpus)
    }
}

/// A thing beside a corpus with its score.
pub(super) struct RankedOther {
    at: u32,
    product: f64,
    semantic: f64,
    parts: ScoreParts,
    calls: Option<u32>,
    is_deprecated: bool,
}

impl RankedOther {
    /// The score, from 0 to [`GREATEST_SCORE`].
    pub(super) fn score(&self) -> f64 {
        self.product.min(GREATEST_SCORE)
    }
}

/// The matches with their scores, best first. `best` is the best match by words of everything that is searched.
pub(super) fn ranked_others(matches: &OtherMatches, weights: &Weights, best: f32) -> Vec<RankedOther> {
    let ranked = |found: &OtherMatch| {
        let words = f64::from(found.words / f32::midpoint(best, 1.0)) * weights.words;
        let exact = if found.is_named { weights.exact } else { 0.0 };
        let prior = found.calls.map_or(PRIOR_OF_A_SECTION, prior_of_operation);
        let prior = prior * (weights.prior * share_of_prior(matches.information) + weights.prior_of_match * words);
        let calls = found.calls.unwrap_or_default();
        let (works, uses) =
            if found.is_deprecated { (0, calls.saturating_add(USES_OF_A_DEPRECATION)) } else { (calls, calls) };
        let reliability = reliability::factor(works, uses);
        let semantic = 1.0 - (-(words + exact + prior)).exp();
        let parts = ScoreParts { words, exact, prior, reliability, ..ScoreParts::default() };
        let OtherMatch { at, calls, is_deprecated, .. } = *found;
        RankedOther { at, product: semantic * reliability, semantic, parts, calls, is_deprecated }
    };
    let mut all: Vec<RankedOther> = matches.all.iter().map(ranked).collect();
    all.sort_unstable_by(|a, b| b.product.total_cmp(&a.product).then(a.at.cmp(&b.at)));
    all
}

/// A thing as a result.
pub(super) fn found_other(others: &dyn Others, ranked: &RankedOther) -> Found {
    let Other { id, name, kind, text, path, line, source } = others.describe(ranked.at);
    let calls = ranked.calls.filter(|calls| *calls > 0);
    Found {
        kind: FoundKind::Doc,
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
        related: Vec::new(),
    }
}
