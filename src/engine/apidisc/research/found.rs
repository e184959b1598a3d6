//! The results of all searches for a question in one order: that of `discover`, by score, in which the symbols rise
//! whose declarations have most of the words of the question, and those that users call most. A context has few
//! results, in full, so what tests define is left out, what users cannot import stands back behind what matches about
//! as well, and a class and its members are one result, at the place of the best of them.

use rustc_hash::FxHashMap;

use super::{PartSource, names::Callables, options::as_functions, question_words::QuestionWords, variables::Variables};
use apidisc_answering::{
    answers::Context,
    discover::{DiscoverResult, ResultType},
};
use apidisc_base::{language::Origin, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{File, Index};
use apidisc_stubs::intent::covered;

/// The factor for a symbol that users do not import: a private one, one of examples or scripts, and one that no package
/// exports or that the library alone calls.
const FACTOR_OF_AN_INNER_SYMBOL: f64 = 0.75;
/// The factor for a member of the class of a variable that the question names.
const FACTOR_OF_A_MEMBER_OF_A_VARIABLE: f64 = 1.5;
/// The factor for an attribute that is no member of an enum: most questions are about calls.
const FACTOR_OF_A_FIELD: f64 = 0.75;
/// The greatest number of members of a class that are shown together with the best one of them.
const MAX_BESIDE: usize = 2;
/// The least relevance of such a member, as a share of that of the best one.
const LEAST_RELEVANCE_BESIDE: f64 = 0.75;
/// The factor for an exception: most questions that are not about exceptions tell only what should not happen.
const FACTOR_OF_AN_EXCEPTION: f64 = 0.7;
/// How much the calls of users raise a symbol: one that has all of them by this part of its relevance, another by the
/// square root of its share in them.
const GAIN_BY_USE: f64 = 0.5;
/// The share of its relevance that a symbol keeps whose declaration has no word of the question.
const RELEVANCE_WITHOUT_COVERAGE: f64 = 0.7;
/// The least part of a score, for a name or for what is to be written, by which a question names a result.
const EVIDENCE_OF_A_NAME: f64 = 0.6;

/// A result of a search.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) kind: ResultType,
    /// The id of the result: see [`DiscoverResult::id`].
    pub(super) id: String,
    pub(super) name: String,
    /// `path:line`, the place in the sources; `None` if the index does not have it.
    pub(super) place: Option<(String, u32)>,
    /// The code of a recipe.
    pub(super) code: Option<String>,
    /// Of a symbol: the members of the same class, and the symbols with the same name, that match as well.
    pub(super) members: Vec<DefinitionId>,
    /// Of a member: the further members of its class that are results, too. It is shown together with them.
    pub(super) beside: Vec<DefinitionId>,
    /// Of a function that stands for properties of its options: the positions of these properties in its signature.
    pub(super) options: Vec<usize>,
    /// True for a symbol that users do not import.
    is_inner: bool,
    /// True if the question names the result, or what to write by it.
    is_named: bool,
    /// How well the result answers the question: its score before the limit, which would make many good results alike.
    pub(super) relevance: f64,
}

impl Found {
    fn new(result: DiscoverResult) -> Self {
        let parts = &result.score_parts;
        Self {
            is_inner: false,
            is_named: parts.exact + parts.kind >= EVIDENCE_OF_A_NAME,
            relevance: parts.semantic() * parts.reliability * parts.repetition,
            kind: result.kind,
            id: result.id,
            name: result.name,
            place: result.path.zip(result.line),
            code: result.code_snippet,
            members: result.members,
            beside: Vec::new(),
            options: Vec::new(),
        }
    }

    /// A function in the place of a property of its options, which is at `position` of its signature.
    pub(super) fn replaced_by(self, context: &Context<'_>, function: DefinitionId, position: usize) -> Self {
        let index = context.symbols.index();
        let definition = index.definition(function);
        Self {
            id: context.symbols.name_of(function).to_string(),
            name: definition.alias.to_string(),
            place: index.source_of(definition).map(|file| (file.path.to_string(), definition.place.line)),
            members: Vec::new(),
            options: vec![position],
            ..self
        }
    }

    /// The result as a part of a context.
    pub(super) fn source(&self) -> PartSource {
        let source = self.place.as_ref().map(|(path, line)| format!("{path}:{line}")).unwrap_or_default();
        PartSource { kind: self.kind, name: self.name.clone(), source, score: self.relevance.min(1.0) }
    }
}

/// The results of the searches for symbols, recipes and sections in one order, best first.
pub(super) fn ranked(
    context: &Context<'_>,
    callables: &Callables<'_>,
    words: &QuestionWords,
    variables: &Variables<'_>,
    [symbols, recipes, sections]: [Vec<DiscoverResult>; 3],
) -> Vec<Found> {
    let (index, corpus) = (context.symbols.index(), callables.corpus);
    let is_of_tests = |symbol: &Found| {
        let place = context.symbols.known(&symbol.id).map(|id| index.definition(id).place.file);
        place.and_then(|file| index.files.get(file.index())).is_some_and(|file| file.origin == Origin::Tests)
    };
    let mut found: Vec<Found> = symbols.into_iter().map(Found::new).collect();
    // Who asks how to call something calls no test.
    if !words.asks_for_tests() {
        let (of_tests, others): (Vec<Found>, Vec<Found>) = found.into_iter().partition(is_of_tests);
        found = if others.is_empty() { of_tests } else { others };
    }
    let mut found = as_functions(context, corpus, found);
    for symbol in &mut found {
        let id = context.symbols.known(&symbol.id);
        symbol.is_inner = id.is_some_and(|id| !is_of_api(index, id) || corpus.is_inner(id));
        symbol.relevance *= if symbol.is_inner { FACTOR_OF_AN_INNER_SYMBOL } else { 1.0 };
        let is_field = id.is_some_and(|id| is_field(index, id));
        symbol.relevance *= if is_field { FACTOR_OF_A_FIELD } else { 1.0 };
        let is_of_variable = id.is_some_and(|id| variables.have(index, id));
        symbol.relevance *= if is_of_variable { FACTOR_OF_A_MEMBER_OF_A_VARIABLE } else { 1.0 };
    }
    rank_by_declarations(context, words, &mut found);
    rank_by_use(context, callables, words, &mut found);
    let by_relevance = |a: &Found, b: &Found| b.relevance.total_cmp(&a.relevance);
    found.shared_sort_by(by_relevance);
    let mut found = with_classes_as_one(context, found);
    found.extend(recipes.into_iter().chain(sections).map(Found::new));
    // The sort is stable: of equal results, the order of the searches is kept.
    found.shared_sort_by(by_relevance);
    found
}

/// Raises the symbols whose declarations, with all parameters, have more of the words of the question than others have:
/// a question about options is about the symbol that has most of them. What users do not import gains nothing.
fn rank_by_declarations(context: &Context<'_>, words: &QuestionWords, symbols: &mut [Found]) {
    let ids: Vec<Option<DefinitionId>> = symbols.iter().map(|symbol| context.symbols.known(&symbol.id)).collect();
    let known: Vec<DefinitionId> = ids.iter().copied().flatten().collect();
    let mut coverage = covered(context.symbols.index(), &known, words.intent()).into_iter().map(f64::from);
    let coverage: Vec<f64> = ids.iter().map(|id| id.and_then(|_| coverage.next()).unwrap_or_default()).collect();
    let best = coverage.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let most = |symbols: &[Found]| symbols.iter().map(|symbol| symbol.relevance).fold(f64::MIN_POSITIVE, f64::max);
    let before = most(symbols);
    for (symbol, coverage) in symbols.iter_mut().zip(coverage) {
        let share = match symbol {
            Found { is_inner: true, .. } => 0.0,
            Found { is_named: true, .. } => 1.0,
            _ => coverage / best,
        };
        symbol.relevance *= RELEVANCE_WITHOUT_COVERAGE + (1.0 - RELEVANCE_WITHOUT_COVERAGE) * share;
    }
    // Symbols as a whole are as relevant as before, beside recipes and sections.
    let scale = before / most(symbols);
    for symbol in symbols {
        symbol.relevance *= scale;
    }
}

/// Raises the symbols that users call, by their share in all calls, and lowers exceptions if the question is not about
/// them: a question is about what users call much more often than about the rest of an API.
fn rank_by_use(context: &Context<'_>, callables: &Callables<'_>, words: &QuestionWords, symbols: &mut [Found]) {
    let index = context.symbols.index();
    for symbol in symbols {
        let Some(id) = context.symbols.known(&symbol.id) else { continue };
        symbol.relevance *= 1.0 + GAIN_BY_USE * callables.share_of_calls(id).sqrt();
        let class = index.definition(id).parent.unwrap_or(id);
        if !symbol.is_named && !words.asks_for_exceptions() && index.is_exception(class) {
            symbol.relevance *= FACTOR_OF_AN_EXCEPTION;
        }
    }
}

/// The best result of each class and its members. `symbols` are ordered, best first.
fn with_classes_as_one(context: &Context<'_>, symbols: Vec<Found>) -> Vec<Found> {
    let index = context.symbols.index();
    let mut places: FxHashMap<DefinitionId, usize> = FxHashMap::default();
    let mut found: Vec<Found> = Vec::new();
    for symbol in symbols {
        let Some(id) = context.symbols.known(&symbol.id) else { continue };
        let parent = index.definition(id).parent;
        if let Some(&place) = places.get(&parent.unwrap_or(id)) {
            let best = &mut found[place];
            let is_beside = best.beside.len() < MAX_BESIDE
                && symbol.relevance >= LEAST_RELEVANCE_BESIDE * best.relevance
                && parent.is_some();
            if is_beside {
                best.members.retain(|member| *member != id);
                best.members.insert(best.beside.len(), id);
                best.beside.push(id);
            } else if !best.members.contains(&id) {
                best.members.push(id);
            }
        } else {
            places.insert(parent.unwrap_or(id), found.len());
            found.push(symbol);
        }
    }
    found
}

/// True for an attribute that is no member of an enum.
fn is_field(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    definition.kind == DefinitionKind::Attribute && !definition.parent.is_some_and(|parent| index.is_enum(parent))
}

/// True for a public symbol of the library: users of the library call it, and not what tests and examples define.
pub(super) fn is_of_api(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    definition.is_public && index.files.get(definition.place.file.index()).is_none_or(File::is_library)
}
