//! Entries of a corpus as results.

use super::{
    Corpus, DiscoverResult, ResultType, corpus::public_name, description::described, entries::CorpusEntry,
    ranking::Ranked, schema::input_schema, section_code::section_code, sections::Section, static_score::uses,
};
use crate::answers::{ReadSource, Related, symbol_hash};
use apidisc_base::unprintable::{escaped_line, escaped_text};
use apidisc_facts::program::{DefinitionId, FileId};

/// The greatest number of members of a class, or of symbols of a section, in a result.
const MAX_SYMBOLS: usize = 5;

/// The entry as a result, with its scores. `read` reads the code of recipes.
pub(super) fn result(corpus: &Corpus, read: &ReadSource<'_>, ranked: &Ranked, with_related: bool) -> DiscoverResult {
    let scored = DiscoverResult {
        kind: ResultType::Symbol,
        id: String::new(),
        name: String::new(),
        description: String::new(),
        score: rounded(ranked.score()),
        semantic_score: rounded(ranked.semantic),
        score_parts: ranked.parts.rounded(),
        symbol_kind: None,
        path: None,
        line: None,
        server_id: None,
        input_schema: None,
        code_snippet: None,
        is_deprecated: false,
        success_rate: None,
        usage_count: None,
        symbols: Vec::new(),
        related: Vec::new(),
        members: Vec::new(),
    };
    let found = match corpus.entry(ranked.entry) {
        CorpusEntry::Symbol(id) => Some(symbol(corpus, ranked, id, with_related, &scored)),
        CorpusEntry::Recipe(at) => recipe(corpus, read, at as usize, &scored),
        CorpusEntry::Section(at) => corpus.sections.get(at as usize).map(|found| section(corpus, read, found, &scored)),
    };
    found.unwrap_or(scored)
}

/// A symbol as a result. `scored` has its scores.
fn symbol(
    corpus: &Corpus,
    ranked: &Ranked,
    id: DefinitionId,
    with_related: bool,
    scored: &DiscoverResult,
) -> DiscoverResult {
    let index = corpus.index();
    let success_rate = success_rate(uses(index, id));
    let id = public_name(index, id);
    let definition = index.definition(id);
    // The result of a class lists the used members of the class; the result of a name lists every symbol with the name.
    let is_listed = |id: &DefinitionId| {
        let other = index.definition(*id);
        other.usage.uses() > 0 || other.name == definition.name
    };
    let public = |entries: &[u32]| -> Vec<DefinitionId> {
        let ids = entries.iter().filter_map(|entry| corpus.symbols().symbols().get(*entry as usize));
        ids.map(|id| public_name(index, *id)).filter(|id| index.definition(*id).is_public).collect()
    };
    let mut members = public(&ranked.members);
    let listed: Vec<DefinitionId> = members.iter().copied().filter(is_listed).take(MAX_SYMBOLS).collect();
    members.extend(public(&ranked.similar));
    DiscoverResult {
        id: symbol_hash(&definition.fqn),
        name: corpus.name(id),
        description: definition.summary.as_deref().map(described).unwrap_or_default(),
        symbol_kind: Some(definition.kind.word()),
        path: index.source_of(definition).map(|file| file.path.to_string()),
        line: Some(definition.place.line),
        server_id: source(corpus, definition.place.file),
        input_schema: input_schema(definition),
        code_snippet: definition.typical_call.as_deref().map(escaped_text),
        is_deprecated: definition.deprecation().is_some(),
        // A deprecation counts as uses that expect an error. Without a real use there is no share.
        success_rate: success_rate.filter(|_| definition.usage.uses() > 0),
        usage_count: Some(definition.usage.uses()),
        symbols: listed.into_iter().map(|id| corpus.name(id)).collect(),
        members,
        related: if with_related { Related::of(corpus.symbols(), id) } else { Vec::new() },
        ..scored.clone()
    }
}

/// A recipe as a result. `scored` has its scores.
fn recipe(corpus: &Corpus, read: &ReadSource<'_>, at: usize, scored: &DiscoverResult) -> Option<DiscoverResult> {
    let index = corpus.index();
    let recipe = corpus.recipes.get(index, at)?;
    let snippet = corpus.snippet(at, &recipe, read);
    let place = snippet.map(|snippet| &snippet.place).or(recipe.places.first());
    let call = place.and_then(|place| place.calls.first()).map(|id| index.call(*id));
    Some(DiscoverResult {
        kind: ResultType::Recipe,
        is_deprecated: recipe.is_deprecated,
        path: call.map(|call| index.file(call.file).path.to_string()),
        line: call.map(|call| call.line),
        server_id: call.and_then(|call| source(corpus, call.file)),
        code_snippet: snippet.map(|snippet| snippet.code.clone()),
        symbols: recipe.symbols.iter().map(|id| corpus.name(*id)).collect(),
        success_rate: success_rate((recipe.successes(), recipe.usage_count)),
        usage_count: Some(recipe.usage_count),
        id: recipe.id,
        name: recipe.name,
        description: recipe.description,
        ..scored.clone()
    })
}

/// The share of uses that expect no error; `None` without a use.
fn success_rate((successes, uses): (u32, u32)) -> Option<f64> {
    (uses > 0).then(|| rounded(f64::from(successes) / f64::from(uses)))
}

/// A section of a document as a result. `scored` has its scores.
fn section(corpus: &Corpus, read: &ReadSource<'_>, section: Section, scored: &DiscoverResult) -> DiscoverResult {
    let heading = section.around.last().map_or(String::new(), |around| format!("{around}: "));
    DiscoverResult {
        kind: ResultType::Doc,
        id: format!("{}:{}", section.path, section.line),
        name: escaped_line(&(heading + &section.heading)).into_owned(),
        line: Some(section.line),
        symbols: section.symbols.iter().take(MAX_SYMBOLS).map(|id| corpus.name(*id)).collect(),
        code_snippet: section_code(&section, read),
        description: section.text,
        path: Some(section.path),
        ..scored.clone()
    }
}

/// The name of the source of a file, if there are several sources.
fn source(corpus: &Corpus, file: FileId) -> Option<String> {
    let index = corpus.index();
    let source = index.sources.get(index.files.get(file.index())?.source as usize)?;
    Some(source.name.to_string()).filter(|name| !name.is_empty())
}

/// A score with three digits.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1_000.0).round() / 1_000.0
}
