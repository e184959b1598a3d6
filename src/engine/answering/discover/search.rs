//! `discover`: the results for an intent, by the rules of a request.

use rustc_hash::FxHashSet;

use super::{
    Corpus, Discover, DiscoverResponse, DiscoverResult, ExternalEntries, MAX_RESULTS, Meta, ResultType, ScoreWeights,
    Searched, TypeFilter,
    asked_snippet::add_asked,
    entries::CorpusEntry,
    external::{RankedExternal, external_result, ranked_external},
    intent::Intent,
    mixing::mix,
    ranking::{Match, Ranked, Ranking},
    results::{result, rounded},
};
use crate::{
    answers::{AnswerError, ReadSource, in_range, shown},
    types::TypeQuery,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::Scope;
use apidisc_stubs::intent::IntentWords;

/// The number of words of an intent for which the nearest names are listed if nothing matches.
const MAX_WORDS_WITH_NEAREST: usize = 3;

/// The number of best hits among which each type is looked for, whatever the limit.
const MIXED: usize = 10;

/// Everything that matches an intent.
struct Matches<'a> {
    corpus: &'a Corpus,
    entries: Ranking<'a>,
    external_entries: Option<&'a dyn ExternalEntries>,
    /// The external entries that match, best first.
    external: Vec<RankedExternal>,
    /// The package of which symbols and recipes are wanted; `None` for all.
    package: Option<&'a str>,
}

/// An intent with conditions on types, such as `makes:Client`. Only symbols meet them.
struct Typed {
    /// The symbols that meet the conditions.
    related: FxHashSet<DefinitionId>,
    /// The other words of the intent.
    words: String,
    /// The conditions as words.
    conditions: String,
}

impl Typed {
    /// The conditions of an intent; `None` without any, and if a name in them is that of no type: `a -> b` in a text is
    /// no condition then.
    fn of(corpus: &Corpus, intent: &str) -> Option<Self> {
        let (types, words) = TypeQuery::parse(intent);
        if types.is_empty() {
            return None;
        }
        let related = types.matches_of_types(corpus.symbols().index(), corpus.symbols().types())?;
        Some(Self { related, words, conditions: types.words() })
    }
}

/// The matches that pass a filter.
struct Hits<'m> {
    /// Entries of the corpus, in any order.
    entries: Vec<Match>,
    /// External entries, best first.
    external: Vec<&'m RankedExternal>,
}

/// One of the best hits.
enum Hit<'m> {
    CorpusEntry(Ranked),
    External(&'m RankedExternal),
}

impl Matches<'_> {
    /// The matches of the wanted type with at least `min_score`.
    fn hits(&self, wanted: TypeFilter, min_score: f64) -> Hits<'_> {
        let is_hit = |found: &&Match| {
            rounded(found.score()) >= min_score && is_wanted(self.corpus, found, wanted) && self.is_of_package(found)
        };
        let entries = self.entries.results().iter().filter(is_hit).copied().collect();
        let external = if matches!(wanted, TypeFilter::All | TypeFilter::Doc) { self.external.as_slice() } else { &[] };
        Hits { entries, external: external.iter().filter(|entry| rounded(entry.score()) >= min_score).collect() }
    }

    /// True for a symbol of the wanted package, and for a recipe with a call of it.
    fn is_of_package(&self, found: &Match) -> bool {
        let Some(package) = self.package else { return true };
        let index = self.corpus.symbols().index();
        let is_of =
            |id: &DefinitionId| index.package_of(Scope::Definition(*id)).is_some_and(|known| known.label() == package);
        match self.corpus.entry(found.entry) {
            CorpusEntry::Symbol(id) => is_of(&id),
            CorpusEntry::Recipe(at) => {
                let recipe = self.corpus.recipes.without_texts(at as usize);
                recipe.is_some_and(|recipe| recipe.symbols.iter().any(is_of))
            }
            CorpusEntry::Section(_) => false,
        }
    }

    /// At most `most` hits of all types, best first; the first ones are ordered by [`mix`].
    fn best_of_all<'m>(&'m self, hits: Hits<'m>, most: usize) -> Vec<Hit<'m>> {
        let mut best = self.best(hits, most.max(MIXED));
        mix(&mut best, |hit| (self.mixed_type(hit), hit.score()));
        best.truncate(most);
        best
    }

    /// The type of a hit, as results are mixed by it: an operation is code to call, as a symbol is.
    fn mixed_type(&self, hit: &Hit<'_>) -> ResultType {
        match hit {
            Hit::External(_) => ResultType::Symbol,
            Hit::CorpusEntry(ranked) => match self.corpus.entry(ranked.entry) {
                CorpusEntry::Symbol(_) => ResultType::Symbol,
                CorpusEntry::Recipe(_) => ResultType::Recipe,
                CorpusEntry::Section(_) => ResultType::Doc,
            },
        }
    }

    /// The first `most` hits, by descending score; of equal scores entries of the corpus come first.
    fn best<'m>(&'m self, hits: Hits<'m>, most: usize) -> Vec<Hit<'m>> {
        let entries = self.entries.best(hits.entries, most).into_iter().map(Hit::CorpusEntry);
        let mut best: Vec<Hit<'m>> = entries.chain(hits.external.into_iter().take(most).map(Hit::External)).collect();
        // The sort is stable.
        best.shared_sort_by(|a, b| b.score().total_cmp(&a.score()));
        best.truncate(most);
        best
    }

    /// A hit as a result.
    fn result(&self, hit: &Hit<'_>, read: &ReadSource<'_>, with_related: bool) -> Option<DiscoverResult> {
        match hit {
            Hit::CorpusEntry(ranked) => Some(result(self.corpus, read, ranked, with_related)),
            Hit::External(ranked) => self.external_entries.map(|entries| external_result(entries, ranked)),
        }
    }

    /// The best match of a type as words.
    fn best_in_words(&self, wanted: TypeFilter, read: &ReadSource<'_>) -> Option<String> {
        let best = self.best(self.hits(wanted, 0.0), 1).pop()?;
        let found = self.result(&best, read, false)?;
        Some(format!("`{}` ({}) with a score of {}", found.name, found.kind.word(), found.score))
    }
}

impl Hit<'_> {
    fn score(&self) -> f64 {
        match self {
            Self::CorpusEntry(ranked) => ranked.score(),
            Self::External(ranked) => ranked.score(),
        }
    }
}

impl Hits<'_> {
    fn count(&self) -> usize {
        self.entries.len() + self.external.len()
    }
}

/// The symbols, recipes, sections of documents and external entries that match an intent, best first. `read` reads the
/// code of recipes. The code of a symbol has the parameters that the intent names.
///
/// # Errors
/// [`AnswerError`] for an empty intent, and for a limit or a least score out of range.
pub fn discover<'a>(
    searched: impl Into<Searched<'a>>,
    read: &ReadSource<'_>,
    request: &Discover,
) -> Result<DiscoverResponse, AnswerError> {
    let searched = searched.into();
    let corpus = searched.corpus;
    let mut response = discover_briefly(searched, read, request)?;
    let intent_words = IntentWords::new(&request.intent);
    for result in response.results.iter_mut().filter(|result| result.kind == ResultType::Symbol) {
        add_asked(corpus, &intent_words, result);
    }
    Ok(response)
}

/// [`discover`] for callers that show their own code of symbols: the results have the typical calls alone.
///
/// # Errors
/// As [`discover`].
pub fn discover_briefly<'a>(
    searched: impl Into<Searched<'a>>,
    read: &ReadSource<'_>,
    request: &Discover,
) -> Result<DiscoverResponse, AnswerError> {
    let Searched { corpus, external: external_entries } = searched.into();
    let limit = in_range("limit", request.limit, 1, MAX_RESULTS)?;
    if request.intent.trim().is_empty() {
        return Err(AnswerError::WrongFields("the intent is empty; it says in words what is to be done"));
    }
    let min_score = request.filter.min_score;
    if !(0.0..=1.0).contains(&min_score) {
        return Err(AnswerError::WrongFields("min_score is a share from 0 to 1"));
    }
    let weights = ScoreWeights::default();
    let typed = Typed::of(corpus, &request.intent);
    let words = typed.as_ref().map_or(&*request.intent, |typed| &typed.words);
    let intent = Intent::weighted(words, &weights);
    let external = external_entries.filter(|_| typed.is_none());
    let external = external.map(|entries| entries.matches(words)).unwrap_or_default();
    let best_external = external.all.iter().map(|found| found.words).fold(0.0, f32::max);
    let entries = Ranking::new(corpus, &intent, typed.as_ref().map(|typed| &typed.related), &weights, best_external);
    let external = ranked_external(&external, &weights, entries.best_words());
    let package = request.package.as_deref();
    let matches = Matches { corpus, entries, external_entries, external, package };
    let wanted = request.filter.kind;
    let hits = matches.hits(wanted, min_score);
    let entry_count = |kind| hits.entries.iter().filter(|entry| is_wanted(corpus, entry, kind)).count();
    let total_found = hits.count();
    let mut meta = Meta {
        query: request.intent.clone(),
        filter_type: wanted,
        total_found,
        returned_count: total_found.min(limit),
        symbols_count: entry_count(TypeFilter::Symbol),
        recipes_count: entry_count(TypeFilter::Recipe),
        docs_count: entry_count(TypeFilter::Doc) + hits.external.len(),
        reason: None,
    };
    if total_found == 0 {
        let untyped = || reason(&matches, read, request);
        meta.reason = Some(typed.map_or_else(untyped, |typed| format!("no symbol {}", typed.conditions)));
    }
    let best = if wanted == TypeFilter::All { matches.best_of_all(hits, limit) } else { matches.best(hits, limit) };
    let results: Vec<DiscoverResult> =
        best.iter().filter_map(|hit| matches.result(hit, read, request.include_related)).collect();
    let results = without_repeated(results);
    meta.returned_count = results.len();
    Ok(DiscoverResponse { results, meta })
}

/// Results whose lists of members leave out those that are results of their own, without recipes whose code a better
/// one has.
fn without_repeated(mut results: Vec<DiscoverResult>) -> Vec<DiscoverResult> {
    let mut codes: FxHashSet<String> = FxHashSet::default();
    results.retain(|result| {
        let code = result.code_snippet.as_ref().filter(|_| result.kind == ResultType::Recipe);
        code.is_none_or(|code| codes.insert(code.clone()))
    });
    let symbols = results.iter().filter(|result| result.kind == ResultType::Symbol);
    let names: FxHashSet<String> = symbols.map(|result| result.name.clone()).collect();
    for result in results.iter_mut().filter(|result| result.kind == ResultType::Symbol) {
        result.symbols.retain(|name| !names.contains(name));
    }
    results
}

/// The reason why there is no result, and the nearest name or word that exists.
fn reason(matches: &Matches<'_>, read: &ReadSource<'_>, request: &Discover) -> String {
    let (corpus, wanted) = (matches.corpus, request.filter.kind);
    if let Some(best) = matches.best_in_words(wanted, read) {
        return format!("no result has a score of {}; the best is {best}", request.filter.min_score);
    }
    if let Some(best) = matches.best_in_words(TypeFilter::All, read) {
        let types = match wanted {
            TypeFilter::Recipe if corpus.recipes.len() == 0 => "there are no recipes here".to_owned(),
            TypeFilter::Doc if corpus.sections.is_empty() && matches.external_entries.is_none() => {
                "there are no documents here".to_owned()
            }
            _ => format!("nothing of type {} matches", wanted.word()),
        };
        return format!("{types}; the best of the other types is {best}");
    }
    let mut near: Vec<String> = Vec::new();
    let words = request.intent.split_whitespace().filter(|word| word.chars().count() > 2);
    for word in words.take(MAX_WORDS_WITH_NEAREST) {
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
pub fn rank_symbols(corpus: &Corpus, intent: &str, weights: &ScoreWeights) -> Vec<Vec<DefinitionId>> {
    let symbol = |entry: u32| corpus.symbols().symbols().get(entry as usize).copied();
    let ids = |ranked: Ranked| [vec![ranked.entry], ranked.members].concat().into_iter().filter_map(symbol).collect();
    let intent = Intent::weighted(intent, weights);
    let ranking = Ranking::new(corpus, &intent, None, weights, 0.0);
    let symbols =
        ranking.results().iter().filter(|result| is_wanted(corpus, result, TypeFilter::Symbol)).copied().collect();
    ranking.best(symbols, usize::MAX).into_iter().map(ids).collect()
}

/// True for a result of the wanted type.
fn is_wanted(corpus: &Corpus, result: &Match, wanted: TypeFilter) -> bool {
    let kind = match corpus.entry(result.entry) {
        CorpusEntry::Symbol(_) => TypeFilter::Symbol,
        CorpusEntry::Recipe(_) => TypeFilter::Recipe,
        CorpusEntry::Section(_) => TypeFilter::Doc,
    };
    wanted == TypeFilter::All || wanted == kind
}
