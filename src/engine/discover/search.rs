//! `discover`: the results for an intent, by the rules of a request.

use super::{
    Corpus, Discover, Discovered, MAX_RESULTS, Meta, Wanted, Weights,
    entries::Entry,
    found::{found, rounded},
    intent::Intent,
    ranking::{Match, Ranked, Ranking},
};
use crate::{
    answers::{AnswerError, ReadSource, in_range, shown},
    program::DefinitionId,
};

/// The number of words of an intent for which the nearest names are listed if nothing matches.
const MOST_WORDS_WITH_NEAREST: usize = 3;

/// The symbols, recipes and sections of documents that serve an intent, best first. `read` reads the code of recipes.
///
/// # Errors
/// [`AnswerError`] for an empty intent, and for a limit or a least score out of range.
pub fn discover(corpus: &Corpus, read: &ReadSource<'_>, request: &Discover) -> Result<Discovered, AnswerError> {
    let limit = in_range("limit", request.limit, 1, MAX_RESULTS)?;
    if request.intent.trim().is_empty() {
        return Err(AnswerError::WrongFields("the intent is empty; it says in words what is to be done"));
    }
    let min_score = request.filter.min_score;
    if !(0.0..=1.0).contains(&min_score) {
        return Err(AnswerError::WrongFields("min_score is a share from 0 to 1"));
    }
    let intent = Intent::new(&request.intent);
    let weights = Weights::default();
    let ranking = Ranking::new(corpus, &intent, &weights);
    let wanted = request.filter.kind;
    let is_found = |result: &&Match| rounded(result.score()) >= min_score && is_wanted(corpus, result, wanted);
    let hits: Vec<Match> = ranking.results().iter().filter(is_found).copied().collect();
    let count = |wanted| hits.iter().filter(|result| is_wanted(corpus, result, wanted)).count();
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
        meta.reason = Some(reason(corpus, read, request, &ranking));
    }
    let best = ranking.best(hits, limit);
    let results = best.iter().map(|ranked| found(corpus, read, ranked, request.include_related)).collect();
    Ok(Discovered { results, meta })
}

/// Why there is no result, and the nearest thing that exists.
fn reason(corpus: &Corpus, read: &ReadSource<'_>, request: &Discover, ranking: &Ranking<'_>) -> String {
    let wanted = request.filter.kind;
    let best = |wanted| {
        let results = ranking.results().iter().filter(|result| is_wanted(corpus, result, wanted));
        ranking.best(results.copied().collect(), 1).pop()
    };
    let described = |ranked: Ranked| {
        let found = found(corpus, read, &ranked, false);
        format!("`{}` ({}) with a score of {}", found.name, found.kind.word(), found.score)
    };
    if let Some(best) = best(wanted) {
        return format!("no result has a score of {}; the best is {}", request.filter.min_score, described(best));
    }
    if let Some(best) = best(Wanted::All) {
        let types = match wanted {
            Wanted::Recipe if corpus.recipes.len() == 0 => "there are no recipes here".to_owned(),
            Wanted::Doc if corpus.sections.len() == 0 => "there are no documents that name symbols here".to_owned(),
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
    let intent = Intent::new(intent);
    let ranking = Ranking::new(corpus, &intent, weights);
    let symbols =
        ranking.results().iter().filter(|result| is_wanted(corpus, result, Wanted::Symbol)).copied().collect();
    ranking.best(symbols, usize::MAX).into_iter().map(ids).collect()
}

/// True for a result of the wanted type.
fn is_wanted(corpus: &Corpus, result: &Match, wanted: Wanted) -> bool {
    let kind = match corpus.entry(result.entry) {
        Entry::Symbol(_) => Wanted::Symbol,
        Entry::Recipe(_) => Wanted::Recipe,
        Entry::Section(_) => Wanted::Doc,
    };
    wanted == Wanted::All || wanted == kind
}
