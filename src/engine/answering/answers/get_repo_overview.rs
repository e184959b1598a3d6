//! `get_repo_overview`: what a reader of a repository, package or module should see first, with its counts and ledger.

use std::cmp::Reverse;

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{
    Answer, AnswerError, Context, GetRepoOverview, SymbolHit, fit::fit, overview_text, ranking::RankedSymbol,
    request::budget,
};
use crate::overview::{self, Concept, EntryPoint, Quotation};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, ModuleId};
use apidisc_indexing::index::{Index, Scope};
use apidisc_tokens::Tokenizer;

/// The greatest number of modules and of symbols.
const MAX_ROWS: usize = 40;

/// A module of an overview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModuleRow {
    /// The FQN.
    pub fqn: String,
    /// The number of calls of the definitions in the module and in the modules below it.
    pub calls: u32,
    /// The number of reads of these definitions.
    pub reads: u32,
}

/// A source of an overview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceRow {
    /// The path, or the URL without secrets.
    pub url: String,
    /// The commit, if known.
    pub commit: Option<String>,
}

/// The number of files of a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LanguageRow {
    /// The language.
    pub language: &'static str,
    /// The number of its files.
    pub files: usize,
}

/// The answer of [`get_repo_overview`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RepoOverview {
    /// The module or package; `None` for the whole repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The sources.
    pub sources: Vec<SourceRow>,
    /// The languages, most files first.
    pub languages: Vec<LanguageRow>,
    /// The number of files.
    pub files: u32,
    /// The number of modules.
    pub modules: u32,
    /// The number of definitions.
    pub definitions: u32,
    /// The first paragraphs of the README, or of the module's documentation.
    pub summary: Option<QuotedRow>,
    /// The first example.
    pub example: Option<QuotedRow>,
    /// What a program starts from.
    pub entry_points: Vec<EntryRow>,
    /// The definitions that uses cluster around, most used first; at most 10.
    pub concepts: Vec<ConceptRow>,
    /// The modules of the library, most used first; at most 40.
    pub top_modules: Vec<ModuleRow>,
    /// The public symbols, most used first; at most 40.
    pub symbols: Vec<SymbolHit>,
    /// The deprecated public symbols, most used first; at most 20.
    pub deprecated: Vec<DeprecatedRow>,
    /// The number of all deprecated public symbols.
    pub deprecated_count: usize,
    /// The newest entry of the list of changes.
    pub changes: Option<QuotedRow>,
    /// The number of resolved calls.
    pub resolved_calls: u32,
    /// The number of calls that are or may be calls of definitions of the sources: see
    /// [`apidisc_indexing::usage::Ledger::internal`].
    pub internal_calls: u32,
    /// The number of calls of definitions outside the sources.
    pub external_calls: u32,
    /// The files that were not read in full, with their lines where they are known; at most 40.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemRow>,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuotedRow {
    /// The path, of an example with its line; `None` for code that is made from a signature.
    pub place: Option<String>,
    /// The lines or paragraphs.
    pub lines: Vec<String>,
}

/// A definition that a program starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryRow {
    /// The shortest public name; of a route its method and path.
    pub name: String,
    /// Why a program starts there, in words.
    pub why: String,
}

/// A definition that uses cluster around.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConceptRow {
    /// The definition.
    #[serde(flatten)]
    pub symbol: SymbolHit,
    /// The uses of the definition and its members.
    pub uses: u32,
    /// What makes it.
    pub made_by: Vec<String>,
    /// What takes it as an argument.
    pub passed_to: Vec<String>,
    /// The number of its subclasses and implementations.
    pub subclasses: usize,
}

/// A deprecated symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeprecatedRow {
    /// The shortest public name.
    pub name: String,
    /// What the deprecation says; may be empty.
    pub message: String,
}

/// A file of an overview that was not read in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProblemRow {
    /// The path from the source's root.
    pub path: String,
    /// The part of the file that was not read, with its lines.
    pub message: String,
}

/// The overview of a repository, a package or a module, with its counts and its ledger.
///
/// # Errors
/// [`AnswerError`] for a budget out of range or too small, and for an unknown module.
pub fn get_repo_overview(
    context: &Context<'_>,
    request: &GetRepoOverview,
) -> Result<Answer<RepoOverview>, AnswerError> {
    let max_tokens = budget(request.max_tokens)?;
    let module = request.module.as_deref().map(str::trim).filter(|module| !module.is_empty());
    let scope = context.symbols.index().scope(module, None)?;
    let mut overview = overview(context, scope);
    let most = overview.top_modules.len().max(overview.symbols.len()).max(overview_text::ALL);
    let tokenizer = Tokenizer::load(context.encoding);
    let fitted = fit(&tokenizer, max_tokens, most, |rows| overview_text::text(&overview, rows))?;
    overview.top_modules.truncate(fitted.parts);
    overview.symbols.truncate(fitted.parts);
    Ok(Answer { text: fitted.text, tokens: fitted.tokens, data: overview, delivered: Vec::new() })
}

fn overview(context: &Context<'_>, scope: Scope) -> RepoOverview {
    let table = context.symbols;
    let index: &Index = table.index();
    let sizes = index.sizes();
    let overview = overview::overview(index, scope, table.types(), context.read);
    let hit = |id| SymbolHit::new(table, RankedSymbol { id, score: 1.0 });
    let name = |id: &DefinitionId| table.name_of(*id).to_string();
    let concept = |concept: Concept| ConceptRow {
        symbol: hit(concept.id),
        uses: concept.uses,
        made_by: concept.made_by.iter().map(name).collect(),
        passed_to: concept.passed_to.iter().map(name).collect(),
        subclasses: concept.subclasses,
    };
    let quoted = |text: Quotation| QuotedRow { place: Some(text.path), lines: text.lines };
    let deprecated = |id: &DefinitionId| DeprecatedRow {
        name: name(id),
        message: index.definition(*id).deprecation().unwrap_or_default().to_owned(),
    };
    let source = |source: &apidisc_facts::source::SourceMeta| SourceRow {
        url: source.url.clone(),
        commit: source.commit.clone(),
    };
    let problem = |problem: &apidisc_base::diagnostic::Diagnostic| ProblemRow {
        path: problem.path.to_string(),
        message: problem.message.clone(),
    };
    RepoOverview {
        module: match scope {
            Scope::Module(id) => Some(index.module(id).fqn.to_string()),
            _ => None,
        },
        sources: index.sources.iter().map(source).collect(),
        languages: languages(index),
        files: sizes.files,
        modules: sizes.modules,
        definitions: sizes.definitions,
        summary: overview.summary.map(quoted),
        example: overview.example.map(|example| QuotedRow { place: example.place, lines: example.lines }),
        entry_points: overview.entry_points.iter().map(|entry| entry_row(context, index, entry)).collect(),
        concepts: overview.concepts.into_iter().map(concept).collect(),
        top_modules: top_modules(index, scope),
        symbols: index.members(scope).into_iter().take(MAX_ROWS).map(hit).collect(),
        deprecated: overview.deprecated.iter().map(deprecated).collect(),
        deprecated_count: overview.deprecated_count,
        changes: overview.changes.map(quoted),
        resolved_calls: index.ledger.resolved,
        internal_calls: index.ledger.internal(),
        external_calls: index.ledger.external,
        problems: index.diagnostics.iter().take(MAX_ROWS).map(problem).collect(),
    }
}

fn entry_row(context: &Context<'_>, index: &Index, entry: &EntryPoint) -> EntryRow {
    let name = entry.id.map(|id| context.symbols.name_of(id).to_string());
    let own = || name.clone().unwrap_or_default();
    match entry.name(index) {
        None => EntryRow { name: own(), why: entry.why(index) },
        Some(started) => EntryRow { name: started, why: name.unwrap_or_else(|| entry.why(index)) },
    }
}

fn languages(index: &Index) -> Vec<LanguageRow> {
    let mut seen = FxHashSet::default();
    let mut languages: Vec<LanguageRow> =
        Language::ALL.iter().map(|language| LanguageRow { language: language.name(), files: 0 }).collect();
    for file in index.files.iter().filter(|file| !file.is_document() && seen.insert(&file.path)) {
        languages.iter_mut().filter(|row| row.language == file.language.name()).for_each(|row| row.files += 1);
    }
    languages.retain(|row| row.files > 0);
    languages.shared_sort_by_key(|row| Reverse(row.files));
    languages
}

/// The modules of the library in a scope that define or export something, most used first.
fn top_modules(index: &Index, scope: Scope) -> Vec<ModuleRow> {
    let is_library = |id: &ModuleId| {
        let module = index.module(*id);
        module.file.is_some_and(|file| index.file(file).is_library())
            && !(module.exports.is_empty() && module.definitions.is_empty())
            && overview::is_below(index, scope, *id)
            && scope != Scope::Module(*id)
    };
    let mut ids: Vec<ModuleId> = (0..index.modules.len()).map(ModuleId::new).filter(is_library).collect();
    ids.shared_sort_by_key(|id| (Reverse(index.module(*id).uses()), *id));
    let row = |id: ModuleId| {
        let module = index.module(id);
        ModuleRow { fqn: module.fqn.to_string(), calls: module.total_calls, reads: module.total_reads }
    };
    ids.into_iter().take(MAX_ROWS).map(row).collect()
}
