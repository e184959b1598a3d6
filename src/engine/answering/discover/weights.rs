//! The weights of the parts of a score.

/// The weights of the parts of a score. [`discover`](super::discover()) uses [`ScoreWeights::default`]. It was chosen
/// by the questions of `tests/bench/asked.rs`, after the average effect of each weight on all of them. Evaluations set
/// other weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreWeights {
    /// The weight of the words that the intent and a result share.
    pub words: f64,
    /// The weight of a synonym relative to the word itself.
    pub synonyms: f64,
    /// How much the match by words depends on the match of the best result, from 0 to 1.
    pub best: f64,
    /// The exponent of the share of the words that a result has.
    pub coverage: f64,
    /// The weight of the similarity in meaning.
    pub similarity: f64,
    /// The weight of a name that the intent contains exactly.
    pub exact: f64,
    /// The weight of the kind that the intent asks for.
    pub kind: f64,
    /// The weight of a class that others extend if the intent asks for one to extend.
    pub base: f64,
    /// The weight of a class that others extend, and of an interface, if the intent begins with `write` and names it.
    pub written: f64,
    /// The weight of the prior for an intent of few words.
    pub prior: f64,
    /// The weight of the prior relative to how well a result matches.
    pub prior_of_match: f64,
    /// The factor of the words and the similarity of a symbol that is not public.
    pub private: f64,
    /// The factor of the words and the similarity of a symbol that tests define, unless the intent asks for tests.
    pub tests: f64,
    /// How much a symbol gains whose name begins with the verb of the intent.
    pub verb: f64,
    /// The factor of the words and the similarity of an attribute or property, unless the intent asks for one: most
    /// intents ask for code to call.
    pub value: f64,
    /// The weight of the best sections of documents for the symbols that they show.
    pub documents: f64,
    /// The weight of the best symbols for the sections that show them.
    pub pages: f64,
    /// The weight of the best member of a class.
    pub member: f64,
    /// True if a class and its members are one result.
    pub groups: bool,
}

impl Default for ScoreWeights {
    fn default() -> Self {
        Self {
            words: 1.0,
            synonyms: 0.5,
            best: 0.75,
            coverage: 1.2,
            similarity: 0.9,
            exact: 1.0,
            kind: 0.15,
            base: 0.3,
            written: 2.0,
            prior: 0.45,
            prior_of_match: 0.6,
            private: 0.75,
            tests: 0.5,
            verb: 0.2,
            value: 0.85,
            documents: 0.5,
            pages: 0.2,
            member: 0.15,
            groups: true,
        }
    }
}
