//! Orders the results of all searches for a question by their relevance.
//!
//! The order differs from that of a search by intent. A context has few results, in full, so the words of the question
//! count more and the prior counts less. The definitions that the code of a matching section calls are results as well,
//! and definitions that users do not import count less than those that they import.

use rustc_hash::FxHashMap;

use super::{PartSource, question_words::QuestionWords};
use apidisc_answering::{
    answers::Context,
    discover::{Corpus, DiscoverResult, ResultType, ScoreParts},
};
use apidisc_base::{language::Origin, sort::SharedSort as _};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::{Definition, File, Index};

/// The weight of the prior of a result, relative to its weight in a search.
const SHARE_OF_PRIOR: f64 = 0.6;
/// The factor for a symbol that users do not import: a private one, and one of tests, examples or scripts.
const FACTOR_OF_A_PRIVATE_SYMBOL: f64 = 0.5;
/// The factor for a public symbol that no package exports under a name by which users import it.
const FACTOR_OF_AN_INNER_SYMBOL: f64 = 0.7;
/// The factor for a symbol that nothing calls: a type, a property or a constant.
const FACTOR_OF_A_TYPE: f64 = 0.8;
/// The relevance of a definition that the code of a section calls, as a share of the relevance of the section.
const SHARE_OF_A_CALL: f64 = 0.6;

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
    /// How well the result answers the question, from 0 to about 1.
    pub(super) relevance: f64,
}

impl Found {
    fn new(result: DiscoverResult) -> Self {
        Self {
            relevance: relevance(&result.score_parts),
            kind: result.kind,
            id: result.id,
            name: result.name,
            place: result.path.zip(result.line),
            code: result.code_snippet,
            members: result.members,
        }
    }

    /// The result as a part of a context.
    pub(super) fn source(&self) -> PartSource {
        let source = self.place.as_ref().map(|(path, line)| format!("{path}:{line}")).unwrap_or_default();
        PartSource { kind: self.kind, name: self.name.clone(), source, score: self.relevance.min(1.0) }
    }

    /// A definition that no search found.
    fn of_definition(context: &Context<'_>, id: DefinitionId) -> Self {
        let index = context.symbols.index();
        let place = index.definition(id).place;
        Self {
            kind: ResultType::Symbol,
            id: index.definition(id).fqn.to_string(),
            name: context.symbols.name_of(id).to_string(),
            place: index.files.get(place.file.index()).map(|file| (file.path.to_string(), place.line)),
            code: None,
            members: Vec::new(),
            relevance: 0.0,
        }
    }
}

/// The results of the searches for symbols, recipes and sections in one order, best first.
pub(super) fn ranked(
    context: &Context<'_>,
    corpus: &Corpus,
    words: &QuestionWords,
    symbols: Vec<DiscoverResult>,
    recipes: Vec<DiscoverResult>,
    sections: Vec<DiscoverResult>,
) -> Vec<Found> {
    let index = context.symbols.index();
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
    let mut places: FxHashMap<DefinitionId, usize> = FxHashMap::default();
    for (at, symbol) in found.iter_mut().enumerate() {
        if let Some(id) = context.symbols.known(&symbol.id) {
            symbol.relevance *= visibility_factor(index, id) * callable_factor(index.definition(id));
            places.insert(id, at);
        }
    }
    let sections: Vec<Found> = sections.into_iter().map(Found::new).collect();
    let ids: Vec<&str> = sections.iter().map(|section| section.id.as_str()).collect();
    let (called, counts) = corpus.called_in_sections(&ids);
    let mut evidence: Vec<(DefinitionId, f64)> = Vec::new();
    let mut known: FxHashMap<DefinitionId, usize> = FxHashMap::default();
    for (section, called) in sections.iter().zip(called) {
        for id in called.into_iter().filter(|id| visibility_factor(index, *id) >= 1.0) {
            // A definition that many sections call is specific to none of them.
            let specificity = 1.0 / (1.0 + (counts.get(&id).copied().unwrap_or(1) as f64).ln());
            let share = SHARE_OF_A_CALL * section.relevance * specificity;
            let at = *known.entry(id).or_insert(evidence.len());
            match evidence.get_mut(at) {
                Some((_, most)) => *most = most.max(share),
                None => evidence.push((id, share)),
            }
        }
    }
    for (id, share) in evidence {
        let parent = index.definition(id).parent;
        let place = [Some(id), parent].into_iter().flatten().find_map(|id| places.get(&id).copied());
        let at = place.unwrap_or_else(|| {
            found.push(Found::of_definition(context, id));
            *places.entry(id).or_insert(found.len() - 1)
        });
        let relevance = &mut found[at].relevance;
        *relevance = 1.0 - (1.0 - relevance.min(1.0)) * (1.0 - share);
    }
    found.extend(recipes.into_iter().map(Found::new));
    found.extend(sections);
    // The sort is stable: of equal results, the order of the searches is kept.
    found.shared_sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    found
}

fn relevance(parts: &ScoreParts) -> f64 {
    // What the sections found call is added to the evidence of its own.
    let ScoreParts { words, similarity, exact, kind, prior, member, reliability, documents: _, repetition: _ } = parts;
    (1.0 - (-(words + similarity + exact + kind + member + SHARE_OF_PRIOR * prior)).exp()) * reliability
}

/// True for a public symbol of the library: users of the library call it, and not what tests and examples define.
pub(super) fn is_of_api(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    definition.is_public && index.files.get(definition.place.file.index()).is_none_or(File::is_library)
}

/// The factor for the visibility of a symbol: whether users can import it.
fn visibility_factor(index: &Index, id: DefinitionId) -> f64 {
    let definition = index.definition(id);
    if !is_of_api(index, id) {
        FACTOR_OF_A_PRIVATE_SYMBOL
    } else if !index.is_importable(definition) {
        FACTOR_OF_AN_INNER_SYMBOL
    } else {
        1.0
    }
}

/// The factor for callable symbols: most questions ask for a symbol to call.
fn callable_factor(definition: &Definition) -> f64 {
    if definition.kind.is_callable() { 1.0 } else { FACTOR_OF_A_TYPE }
}
