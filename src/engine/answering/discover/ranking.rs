//! The entries of a corpus that match an intent, as results: a class and its members are one result, and so are symbols
//! of the same name.
//!
//! A common word has a hundred thousand matches, of which ten are shown. So only one number is computed for every
//! match. The results of the request are then selected by this number, and only they are sorted and get the parts of
//! their scores and their members.

use std::{borrow::Cow, cmp::Ordering};

use rustc_hash::FxHashMap;

use super::{
    Corpus, ScoreParts, ScoreWeights, entries::CorpusEntry, intent::Intent, reliability::GREATEST_SCORE, scores::Scores,
};
use apidisc_base::sort::SharedSort as _;

/// The greatest number of results that are recipes which begin with the same symbol: these are much alike.
const MAX_RECIPES_OF_A_SYMBOL: usize = 2;
/// A member of a class is listed in the result of the class if its evidence is at least this share of the evidence for
/// the best entry of the class.
const SHARE_OF_A_MEMBER: f64 = 0.5;

/// An entry that matches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) entry: u32,
    /// The match of the entry times its reliability, before the score is limited.
    product: f64,
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
    /// True if a class and its members are one result.
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
    /// The results for an intent. `best_external` is the best match by words among the external entries.
    pub(super) fn new(corpus: &'c Corpus, intent: &'c Intent, weights: &'c ScoreWeights, best_external: f32) -> Self {
        let scores = Scores::new(corpus, intent, weights, best_external);
        let matches: Vec<Match> = scores
            .matches()
            .map(|entry| {
                let parts = scores.parts(entry);
                Match { entry, product: parts.semantic() * parts.reliability }
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
            let parts = self.scores.parts(result.entry);
            let Match { entry, product } = result;
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
        let places: FxHashMap<u32, usize> =
            results.iter().map(|ranked| static_scores.group(ranked.entry)).zip(0..).collect();
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

/// The best match of each result: of each class with its members, of each name, and of recipes at most
/// [`MAX_RECIPES_OF_A_SYMBOL`] that begin with the same symbol.
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
