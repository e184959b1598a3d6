//! The scores of the entries of a corpus for an intent.

use rustc_hash::FxHashMap;

use super::{
    Corpus, ScoreParts, ScoreWeights,
    intent::{Identifier, Intent},
    shown::{sections_that_show, shown_symbols},
    static_score::StaticScore,
};
use crate::terms::folded;
use apidisc_base::language::QualifiedName;
use apidisc_facts::program::DefinitionKind;
use apidisc_indexing::index::Definition;

/// The weight of the similarity of a member relative to its words, where a class is ranked by its best member.
const SIMILARITY_OF_A_MEMBER: f32 = 0.5;
/// The least similarity of a result that shares no word with the intent.
const MIN_SIMILARITY: f32 = 0.45;
/// The certainty that the intent means a symbol if the whole intent is its name, but the symbol is not public and the
/// name may be an ordinary word.
const CERTAINTY_OF_ANOTHER_NAME: f64 = 0.5;
/// The greatest certainty that the intent means a member if it has the name of the member, but not that of the class.
const CERTAINTY_OF_A_MENTION: f64 = 0.25;
/// The information of an intent is the sum of the inverse document frequencies of its words (BM25). Up to this sum,
/// that of two or three words, the prior has its whole weight; above it, the weight falls in proportion.
const INFORMATION_OF_A_SHORT_INTENT: f32 = 12.0;

/// The scores of the entries of a corpus for an intent.
pub(super) struct Scores<'c> {
    corpus: &'c Corpus,
    intent: &'c Intent,
    weights: &'c ScoreWeights,
    /// For each entry, how well it matches the words of the intent, from 0 to 1.
    words: Vec<f32>,
    /// The best match by words, of the corpus and of the external entries, as a share of the information of the intent.
    pub(super) best_words: f32,
    /// For each entry, its similarity in meaning to the intent, from 0 to 1.
    similarities: Vec<f32>,
    /// For each class, how well its best member matches.
    best_member: Vec<f32>,
    /// The entries whose names the intent contains, with the certainty that it means them.
    exact: FxHashMap<u32, f64>,
    /// How much documents raise the symbols that they show, and symbols the sections that show them.
    documents: FxHashMap<u32, f64>,
    /// The weight of the prior for this intent.
    prior: f64,
}

impl<'c> Scores<'c> {
    /// `best_external` is the best match by words among the external entries. The scores of all results are relative to
    /// the best match of the corpus and of the external entries, so that they can be compared.
    pub(super) fn new(corpus: &'c Corpus, intent: &'c Intent, weights: &'c ScoreWeights, best_external: f32) -> Self {
        let information = information(corpus, intent);
        let mut best_words = best_external;
        let words = words(corpus, intent, information, weights, &mut best_words);
        let similarities = similarities(corpus, intent, weights);
        let mut best_member = vec![0.0_f32; words.len()];
        for ((words, similarity), static_score) in words.iter().zip(&similarities).zip(corpus.static_scores.all()) {
            if let Some(class) = static_score.class() {
                let slot = &mut best_member[class as usize];
                *slot = slot.max(words + SIMILARITY_OF_A_MEMBER * similarity);
            }
        }
        let prior = weights.prior * share_of_prior(information);
        let exact = exact(corpus, intent);
        let documents = FxHashMap::default();
        let mut scores =
            Self { corpus, intent, weights, words, best_words, similarities, best_member, exact, documents, prior };
        if weights.documents > 0.0 {
            scores.documents = scores.raised();
        }
        scores
    }

    /// How much the best sections raise symbols, and the best symbols sections.
    fn raised(&self) -> FxHashMap<u32, f64> {
        let corpus = self.corpus;
        let (symbols, first_section) = (corpus.symbols().symbols().len() as u32, self.first_section());
        let (mut best_symbols, mut best_sections) = (Vec::new(), Vec::new());
        for entry in self.matches() {
            let found = match entry {
                entry if entry < symbols => &mut best_symbols,
                entry if entry >= first_section => &mut best_sections,
                _ => continue,
            };
            found.push((entry, self.parts(entry).semantic()));
        }
        let pages = sections_that_show(corpus, &mut best_symbols, &mut best_sections);
        let mut raised = shown_symbols(corpus, best_sections);
        raised.extend(pages);
        raised
    }

    /// The first entry that is a section: they follow all others.
    fn first_section(&self) -> u32 {
        (self.corpus.entry_count() - self.corpus.sections.len()) as u32
    }

    /// Adds entries that are exactly what the intent asks for.
    pub(super) fn add_exact(&mut self, entries: impl Iterator<Item = u32>) {
        self.exact.extend(entries.map(|entry| (entry, 1.0)));
    }

    /// The entries that match.
    pub(super) fn matches(&self) -> impl Iterator<Item = u32> {
        let entries = self.words.iter().zip(&self.similarities).zip(0..);
        let is_match = |words: f32, similarity: f32, entry: u32| {
            let is_named = || self.exact.contains_key(&entry) || self.documents.contains_key(&entry);
            words > 0.0 || similarity >= MIN_SIMILARITY || is_named()
        };
        entries
            .filter(move |((words, similarity), entry)| is_match(**words, **similarity, *entry))
            .map(|(_, entry)| entry)
    }

    /// The parts of the score of an entry.
    pub(super) fn parts(&self, entry: u32) -> ScoreParts {
        let (at, weights) = (entry as usize, self.weights);
        let static_score = self.corpus.static_scores.of(entry);
        let (index, id) = (self.corpus.index(), || self.corpus.symbols().symbols()[at]);
        let is_asked_for = self.intent.asks_for(static_score, || index.is_exception(id()));
        let share = self.share(static_score) * self.share_of_kind(static_score, is_asked_for);
        let words = f64::from(self.words[at]) * weights.words * share;
        let similarity = f64::from(self.similarities[at]) * weights.similarity * share;
        let member = f64::from(self.best_member[at]) * weights.member;
        let weight_of_prior = self.prior + weights.prior_of_match * (words + similarity + member);
        let kind = if is_asked_for { weights.kind } else { 0.0 };
        let may_be_extended = static_score.is_base || static_score.kind == Some(DefinitionKind::Interface);
        let base = if may_be_extended { self.base(static_score, index.definition(id())) } else { 0.0 };
        ScoreParts {
            words,
            similarity,
            exact: self.exact(entry),
            kind: kind + base,
            prior: f64::from(static_score.prior) * weight_of_prior,
            member,
            documents: self
                .documents
                .get(&entry)
                .map_or(0.0, |raised| raised * self.weight_of_documents(entry) * share),
            reliability: f64::from(static_score.reliability),
            repetition: 1.0,
        }
    }

    /// The match of an entry by words and exact name.
    pub(super) fn own_evidence(&self, entry: u32) -> f64 {
        let share = self.share(self.corpus.static_scores.of(entry));
        f64::from(self.words[entry as usize]) * self.weights.words * share + self.exact(entry)
    }

    /// The part for a class that others extend, and for an interface: if the intent asks for a class to extend, or
    /// names what to write.
    fn base(&self, static_score: &StaticScore, class: &Definition) -> f64 {
        let is_asked = if self.intent.asks_for_base && static_score.is_base { self.weights.base } else { 0.0 };
        if self.intent.writes(class) { is_asked + self.weights.written } else { is_asked }
    }

    fn weight_of_documents(&self, entry: u32) -> f64 {
        if entry >= self.first_section() { self.weights.pages } else { self.weights.documents }
    }

    /// The factor of words and similarity for what a symbol is: more if its name begins with the verb of the intent,
    /// less for a value that is not asked for.
    fn share_of_kind(&self, static_score: &StaticScore, is_asked_for: bool) -> f64 {
        let is_value = matches!(static_score.kind, Some(DefinitionKind::Attribute | DefinitionKind::Property));
        let share = if is_value && !is_asked_for { self.weights.value } else { 1.0 };
        share * (1.0 + self.weights.verb * self.intent.share_of_verb(static_score))
    }

    /// The factor of words and similarity for a symbol that is not public, and for one of tests.
    fn share(&self, static_score: &StaticScore) -> f64 {
        let private = if static_score.is_private { self.weights.private } else { 1.0 };
        let is_of_tests = static_score.is_of_tests && !self.intent.asks_for_tests;
        private * if is_of_tests { self.weights.tests } else { 1.0 }
    }

    fn exact(&self, entry: u32) -> f64 {
        self.exact.get(&entry).map_or(0.0, |certainty| certainty * self.weights.exact)
    }
}

/// The similarity in meaning of each entry to the intent, from 0 to 1.
fn similarities(corpus: &Corpus, intent: &Intent, weights: &ScoreWeights) -> Vec<f32> {
    let similarities = || corpus.vectors.similarities(&*corpus.model, intent.typed_words());
    let known = (weights.similarity > 0.0).then(similarities).flatten();
    known.unwrap_or_else(|| vec![0.0; corpus.entry_count()])
}

/// For each entry, how well it matches the words of the intent, from 0 to 1: its BM25F score, divided by the mean of
/// two scores. The first one is the information of the intent, which is the score of an entry that matches every word
/// perfectly; it keeps the best match low if the match is poor. The second one is the best score of all entries; it
/// keeps an entry with few words of a long intent above the prior. Before the call, `best` is the best score of the
/// external entries; after the call, it is the best score of all entries.
fn words(corpus: &Corpus, intent: &Intent, information: f32, weights: &ScoreWeights, best: &mut f32) -> Vec<f32> {
    let query = intent.query();
    let matches = corpus.terms.matches(query.iter().map(Vec::as_slice));
    // An intent without letters has no word.
    let count = query.len().max(1);
    let coverages: Vec<f32> =
        (0..=count).map(|matched| (matched as f32 / count as f32).powf(weights.coverage as f32)).collect();
    let mut words = matches.scores;
    for (words, matched) in words.iter_mut().zip(&matches.matched) {
        *words = *words / information * coverages[*matched as usize];
        *best = best.max(*words);
    }
    let unit = unit_of_words(*best, weights);
    for words in &mut words {
        *words /= unit;
    }
    words
}

/// The number by which matches by words are divided, where `best` is the best of them.
pub(super) fn unit_of_words(best: f32, weights: &ScoreWeights) -> f32 {
    let share = weights.best as f32;
    1.0 - share + share * best
}

/// The share of its weight that the prior has for an intent with this information.
pub(super) fn share_of_prior(information: f32) -> f64 {
    f64::from((INFORMATION_OF_A_SHORT_INTENT / information).min(1.0))
}

/// The information of all words of an intent, above 0.
fn information(corpus: &Corpus, intent: &Intent) -> f32 {
    let words = intent.query();
    let information: f32 = words.iter().map(|alternatives| corpus.terms.information(alternatives)).sum();
    information.max(f32::MIN_POSITIVE)
}

/// The definition of an entry that is a symbol: symbols are the first entries, in the order of the table.
fn definition(corpus: &Corpus, entry: u32) -> &Definition {
    corpus.index().definition(corpus.symbols().symbols()[entry as usize])
}

/// The entries whose names the intent contains, with the certainty that the intent means them: 1 for a name that has
/// the form of code, and for a public name of the library that is the whole intent; [`CERTAINTY_OF_ANOTHER_NAME`] for
/// any other name. Many classes may have a member of one name. So a member whose class the intent does not name has at
/// most [`CERTAINTY_OF_A_MENTION`].
fn exact(corpus: &Corpus, intent: &Intent) -> FxHashMap<u32, f64> {
    let mut exact: FxHashMap<u32, f64> = FxHashMap::default();
    let definition = |entry| definition(corpus, entry);
    for Identifier { name, certainty } in &intent.identifiers {
        let last = QualifiedName::guess(name).identifiers().last().unwrap_or(name);
        for entry in corpus.names.positions(&folded(last)) {
            let definition = definition(entry);
            let class = corpus.static_scores.class(entry).filter(|_| last.len() == name.len());
            let is_mentioned = class.is_some_and(|class| !intent.names(self::definition(corpus, class)));
            let certainty = if is_mentioned { certainty.min(CERTAINTY_OF_A_MENTION) } else { *certainty };
            let mut names = [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases);
            if names.any(|full| QualifiedName::new(full, definition.language).ends_with(name)) {
                let slot = exact.entry(entry).or_default();
                *slot = slot.max(certainty);
            }
        }
    }
    if !intent.folded.is_empty() {
        for entry in corpus.names.positions(&intent.folded) {
            let definition = definition(entry);
            if definition.last_names().any(|name| folded(name) == intent.folded) {
                let is_api = definition.is_public && corpus.index().file(definition.place.file).is_library();
                let slot = exact.entry(entry).or_default();
                *slot = slot.max(if is_api { 1.0 } else { CERTAINTY_OF_ANOTHER_NAME });
            }
        }
    }
    exact
}
