//! `get_repo_overview`.

use serde::Serialize;

use super::{Answer, AnswerError, Context, GetRepoOverview};

/// Answers.
///
/// # Errors
/// [`AnswerError`].
pub fn get_repo_overview(
    context: &Context<'_>,
    request: &GetRepoOverview,
) -> Result<Answer<RepoOverview>, AnswerError> {
    let _ = (context, request);
    todo!()
}

/// A module of an overview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModuleRow {
    /// The FQN.
    pub fqn: String,
    /// Calls of its definitions, with those of the modules below.
    pub calls: u32,
    /// Reads.
    pub reads: u32,
    /// The number of public symbols.
    pub symbols: usize,
}

/// A source of an overview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceRow {
    /// The path or URL without secrets.
    pub url: String,
    /// The commit, if known.
    pub commit: Option<String>,
}

/// The answer of [`get_repo_overview`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RepoOverview {
    /// The sources.
    pub sources: Vec<SourceRow>,
    /// The number of files of each language.
    pub languages: Vec<(&'static str, usize)>,
    /// The numbers of files, modules and definitions.
    pub files: u32,
    /// The number of modules.
    pub modules: u32,
    /// The number of definitions.
    pub definitions: u32,
    /// Modules by use.
    pub top_modules: Vec<ModuleRow>,
    /// The most used public symbols.
    pub entry_points: Vec<super::SymbolHit>,
    /// Calls that are resolved.
    pub resolved_calls: u32,
    /// Calls of the sources' definitions, resolved or not.
    pub internal_calls: u32,
    /// Calls of definitions outside the sources.
    pub external_calls: u32,
}
