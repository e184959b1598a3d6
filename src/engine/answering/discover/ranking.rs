//! The entries of a corpus that match an intent, as results: a class and its members are at most three results, symbols
//! of the same name one.
//!
//! A common word has a hundred thousand matches, of which ten are shown. So only one number is computed for every
//! match. The results of the request are then selected by this number, and only they are sorted and get the parts of
//! their scores and their members.

use std::{borrow::Cow, cmp::Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Corpus, ScoreParts, ScoreWeights, entries::CorpusEntry, intent::Intent, reliability::GREATEST_SCORE, scores::Scores,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::DefinitionId;

/// The greatest number of results that are recipes which begin with the same symbol: these are much alike.
const MAX_RECIPES_OF_A_SYMBOL: usize = 2;
/// A member of a class is listed in the result of the class if its evidence is at least this share of the evidence for
/// the best entry of the class.
const SHARE_OF_A_MEMBER: f64 = 0.5;

/// The greatest number of results that are a class and its members.
const MAX_RESULTS_OF_A_CLASS: usize = 3;
/// The factor of the score of a class's second result; the third one has its square.
const LOSS_OF_A_FURTHER_RESULT: f64 = 0.85;
/// The number of best symbols among which a class may have further results.
const FURTHER: usize = 400;

/// An entry that matches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) entry: u32,
    /// The match of the entry times its reliability and repetition, before the score is limited.
    product: f64,
    /// The factor of a further result of a class; 1 for other results.
    repetition: f64,
}

/// A result with its score.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    pub(super) entry: u32,
    product: f64,
    pub(super) semantic: f64,
    pub(super) parts: ScoreParts,
    /// For a class, the entries of its members that match as well, best first.
    pub(super) members: Vec<u32>,
    /// The other members that have about as many words of the intent as the entry itself, best first: it may be first
    /// by its exact name or by its meaning.
    pub(super) similar: Vec<u32>,
}

/// The results for an intent.
pub(super) struct Ranking<'c> {
    corpus: &'c Corpus,
    scores: Scores<'c>,
    matches: Vec<Match>,
    /// The best match of each result, in any order.
    results: Vec<Match>,
    /// True if the members of a class are results of the class.
    is_grouped: bool,
}

impl Match {
    /// The score, from 0 to [`GREATEST_SCORE`].
    pub(super) fn score(&self) -> f64 {
        self.product.min(GREATEST_SCORE)
    }
}

impl Ranked {
    /// The match of the entry or of its best member, by words, meaning and exact name.
    fn evidence(&self) -> f64 {
        self.parts.exact + (self.parts.words + self.parts.similarity).max(self.parts.member)
    }

    /// The score, from 0 to [`GREATEST_SCORE`].
    pub(super) fn score(&self) -> f64 {
        self.product.min(GREATEST_SCORE)
    }
}

impl<'c> Ranking<'c> {
    /// The results for an intent. Only `related` symbols are results, if given: they meet the conditions of the intent.
    /// `best_external` is the best match by words among the external entries.
    pub(super) fn new(
        corpus: &'c Corpus,
        intent: &'c Intent,
        related: Option<&FxHashSet<DefinitionId>>,
        weights: &'c ScoreWeights,
        best_external: f32,
    ) -> Self {
        let symbols = corpus.symbols().symbols();
        let mut scores = Scores::new(corpus, intent, weights, best_external);
        if let Some(related) = related {
            scores.add_exact((0..).zip(symbols).filter(|(_, id)| related.contains(id)).map(|(entry, _)| entry));
        }
        let is_related = |entry: &u32| {
            related.is_none_or(|related| symbols.get(*entry as usize).is_some_and(|id| related.contains(id)))
        };
        let matches: Vec<Match> = scores
            .matches()
            .filter(is_related)
            .map(|entry| {
                let parts = scores.parts(entry);
                Match { entry, product: parts.semantic() * parts.reliability, repetition: 1.0 }
            })
            .collect();
        let results = if weights.groups { results(corpus, &matches) } else { matches.clone() };
        Self { corpus, scores, matches, results, is_grouped: weights.groups }
    }

    /// The best match by words, of the corpus and of the external entries.
    pub(super) fn best_words(&self) -> f32 {
        self.scores.best_words
    }

    /// The best match of each result, in any order.
    pub(super) fn results(&self) -> &[Match] {
        &self.results
    }

    /// The first `most` of some results, best first.
    pub(super) fn best(&self, mut results: Vec<Match>, most: usize) -> Vec<Ranked> {
        let compare = |a: &Match, b: &Match| compare(self.corpus, a, b);
        if let Some(last) = most.checked_sub(1).filter(|last| *last < results.len()) {
            results.select_nth_unstable_by(last, compare);
        }
        results.truncate(most);
        results.shared_sort_by(compare);
        let ranked = |result: Match| {
            let Match { entry, product, repetition } = result;
            let parts = ScoreParts { repetition, ..self.scores.parts(entry) };
            Ranked { entry, product, semantic: parts.semantic(), parts, members: Vec::new(), similar: Vec::new() }
        };
        let mut ranked: Vec<Ranked> = results.into_iter().map(ranked).collect();
        if self.is_grouped {
            self.add_members(&mut ranked);
        }
        ranked
    }

    /// Adds the other matches of each result: the public ones before the private ones, and the best ones first.
    fn add_members(&self, results: &mut [Ranked]) {
        let static_scores = &self.corpus.static_scores;
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        for (ranked, place) in results.iter().zip(0..) {
            places.entry(static_scores.group(ranked.entry)).or_insert(place);
        }
        let place = |member: &Match| Some((*places.get(&static_scores.group(member.entry))?, *member));
        let mut members: Vec<(usize, Match)> = self.matches.iter().filter_map(place).collect();
        members.retain(|(place, member)| {
            let result = &results[*place];
            self.is_member(result, member.entry) || self.is_similar(result, member.entry)
        });
        let key = |entry| static_scores.of(entry).is_private;
        members
            .shared_sort_by(|(_, a), (_, b)| key(a.entry).cmp(&key(b.entry)).then_with(|| compare(self.corpus, a, b)));
        for (place, member) in members {
            let is_member = self.is_member(&results[place], member.entry);
            let result = &mut results[place];
            if is_member { &mut result.members } else { &mut result.similar }.push(member.entry);
        }
    }

    /// True for an entry that has at least half as many words of the intent as the entry of a result.
    fn is_similar(&self, result: &Ranked, entry: u32) -> bool {
        let words = result.parts.words.max(result.parts.member);
        result.entry != entry && words > 0.0 && self.scores.own_evidence(entry) >= SHARE_OF_A_MEMBER * words
    }

    /// True for an entry that is listed in a result: a symbol with the same name, and a member that has about as many
    /// words of the intent as the best entry of the result.
    fn is_member(&self, result: &Ranked, entry: u32) -> bool {
        let static_scores = &self.corpus.static_scores;
        let has_same_name =
            static_scores.of(entry).may_share_name() && static_scores.class(result.entry) != Some(entry);
        result.entry != entry
            && (has_same_name || self.scores.own_evidence(entry) >= SHARE_OF_A_MEMBER * result.evidence())
    }
}

/// The match of each result: the best one of each class with its members, and further ones of the class; the best one
/// of each name; and of recipes at most [`MAX_RECIPES_OF_A_SYMBOL`] that begin with the same symbol.
fn results(corpus: &Corpus, matches: &[Match]) -> Vec<Match> {
    // For the entry of a group, one more than the place of its result.
    let mut places: Vec<u32> = vec![0; corpus.symbols().symbols().len()];
    let mut results: Vec<Match> = Vec::new();
    // The other entries follow the symbols.
    let (symbols, others) = matches.split_at(matches.partition_point(|one| (one.entry as usize) < places.len()));
    for one in symbols {
        let place = &mut places[corpus.static_scores.group(one.entry) as usize];
        match place.checked_sub(1).map(|place| &mut results[place as usize]) {
            None => {
                results.push(*one);
                *place = results.len() as u32;
            }
            Some(best) if compare(corpus, one, best).is_lt() => *best = *one,
            Some(_) => {}
        }
    }
    let further = further_results(corpus, symbols, &results);
    results.extend(further);
    let is_recipe = |one: &&Match| matches!(corpus.entry(one.entry), CorpusEntry::Recipe(_));
    let mut recipes: Vec<Match> = others.iter().filter(is_recipe).copied().collect();
    recipes.shared_sort_by(|a, b| compare(corpus, a, b));
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    recipes.retain(|one| {
        let count = counts.entry(corpus.static_scores.of(one.entry).first_symbol()).or_default();
        std::mem::replace(count, *count + 1) < MAX_RECIPES_OF_A_SYMBOL
    });
    results.extend(recipes);
    results.extend(others.iter().filter(|one| !is_recipe(one)));
    results
}

/// The further results of classes: members that match well, but not best. Else the best member of a class with many
/// members would hide the one that is asked for. `symbols` are the symbols that match, `first` the first results.
fn further_results(corpus: &Corpus, symbols: &[Match], first: &[Match]) -> Vec<Match> {
    let static_scores = &corpus.static_scores;
    let is_public_member = |one: &&Match| {
        let static_score = static_scores.of(one.entry);
        static_score.class().is_some() && !static_score.is_private
    };
    let mut members: Vec<Match> = symbols.iter().filter(is_public_member).copied().collect();
    let compare = |a: &Match, b: &Match| compare(corpus, a, b);
    if FURTHER < members.len() {
        members.select_nth_unstable_by(FURTHER, compare);
        members.truncate(FURTHER);
    }
    members.shared_sort_by(compare);
    let first: FxHashSet<u32> = first.iter().map(|one| one.entry).collect();
    members.retain(|one| !first.contains(&one.entry));
    let mut counts: FxHashMap<u32, i32> = FxHashMap::default();
    members.retain_mut(|one| {
        let count = counts.entry(static_scores.group(one.entry)).or_default();
        *count += 1;
        one.repetition = LOSS_OF_A_FURTHER_RESULT.powi(*count);
        one.product *= one.repetition;
        (*count as usize) < MAX_RESULTS_OF_A_CLASS
    });
    members
}

/// The order of matches: the best one first, and matches that are equally good by their keys.
fn compare(corpus: &Corpus, a: &Match, b: &Match) -> Ordering {
    b.product.total_cmp(&a.product).then_with(|| key(corpus, a.entry).cmp(&key(corpus, b.entry)))
}

/// The key by which entries of equal scores are ordered: the name of a symbol, the id of a recipe, the path and line of
/// a section.
fn key(corpus: &Corpus, entry: u32) -> (Cow<'_, str>, u32) {
    match corpus.entry(entry) {
        CorpusEntry::Symbol(id) => (Cow::Borrowed(&corpus.index().definition(id).fqn), 0),
        CorpusEntry::Recipe(at) => {
            (corpus.recipes.without_texts(at as usize).map(|recipe| recipe.id).unwrap_or_default().into(), 0)
        }
        CorpusEntry::Section(at) => {
            let section = corpus.sections.get(at as usize).map(|section| (section.path.into(), section.line));
            section.unwrap_or_default()
        }
    }
}
