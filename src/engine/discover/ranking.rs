//! The entries of a corpus that match an intent, best first.

use rustc_hash::FxHashMap;

use super::{
    Corpus, ScoreParts, Weights,
    corpus::Entry,
    intent::{Identifier, Intent, folded},
    reliability::{self, GREATEST_SCORE},
};
use crate::{
    language::QualifiedName,
    program::{DefinitionId, DefinitionKind},
};

/// The most recipes among the results that begin with the same symbol: a further one says little more.
const MOST_RECIPES_OF_A_SYMBOL: usize = 2;

/// The weight of the similarity of a member beside its words, when a class is ranked by its best member.
const SIMILARITY_OF_A_MEMBER: f32 = 0.5;
/// The least similarity of a result that shares no word with the intent.
const LEAST_SIMILARITY: f32 = 0.45;
/// The least evidence for a member that is named, relative to that for the best result of its class.
const SHARE_OF_A_MEMBER: f64 = 0.5;

/// The certainty that a name is meant which is the whole intent, and neither public nor code by its form.
const CERTAINTY_OF_ANOTHER_NAME: f64 = 0.5;
/// The information of an intent up to which the prior has its whole weight, in the unit of BM25's inverse frequencies: that of
/// two or three words. For an intent that says more, the weight shrinks in proportion.
const INFORMATION_OF_A_SHORT_INTENT: f32 = 12.0;

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
    /// How well the entry or its best member matches by words, meaning and exact name.
    fn evidence(&self) -> f64 {
        self.parts.exact + (self.parts.words + self.parts.similarity).max(self.parts.member)
    }

    /// The score, from 0 to [`GREATEST_SCORE`].
    pub(super) fn score(&self) -> f64 {
        self.product.min(GREATEST_SCORE)
    }
}

/// All entries that match an intent, best first. `best` is the best match by words of anything beside the corpus, and
/// becomes the best of all, so that all results are measured by one best match.
pub(super) fn ranked(corpus: &Corpus, intent: &Intent, weights: &Weights, best: &mut f32) -> Vec<Ranked> {
    let words = words(corpus, intent, weights, best);
    let exact = exact(corpus, intent);
    let similarities = similarities(corpus, intent, weights);
    let mut best_member = vec![0.0_f32; words.len()];
    for ((words, similarity), class) in words.iter().zip(&similarities).zip(&corpus.classes) {
        if let Some(class) = class {
            let slot = &mut best_member[*class as usize];
            *slot = slot.max(words + SIMILARITY_OF_A_MEMBER * similarity);
        }
    }
    let is_asked_for = |entry| match entry {
        Entry::Symbol(id) => intent.asks_for(corpus.index().definition(id)),
        Entry::Recipe(_) | Entry::Section(_) => false,
    };
    let is_private = |entry| matches!(entry, Entry::Symbol(id) if !corpus.public(id).is_public);
    let prior_of_intent = weights.prior * share_of_prior(information(corpus, intent));
    let share = |at: usize| if is_private(corpus.entries[at]) { weights.private } else { 1.0 };
    let parts = |at: usize| {
        let (entry, share) = (corpus.entries[at], share(at));
        let words = f64::from(words[at]) * weights.words * share;
        let similarity = f64::from(similarities[at]) * weights.similarity * share;
        let member = f64::from(best_member[at]) * weights.member;
        let weight_of_prior = prior_of_intent + weights.prior_of_match * (words + similarity + member);
        ScoreParts {
            words,
            similarity,
            exact: exact.get(&(at as u32)).map_or(0.0, |certainty| certainty * weights.exact),
            kind: if is_asked_for(entry) { weights.kind } else { 0.0 },
            prior: f64::from(corpus.priors[at]) * weight_of_prior,
            member,
            reliability: reliability::factor(corpus.uses[at].0, corpus.uses[at].1),
        }
    };
    let semantic = |parts: &ScoreParts| {
        let ScoreParts { words, similarity, exact, kind, prior, member, .. } = parts;
        1.0 - (-(words + similarity + exact + kind + prior + member)).exp()
    };
    let is_match =
        |at: &usize| words[*at] > 0.0 || exact.contains_key(&(*at as u32)) || similarities[*at] >= LEAST_SIMILARITY;
    let product = |at: usize| {
        let parts = parts(at);
        (semantic(&parts) * parts.reliability, at as u32)
    };
    // Numbers are sorted, not results: a common word has many of them.
    let mut order: Vec<(f64, u32)> = (0..words.len()).filter(is_match).map(product).collect();
    sort(corpus, &mut order);
    let ranked = |(product, entry): (f64, u32)| {
        let parts = parts(entry as usize);
        Ranked { entry, product, semantic: semantic(&parts), parts, members: Vec::new() }
    };
    if !weights.groups {
        return order.into_iter().map(ranked).collect();
    }
    let own_evidence = |entry: u32| {
        let exact = exact.get(&entry).map_or(0.0, |certainty| certainty * weights.exact);
        f64::from(words[entry as usize]) * weights.words * share(entry as usize) + exact
    };
    grouped(corpus, order, ranked, own_evidence)
}

/// Sorts entries by their products, greatest first, and entries of equal products by their keys.
fn sort(corpus: &Corpus, order: &mut [(f64, u32)]) {
    // No product is negative, so that their bits have the order of their values. Integers are compared without branches.
    order.sort_unstable_by_key(|(product, _)| !product.to_bits());
    for equal in order.chunk_by_mut(|a, b| a.0.to_bits() == b.0.to_bits()).filter(|equal| equal.len() > 1) {
        equal.sort_unstable_by(|a, b| tie(corpus, a.1).cmp(&tie(corpus, b.1)));
    }
}

/// The similarity in meaning of each entry to the intent, from 0 to 1.
fn similarities(corpus: &Corpus, intent: &Intent, weights: &Weights) -> Vec<f32> {
    let similarities = || corpus.vectors.similarities(&*corpus.model, intent.typed_words());
    let known = (weights.similarity > 0.0).then(similarities).flatten();
    known.unwrap_or_else(|| vec![0.0; corpus.entries.len()])
}

/// For each entry, how well it matches the words of the intent, from 0 to 1: its BM25F score relative to the mean of two
/// scores. One is the score of an entry that would match every word perfectly, so that a poor best match stays low. The
/// other is the best score, so that an entry with few words of a long intent still outweighs the prior.
fn words(corpus: &Corpus, intent: &Intent, weights: &Weights, best: &mut f32) -> Vec<f32> {
    let query = intent.query();
    let matches = corpus.terms.matches(query.iter().map(Vec::as_slice));
    let perfect = information(corpus, intent);
    // An intent without letters has no word.
    let count = query.len().max(1);
    let coverages: Vec<f32> =
        (0..=count).map(|matched| (matched as f32 / count as f32).powf(weights.coverage as f32)).collect();
    let share = |(score, matched): (&f32, &u32)| score / perfect * coverages[*matched as usize];
    let mut words: Vec<f32> = matches.scores.iter().zip(&matches.matched).map(share).collect();
    *best = words.iter().copied().fold(*best, f32::max);
    for words in &mut words {
        *words /= f32::midpoint(*best, 1.0);
    }
    words
}

/// The share of the weight of the prior that is left for an intent with some information.
pub(super) fn share_of_prior(information: f32) -> f64 {
    f64::from((INFORMATION_OF_A_SHORT_INTENT / information).min(1.0))
}

/// The information of all words of an intent, above 0.
fn information(corpus: &Corpus, intent: &Intent) -> f32 {
    let words = intent.query();
    let information: f32 = words.iter().map(|alternatives| corpus.terms.information(alternatives)).sum();
    information.max(f32::MIN_POSITIVE)
}

/// The key by which entries of equal scores are ordered: the name of a symbol, the id of a recipe, the path and line of a
/// section.
fn tie(corpus: &Corpus, entry: u32) -> (&str, u32) {
    match corpus.entries[entry as usize] {
        Entry::Symbol(id) => (&corpus.index().definition(id).fqn, 0),
        Entry::Recipe(at) => (&corpus.recipes[at as usize].id, 0),
        Entry::Section(at) => (&corpus.sections[at as usize].path, corpus.sections[at as usize].line),
    }
}

/// The entries whose names the intent says, with the certainty that they are meant: 1 for a name that can only be a name of
/// code, and for a public name of the library that is the whole intent; [`CERTAINTY_OF_ANOTHER_NAME`] for another one.
fn exact(corpus: &Corpus, intent: &Intent) -> FxHashMap<u32, f64> {
    let mut exact: FxHashMap<u32, f64> = FxHashMap::default();
    // Symbols are the first entries, in the order of the table.
    let definition = |entry: u32| corpus.index().definition(corpus.symbols().symbols()[entry as usize]);
    for Identifier { name, certainty } in &intent.identifiers {
        let last = QualifiedName::guess(name).identifiers().last().unwrap_or(name);
        for entry in corpus.names.positions(&folded(last)) {
            let definition = definition(entry);
            let mut names = [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases);
            if names.any(|full| QualifiedName::new(full, definition.language).ends_with(name)) {
                let slot = exact.entry(entry).or_default();
                *slot = slot.max(*certainty);
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

/// The results with one result for a class and its members, which is the best of them; with one result for symbols of the
/// same name and kind outside of classes, such as a function that a library has once for each platform; and with at most
/// [`MOST_RECIPES_OF_A_SYMBOL`] recipes that begin with the same symbol. `own_evidence` tells how well an entry matches by
/// words and exact name.
fn grouped(
    corpus: &Corpus,
    order: Vec<(f64, u32)>,
    ranked: impl Fn((f64, u32)) -> Ranked,
    own_evidence: impl Fn(u32) -> f64,
) -> Vec<Ranked> {
    // For an entry that stands for a group, one more than the place of the group.
    let mut places: Vec<u32> = vec![0; corpus.entries.len()];
    let mut same_names: FxHashMap<(&str, DefinitionKind), usize> = FxHashMap::default();
    let mut recipes: FxHashMap<DefinitionId, usize> = FxHashMap::default();
    let mut groups: Vec<Ranked> = Vec::new();
    for (product, entry) in order {
        let mut same_name = None;
        match corpus.entries[entry as usize] {
            Entry::Recipe(at) => {
                let Some(first) = corpus.recipes[at as usize].symbols.first() else { continue };
                let count = recipes.entry(*first).or_default();
                *count += 1;
                if *count > MOST_RECIPES_OF_A_SYMBOL {
                    continue;
                }
            }
            Entry::Symbol(id) => {
                let definition = corpus.index().definition(id);
                let is_outside = corpus.classes[entry as usize].is_none();
                let has_role = matches!(definition.kind, DefinitionKind::Function | DefinitionKind::Constant);
                same_name = (is_outside && has_role).then_some((&*definition.name, definition.kind));
            }
            Entry::Section(_) => {}
        }
        let place = &mut places[corpus.classes[entry as usize].unwrap_or(entry) as usize];
        if let Some(group) = place.checked_sub(1).map(|place| &mut groups[place as usize]) {
            // A member is worth naming if it has about as many words of the intent as the best of the group.
            if own_evidence(entry) >= SHARE_OF_A_MEMBER * group.evidence() {
                group.members.push(entry);
            }
            continue;
        }
        if let Some(place) = same_name.and_then(|name| same_names.get(&name)) {
            groups[*place].members.push(entry);
            continue;
        }
        if let Some(name) = same_name {
            same_names.insert(name, groups.len());
        }
        groups.push(ranked((product, entry)));
        *place = groups.len() as u32;
    }
    let is_private = |entry: &u32| match corpus.entries[*entry as usize] {
        Entry::Symbol(id) => !corpus.public(id).is_public,
        Entry::Recipe(_) | Entry::Section(_) => false,
    };
    for group in &mut groups {
        group.members.sort_by_key(is_private);
    }
    groups
}
