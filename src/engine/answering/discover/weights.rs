//! The weights of the parts of a score.

/// The weights of the parts of a score. [`discover`](super::discover()) uses [`ScoreWeights::default`], which was tuned
/// with `tests/bench/discover.rs` on click, jinja, ky, marshmallow, starlette and tenacity; evaluations set others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreWeights {
    /// The weight of the words that the intent and a result share.
    pub words: f64,
    /// The exponent of the share of the words that a result has.
    pub coverage: f64,
    /// The weight of the similarity in meaning.
    pub similarity: f64,
    /// The weight of a name that the intent contains exactly.
    pub exact: f64,
    /// The weight of the kind that the intent asks for.
    pub kind: f64,
    /// The weight of the prior for an intent of few words.
    pub prior: f64,
    /// The weight of the prior relative to how well a result matches.
    pub prior_of_match: f64,
    /// The factor of the words and the similarity of a symbol that is not public.
    pub private: f64,
    /// The weight of the best member of a class.
    pub member: f64,
    /// True if a class and its members are one result.
    pub groups: bool,
}

impl Default for ScoreWeights {
    fn default() -> Self {
        Self {
            words: 1.0,
            coverage: 0.5,
            similarity: 0.2,
            exact: 1.0,
            kind: 0.15,
            prior: 0.7,
            prior_of_match: 0.3,
            private: 0.75,
            member: 0.3,
            groups: true,
        }
    }
}
