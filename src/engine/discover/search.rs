//! `discover`: the results for an intent, by the rules of a request.

use super::{
    Corpus, Discover, Discovered, Found, MAX_RESULTS, Meta, Others, Searched, Wanted, Weights,
    corpus::Entry,
    found::{found, rounded},
    intent::Intent,
    others::{RankedOther, found_other, ranked_others},
    ranking::{Ranked, ranked},
};
use crate::{
    answers::{AnswerError, ReadSource, in_range, shown},
    program::DefinitionId,
};

/// The number of words of an intent for which the nearest names are listed if nothing matches.
const MOST_WORDS_WITH_NEAREST: usize = 3;

/// Something that matches an intent.
enum Hit<'a> {
    /// An entry of the corpus.
    Entry(&'a Ranked),
    /// A thing beside the corpus.
    Other(&'a dyn Others, &'a RankedOther),
}

impl Hit<'_> {
    fn score(&self) -> f64 {
        match self {
            Self::Entry(ranked) => ranked.score(),
            Self::Other(_, ranked) => ranked.score(),
        }
    }

    /// True for a hit of the wanted type.
    fn is_wanted(&self, corpus: &Corpus, wanted: Wanted) -> bool {
        let kind = match self {
            Self::Entry(ranked) => match corpus.entries[ranked.entry as usize] {
                Entry::Symbol(_) => Wanted::Symbol,
                Entry::Recipe(_) => Wanted::Recipe,
                Entry::Section(_) => Wanted::Doc,
            },
            Self::Other(..) => Wanted::Doc,
        };
        wanted == Wanted::All || wanted == kind
    }

    fn found(&self, corpus: &Corpus, read: &ReadSource<'_>, with_related: bool) -> Found {
        match self {
            Self::Entry(ranked) => found(corpus, read, ranked, with_related),
            Self::Other(others, ranked) => found_other(*others, ranked),
        }
    }
}

/// The symbols, recipes, sections of documents and things beside them that serve an intent, best first. `read` reads the
/// code of recipes.
///
/// # Errors
/// [`AnswerError`] for an empty intent, and for a limit or a least score out of range.
pub fn discover<'a>(
    searched: impl Into<Searched<'a>>,
    read: &ReadSource<'_>,
    request: &Discover,
) -> Result<Discovered, AnswerError> {
    let Searched { corpus, others } = searched.into();
    let limit = in_range("limit", request.limit, 1, MAX_RESULTS)?;
    if request.intent.trim().is_empty() {
        return Err(AnswerError::WrongFields("the intent is empty; it says in words what is to be done"));
    }
    let min_score = request.filter.min_score;
    if !(0.0..=1.0).contains(&min_score) {
        return Err(AnswerError::WrongFields("min_score is a share from 0 to 1"));
    }
    let weights = Weights::default();
    let matches = others.map(|others| others.matches(&request.intent)).unwrap_or_default();
    let mut best = matches.all.iter().map(|found| found.words).fold(0.0, f32::max);
    let entries = ranked(corpus, &Intent::new(&request.intent), &weights, &mut best);
    let beside = ranked_others(&matches, &weights, best);
    let all = merged(&entries, others, &beside);
    let wanted = request.filter.kind;
    let is_found = |hit: &&Hit<'_>| rounded(hit.score()) >= min_score && hit.is_wanted(corpus, wanted);
    let hits: Vec<&Hit<'_>> = all.iter().filter(is_found).collect();
    let count = |wanted| hits.iter().filter(|hit| hit.is_wanted(corpus, wanted)).count();
    let mut meta = Meta {
        query: request.intent.clone(),
        filter_type: wanted,
        total_found: hits.len(),
        returned_count: hits.len().min(limit),
        symbols_count: count(Wanted::Symbol),
        recipes_count: count(Wanted::Recipe),
        docs_count: count(Wanted::Doc),
        reason: None,
    };
    if hits.is_empty() {
        meta.reason = Some(reason(corpus, read, request, &all, others.is_some()));
    }
    let results = hits.iter().take(limit).map(|hit| hit.found(corpus, read, request.include_related)).collect();
    Ok(Discovered { results, meta })
}

/// The entries of a corpus and the things beside it, by descending score; of equal scores entries come first.
fn merged<'a>(entries: &'a [Ranked], others: Option<&'a dyn Others>, beside: &'a [RankedOther]) -> Vec<Hit<'a>> {
    let mut all: Vec<Hit<'_>> = entries.iter().map(Hit::Entry).collect();
    if let Some(others) = others.filter(|_| !beside.is_empty()) {
        all.extend(beside.iter().map(|ranked| Hit::Other(others, ranked)));
        // The sort is stable.
        all.sort_by(|a, b| b.score().total_cmp(&a.score()));
    }
    all
}

/// Why there is no result, and the nearest thing that exists.
fn reason(corpus: &Corpus, read: &ReadSource<'_>, request: &Discover, all: &[Hit<'_>], has_others: bool) -> String {
    let wanted = request.filter.kind;
    let best = |wanted| all.iter().find(|hit| hit.is_wanted(corpus, wanted));
    let described = |hit: &Hit<'_>| {
        let found = hit.found(corpus, read, false);
        format!("`{}` ({}) with a score of {}", found.name, found.kind.word(), found.score)
    };
    if let Some(best) = best(wanted) {
        return format!("no result has a score of {}; the best is {}", request.filter.min_score, described(best));
    }
    if let Some(best) = best(Wanted::All) {
        let types = match wanted {
            Wanted::Recipe if corpus.recipes.is_empty() => "there are no recipes here".to_owned(),
            Wanted::Doc if corpus.sections.is_empty() && !has_others => {
                "there are no documents that name symbols here".to_owned()
            }
            _ => format!("nothing of type {} matches", wanted.word()),
        };
        return format!("{types}; the best of the other types is {}", described(best));
    }
    let mut near: Vec<String> = Vec::new();
    let words = request.intent.split_whitespace().filter(|word| word.chars().count() > 2);
    for word in words.take(MOST_WORDS_WITH_NEAREST) {
        if let Err(AnswerError::UnknownSymbol { nearest, .. }) = corpus.symbols().find(word) {
            near.extend(nearest.into_iter().take(2));
        }
    }
    near.dedup();
    let near = if near.is_empty() { String::new() } else { format!("; the nearest names: {}", near.join(", ")) };
    format!("nothing here has a word of `{}`{near}", shown(&request.intent))
}

/// The symbols that match an intent, best first, by weights that an evaluation sets. Each result is a class or another
/// symbol, followed by the other matching members of the same class.
pub fn rank_symbols(corpus: &Corpus, intent: &str, weights: &Weights) -> Vec<Vec<DefinitionId>> {
    let symbol = |entry: u32| corpus.symbols().symbols().get(entry as usize).copied();
    let ids = |ranked: Ranked| [vec![ranked.entry], ranked.members].concat().into_iter().filter_map(symbol).collect();
    let found = ranked(corpus, &Intent::new(intent), weights, &mut 0.0).into_iter().map(ids);
    found.filter(|ids: &Vec<DefinitionId>| !ids.is_empty()).collect()
}
