//! `get_repo_overview`: the modules, entry points, languages, counts and ledger of a repository.

use std::{cmp::Reverse, fmt::Write as _};

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{
    Answer, AnswerError, Context, GetRepoOverview, SymbolHit, fit::fit, ranking::RankedSymbol, request::budget,
};
use apidisc_base::{language::Language, sort::SharedSort as _, unprintable::escaped_line};
use apidisc_facts::program::ModuleId;
use apidisc_indexing::{
    index::{Index, Scope},
    usage::Uses,
};
use apidisc_stubs::stub::uses_in_words;
use apidisc_tokens::Tokenizer;

/// The greatest number of modules and of entry points.
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
    /// The modules of the library, most used first; at most 40.
    pub top_modules: Vec<ModuleRow>,
    /// The public symbols, most used first; at most 40.
    pub entry_points: Vec<SymbolHit>,
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

/// A file of an overview that was not read in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProblemRow {
    /// The path from the source's root.
    pub path: String,
    /// The part of the file that was not read, with its lines.
    pub message: String,
}

/// The modules and entry points of a repository by use, its languages, its counts and its ledger.
///
/// # Errors
/// [`AnswerError`] for a budget out of range or too small.
pub fn get_repo_overview(
    context: &Context<'_>,
    request: &GetRepoOverview,
) -> Result<Answer<RepoOverview>, AnswerError> {
    let max_tokens = budget(request.max_tokens)?;
    let index = context.symbols.index();
    let mut overview = overview(context, index);
    let most = overview.top_modules.len().max(overview.entry_points.len());
    let fitted = fit(&Tokenizer::load(context.encoding), max_tokens, most, |rows| text(&overview, rows))?;
    overview.top_modules.truncate(fitted.parts);
    overview.entry_points.truncate(fitted.parts);
    Ok(Answer { text: fitted.text, tokens: fitted.tokens, data: overview, delivered: Vec::new() })
}

fn overview(context: &Context<'_>, index: &Index) -> RepoOverview {
    let sizes = index.sizes();
    let mut seen = FxHashSet::default();
    let mut languages: Vec<LanguageRow> =
        Language::ALL.iter().map(|language| LanguageRow { language: language.name(), files: 0 }).collect();
    for file in index.files.iter().filter(|file| !file.is_document() && seen.insert(&file.path)) {
        languages.iter_mut().filter(|row| row.language == file.language.name()).for_each(|row| row.files += 1);
    }
    languages.retain(|row| row.files > 0);
    languages.shared_sort_by_key(|row| Reverse(row.files));
    let entry_points = index.members(Scope::Repository).into_iter().take(MAX_ROWS);
    let source = |source: &apidisc_facts::source::SourceMeta| SourceRow {
        url: source.url.clone(),
        commit: source.commit.clone(),
    };
    RepoOverview {
        sources: index.sources.iter().map(source).collect(),
        languages,
        files: sizes.files,
        modules: sizes.modules,
        definitions: sizes.definitions,
        top_modules: top_modules(index),
        entry_points: entry_points.map(|id| SymbolHit::new(context.symbols, RankedSymbol { id, score: 1.0 })).collect(),
        resolved_calls: index.ledger.resolved,
        internal_calls: index.ledger.internal(),
        external_calls: index.ledger.external,
        problems: index
            .diagnostics
            .iter()
            .take(MAX_ROWS)
            .map(|problem| ProblemRow { path: problem.path.to_string(), message: problem.message.clone() })
            .collect(),
    }
}

/// The modules of the library that define or export something, most used first.
fn top_modules(index: &Index) -> Vec<ModuleRow> {
    let is_library = |id: &ModuleId| {
        let module = index.module(*id);
        module.file.is_some_and(|file| index.file(file).is_library())
            && !(module.exports.is_empty() && module.definitions.is_empty())
    };
    let mut ids: Vec<ModuleId> = (0..index.modules.len()).map(ModuleId::new).filter(is_library).collect();
    ids.shared_sort_by_key(|id| (Reverse(index.module(*id).uses()), *id));
    let row = |id: ModuleId| {
        let module = index.module(id);
        ModuleRow { fqn: module.fqn.to_string(), calls: module.total_calls, reads: module.total_reads }
    };
    ids.into_iter().take(MAX_ROWS).map(row).collect()
}

fn text(overview: &RepoOverview, rows: usize) -> String {
    let urls: Vec<_> = overview.sources.iter().map(|source| escaped_line(&source.url)).collect();
    let languages: Vec<String> =
        overview.languages.iter().map(|row| format!("{} {} files", row.files, row.language)).collect();
    let RepoOverview { files, modules, definitions, resolved_calls, internal_calls, external_calls, .. } = overview;
    let mut text = format!(
        "{}: {files} files ({}), {modules} modules, {definitions} definitions\n\
         Calls: {resolved_calls} of {internal_calls} resolved, {external_calls} to other libraries\n",
        urls.join(", "),
        languages.join(", "),
    );
    let shown = rows.min(overview.top_modules.len());
    if shown > 0 {
        text += "Modules, most used first:\n";
    }
    for module in &overview.top_modules[..shown] {
        let uses = Uses { calls: module.calls, reads: module.reads };
        let _ = writeln!(text, "{} {}", escaped_line(&module.fqn), uses_in_words(uses));
    }
    let shown = rows.min(overview.entry_points.len());
    if shown > 0 {
        text += "Symbols, most used first:\n";
    }
    for symbol in &overview.entry_points[..shown] {
        text += &symbol.line();
        text.push('\n');
    }
    text
}
