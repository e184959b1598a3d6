//! The entries of a corpus that match an intent, best first.

use rustc_hash::FxHashMap;

use super::{
    Corpus, ScoreParts, Weights, WordVectors,
    corpus::Entry,
    intent::{Intent, folded},
    reliability::{self, GREATEST_SCORE},
};
use crate::{language::QualifiedName, program::DefinitionId};

/// The most recipes that begin with one symbol: another argument set of the same call says little more.
const MOST_RECIPES_OF_A_SYMBOL: usize = 2;

/// The weight of the similarity of a member beside its words, when a class is ranked by its best member.
const SIMILARITY_OF_A_MEMBER: f32 = 0.5;
/// The least similarity of an entry that shares no word with the intent.
const LEAST_SIMILARITY: f32 = 0.45;

/// An entry with its score.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    pub(super) entry: u32,
    /// The product of `semantic` and the reliability, without the limit of a score.
    product: f64,
    pub(super) semantic: f64,
    pub(super) parts: ScoreParts,
    /// For a class, the entries of its members that match as well, best first.
    pub(super) members: Vec<u32>,
}

impl Ranked {
    /// The score, from 0 to [`GREATEST_SCORE`].
    pub(super) fn score(&self) -> f64 {
        self.product.min(GREATEST_SCORE)
    }
}

/// All entries that match an intent, best first.
pub(super) fn ranked(corpus: &Corpus, intent: &Intent, weights: &Weights) -> Vec<Ranked> {
    let query = intent.query();
    let matches = corpus.terms.matches(query.iter().map(|alternatives| (1.0, alternatives.as_slice())));
    let ideal: f32 = query.iter().map(|alternatives| corpus.terms.information(alternatives)).sum();
    let mut words: Vec<f32> = matches.scores.iter().map(|score| score / ideal.max(f32::MIN_POSITIVE)).collect();
    let count = query.len() as f32;
    for (words, matched) in words.iter_mut().zip(&matches.matched) {
        *words *= (matched / count).powf(weights.coverage as f32);
    }
    let exact = exact(corpus, intent);
    let similarities = if weights.similarity > 0.0 {
        corpus.vectors.similarities(WordVectors::built_in(), intent.stems())
    } else {
        None
    };
    let mut best_member = vec![0.0_f32; words.len()];
    for (at, class) in corpus.classes.iter().enumerate() {
        if let Some(class) = class {
            let slot = &mut best_member[*class as usize];
            let similarity = similarities.as_ref().map_or(0.0, |all| all[at]);
            *slot = slot.max(words[at] + SIMILARITY_OF_A_MEMBER * similarity);
        }
    }
    let mut found = Vec::new();
    for (at, &words) in words.iter().enumerate() {
        let exact = exact.get(&(at as u32)).copied().unwrap_or_default();
        let similarity = similarities.as_ref().map_or(0.0, |all| all[at].max(0.0));
        if words == 0.0 && exact == 0.0 && similarity < LEAST_SIMILARITY {
            continue;
        }
        let id = match corpus.entries[at] {
            Entry::Symbol(id) => Some(id),
            Entry::Recipe(_) | Entry::Section(_) => None,
        };
        let is_asked_for = |id| intent.kinds.contains(&corpus.index().definition(id).kind);
        let parts = ScoreParts {
            words: f64::from(words) * weights.words,
            similarity: f64::from(similarity) * weights.similarity,
            exact: exact * weights.exact,
            kind: if id.is_some_and(is_asked_for) { weights.kind } else { 0.0 },
            prior: f64::from(corpus.priors[at]) * weights.prior,
            member: f64::from(best_member[at]) * weights.member,
            reliability: reliability::factor(corpus.uses[at].0, corpus.uses[at].1),
        };
        let sum = parts.words + parts.similarity + parts.exact + parts.kind + parts.prior + parts.member;
        let semantic = 1.0 - (-sum).exp();
        found.push(Ranked {
            entry: at as u32,
            product: semantic * parts.reliability,
            semantic,
            parts,
            members: Vec::new(),
        });
    }
    found.sort_by(|a, b| b.product.total_cmp(&a.product).then_with(|| tie(corpus, a.entry).cmp(&tie(corpus, b.entry))));
    if weights.groups { grouped(corpus, found) } else { found }
}

/// What orders entries of equal scores: names of symbols, ids of recipes, paths and lines of sections.
fn tie(corpus: &Corpus, entry: u32) -> (&str, u32) {
    match corpus.entries[entry as usize] {
        Entry::Symbol(id) => (&corpus.index().definition(id).fqn, 0),
        Entry::Recipe(at) => (&corpus.recipes[at as usize].id, 0),
        Entry::Section(at) => (&corpus.sections[at as usize].path, corpus.sections[at as usize].line),
    }
}

/// The entries whose names the intent says: 1 for a name that can only be a name of code, or that is the whole intent.
fn exact(corpus: &Corpus, intent: &Intent) -> FxHashMap<u32, f64> {
    let mut exact = FxHashMap::default();
    // Symbols are the first entries, in the order of the table.
    let definition = |entry: u32| corpus.index().definition(corpus.symbols().symbols()[entry as usize]);
    for name in &intent.identifiers {
        let last = QualifiedName::guess(name).identifiers().last().unwrap_or(name);
        for entry in corpus.names.positions(&folded(last)) {
            let definition = definition(entry);
            let mut names = [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases);
            if names.any(|full| QualifiedName::new(full, definition.language).ends_with(name)) {
                exact.insert(entry, 1.0);
            }
        }
    }
    if !intent.folded.is_empty() {
        for entry in corpus.names.positions(&intent.folded) {
            if definition(entry).last_names().any(|name| folded(name) == intent.folded) {
                exact.insert(entry, 1.0);
            }
        }
    }
    exact
}

/// One result for a class and its members: the best of them, at the place of the best. And the best
/// [`MOST_RECIPES_OF_A_SYMBOL`] recipes of each symbol that begins recipes.
fn grouped(corpus: &Corpus, found: Vec<Ranked>) -> Vec<Ranked> {
    let mut places: FxHashMap<u32, usize> = FxHashMap::default();
    let mut recipes: FxHashMap<DefinitionId, usize> = FxHashMap::default();
    let mut groups: Vec<Ranked> = Vec::new();
    for ranked in found {
        if let Entry::Recipe(at) = corpus.entries[ranked.entry as usize]
            && let Some(first) = corpus.recipes[at as usize].symbols.first()
        {
            let count = recipes.entry(*first).or_default();
            *count += 1;
            if *count > MOST_RECIPES_OF_A_SYMBOL {
                continue;
            }
        }
        let group = corpus.classes[ranked.entry as usize].unwrap_or(ranked.entry);
        match places.get(&group) {
            Some(&place) => groups[place].members.push(ranked.entry),
            None => {
                places.insert(group, groups.len());
                groups.push(ranked);
            }
        }
    }
    groups
}
