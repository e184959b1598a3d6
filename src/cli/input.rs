//! The input of a command, and its conversion to an index.

use std::{
    collections::BTreeMap,
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
};

use anyhow::{Context as _, anyhow, bail};

use super::{note, progress::ProgressLine};
use crate::{
    cache::{self, Cache, SourceCache},
    clones::{BranchRefresh, Clones, Fetching, Observer, Report, Runs},
    demo,
    facts::FactsFolder,
    upgrades::OtherVersion,
};
use apidisc::{
    Fetch, IndexerConfig, check_branch,
    control::Control,
    diagnostic::{Diagnostic, LimitCounts, Problem},
    facts::Folded,
    files,
    index::{Index, metadata},
    indexer::Builder,
    source::{AllowedFiles, Commit, INSTALLED_ROOTS, Source, SourceMeta},
    unprintable::shell_word,
    usage::Weights,
};

/// The message for a folder without a file of a known language.
pub(super) const NOTHING_FOUND: &str = "no Python, TypeScript or JavaScript files were found; name another folder";

/// The input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A folder of source code.
    Folder(PathBuf),
    /// A repository as a commit, tag or branch has it.
    Revision(PathBuf, String),
    /// The sources that a file lists, and when remote ones are looked up.
    Config(PathBuf, BranchRefresh),
    /// The bundled demo project.
    Demo,
    /// An index file that `index` wrote.
    IndexFile(PathBuf),
    /// A folder that `facts` wrote.
    Facts(PathBuf),
}

/// The content of an input: sources or an index.
#[derive(Debug)]
pub enum InputContent {
    /// Sources that are still to be indexed, and the weights that their list sets.
    Source(Source, Weights),
    /// An index that was read from a file, or folded from facts.
    Index(Box<Index>),
}

impl Input {
    /// The path that names the input; `None` for the demo.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Folder(path)
            | Self::Revision(path, _)
            | Self::Config(path, _)
            | Self::IndexFile(path)
            | Self::Facts(path) => Some(path),
            Self::Demo => None,
        }
    }

    /// The files of secrets that the user allows to be shown to a model.
    pub fn allowed_files(&self, named: &[String]) -> AllowedFiles {
        AllowedFiles::below(self.path().unwrap_or(Path::new(".")), named)
    }

    /// Checks that the user did not swap the text and the folder on the command line.
    ///
    /// # Errors
    /// If the text names a folder, and the folder of the input does not exist.
    pub(super) fn check_order(&self, text: &str) -> anyhow::Result<()> {
        match self {
            Self::Folder(path) if !path.exists() && Path::new(text).is_dir() => {
                let path = path.display();
                bail!("{path} does not exist, but {text} is a folder; write the folder behind the text")
            }
            _ => Ok(()),
        }
    }

    /// Indexes or reads the input, with progress on standard error if that is a terminal.
    pub(super) fn load(&self, cache: Option<&Cache>) -> anyhow::Result<Index> {
        self.load_with_source(cache).map(|(index, _)| index)
    }

    /// [`Self::load_with_source`]. In the meantime `beside` reads other data of the source on another thread.
    pub(super) fn load_beside<T: Send>(
        &self,
        cache: Option<&Cache>,
        beside: impl FnOnce(Option<&Source>) -> T + Send,
    ) -> anyhow::Result<(Index, Option<Source>, T)> {
        match self.content()? {
            InputContent::Source(source, weights) => {
                let (index, beside) = thread::scope(|scope| {
                    let beside = scope.spawn(|| beside(Some(&source)));
                    (build(&source, cache), beside.join().unwrap_or_else(|panic| resume_unwind(panic)))
                });
                Ok((weighted(index?, weights)?, Some(source), beside))
            }
            InputContent::Index(index) => Ok((*index, None, beside(None))),
        }
    }

    /// [`Self::load`], and the source that was indexed; `None` for an index file and for a folder of facts.
    pub(super) fn load_with_source(&self, cache: Option<&Cache>) -> anyhow::Result<(Index, Option<Source>)> {
        match self.content()? {
            InputContent::Source(source, weights) => {
                let index = build(&source, cache)?;
                Ok((weighted(index, weights)?, Some(source)))
            }
            InputContent::Index(index) => Ok((*index, None)),
        }
    }

    /// The other version of a package at a path or URL. Git runs with progress on standard error if that is a terminal.
    pub(super) fn other_version(&self, place: &str) -> anyhow::Result<OtherVersion> {
        let refresh = if let Self::Config(_, refresh) = self { *refresh } else { BranchRefresh::default() };
        let clones = Clones::of_user(refresh);
        with_reports(|observe| OtherVersion::find(place, clones.as_ref(), observe)).map_err(|why| anyhow!(why))
    }

    /// The list of sources, if a file lists them.
    pub(super) fn config(&self) -> anyhow::Result<Option<IndexerConfig>> {
        let Self::Config(path, _) = self else { return Ok(None) };
        IndexerConfig::read(path).map(Some).with_context(|| path.display().to_string())
    }

    /// The source to index with the weights of its parts, or the index from a file. A list of sources is read once.
    pub fn content(&self) -> anyhow::Result<InputContent> {
        let alone = |source| InputContent::Source(source, Weights::default());
        Ok(match self {
            Self::Folder(path) => alone(Source::Folder(path.clone())),
            Self::Revision(path, revision) => {
                let name = path.display().to_string();
                check_branch(revision)?;
                let commit = Commit::open(path, &name, revision).map_err(|why| anyhow!("{name}: {why}"))?;
                alone(Source::Commit(commit))
            }
            Self::Config(path, refresh) => {
                let config = IndexerConfig::read(path).with_context(|| path.display().to_string())?;
                let weights = config.weights()?;
                InputContent::Source(config.source(&|wanted| fetch(wanted, *refresh))?, weights)
            }
            Self::Demo => alone(demo::source()),
            Self::IndexFile(path) => InputContent::Index(Box::new(read(path)?)),
            Self::Facts(path) => InputContent::Index(Box::new(fold(path)?)),
        })
    }

    /// The sources to index that have to be fetched first, with the weights of all sources; `None` if there are none to
    /// fetch. Nothing is fetched yet.
    pub fn fetching(&self) -> anyhow::Result<Option<(Fetching, Weights)>> {
        let Some(config) = self.config()? else { return Ok(None) };
        let Self::Config(_, refresh) = *self else { return Ok(None) };
        let meanwhile =
            config.source(&|wanted| wanted.iter().map(|_| Err("it is being cloned".to_owned())).collect())?;
        let of_examples = meanwhile.examples().iter().map(|examples| &examples.source.source);
        let missing = meanwhile.parts().map(|(_, part)| part).chain(of_examples).filter_map(|part| match part {
            Source::Missing { url, .. } => Some(url.clone()),
            _ => None,
        });
        let urls: Vec<String> = missing.collect();
        let weights = config.weights()?;
        let runs = Arc::new(Runs::default());
        let of_fetch = Arc::clone(&runs);
        let fetch = move |observe: Observer<'_>| {
            let fetch = |wanted: &[Fetch]| fetch_observed(wanted, refresh, Some(&of_fetch), observe);
            config.source(&fetch).map_err(|why| why.to_string())
        };
        let is_any = !urls.is_empty();
        Ok(is_any.then(|| (Fetching { urls, meanwhile, fetch: Arc::new(fetch), runs }, weights)))
    }

    /// True if the index has no files. Always false for an index file or a partition, which may lack the list of files.
    pub(super) fn is_empty(&self, index: &Index) -> bool {
        index.files.is_empty() && !matches!(self, Self::IndexFile(_) | Self::Facts(_))
    }

    /// Reports on standard error that no file was found, and the problems of [`report_problems`].
    ///
    /// # Errors
    /// If one of several sources is missing.
    pub(super) fn report(&self, index: &Index, verbose: bool) -> anyhow::Result<()> {
        if self.is_empty(index) {
            note(NOTHING_FOUND);
        }
        report_problems(index, verbose)
    }

    /// The title on the screen.
    pub fn title(&self) -> String {
        match self {
            Self::Folder(path) if path.file_name().is_none() => {
                // The folder's own name is the title, also for `.` and `..`.
                let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
                let name = whole.file_name().unwrap_or(whole.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Self::Folder(path) | Self::Config(path, _) | Self::IndexFile(path) | Self::Facts(path) => {
                path.display().to_string()
            }
            Self::Revision(path, revision) => format!("{} at {revision}", path.display()),
            Self::Demo => "demo".to_owned(),
        }
    }

    /// The argument that names the input on a command line.
    pub fn argument(&self) -> String {
        match self {
            Self::Folder(path) => quoted(path),
            Self::Demo => "--demo".to_owned(),
            Self::Revision(path, revision) => format!("{} --rev {}", quoted(path), shell_word(revision)),
            Self::Config(path, _) => format!("--config {}", quoted(path)),
            Self::IndexFile(path) => format!("--index {}", quoted(path)),
            Self::Facts(path) => format!("--facts {}", quoted(path)),
        }
    }
}

/// Reports files that could not be read in full on standard error: a summary, or a line per problem if `verbose`.
///
/// # Errors
/// If one of several sources is missing.
pub(super) fn report_problems(index: &Index, verbose: bool) -> anyhow::Result<()> {
    if verbose {
        for diagnostic in &index.diagnostics {
            note(&diagnostic.to_string());
        }
    } else if let Some(summary) = summary(&index.diagnostics) {
        note(&summary);
    }
    if index.diagnostics.is_empty()
        && let Some(summary) = summary_of_limits(&index.limits())
    {
        note(&summary);
    }
    let missing: Vec<String> = index.missing_sources().map(ToString::to_string).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let is_given = |source: &&SourceMeta| !INSTALLED_ROOTS.contains(&source.name.as_str());
    let (count, all) = (missing.len(), index.sources.iter().filter(is_given).count());
    bail!("{count} of {all} sources left out: {}", missing.join("; "))
}

/// Fetches sources, and passes each report to `observe`. The runs of git are listed in `runs`, where they can be
/// stopped.
fn fetch_observed(
    wanted: &[Fetch],
    refresh: BranchRefresh,
    runs: Option<&Arc<Runs>>,
    observe: Observer<'_>,
) -> Vec<Result<Source, String>> {
    let Some(clones) = Clones::of_user(refresh) else {
        let homeless = || Err("there is no home folder to keep a clone in; set HOME".to_owned());
        return wanted.iter().map(|_| homeless()).collect();
    };
    let clones = runs.map_or(clones.clone(), |runs| clones.with_runs(Arc::clone(runs)));
    clones.fetch(wanted, observe)
}

/// Fetches sources, with progress on standard error if that is a terminal.
fn fetch(wanted: &[Fetch], refresh: BranchRefresh) -> Vec<Result<Source, String>> {
    with_reports(|observe| fetch_observed(wanted, refresh, None, observe))
}

/// Calls `fetch` with an observer that shows the reports of git on standard error if that is a terminal.
fn with_reports<T>(fetch: impl FnOnce(Observer<'_>) -> T) -> T {
    let line = Mutex::new(ProgressLine::new());
    fetch(&|url, report| {
        let Ok(mut line) = line.lock() else { return };
        match report {
            Report::Progress(text) => line.show_text(&format!("{url}: {text}")),
            Report::Note(text) => {
                line.erase();
                note(&format!("{url}: {text}"));
            }
            Report::Done => line.erase(),
        }
    })
}

/// A path as a word of a shell.
fn quoted(path: &Path) -> String {
    shell_word(&path.display().to_string()).into_owned()
}

/// Indexes a source, with progress on standard error if that is a terminal. Facts come from `cache`, and go there.
pub fn build(source: &Source, cache: Option<&Cache>) -> anyhow::Result<Index> {
    build_with(Builder::new(source.clone()), cache.and_then(|cache| cache.open(source))).map(|(_, index)| index)
}

/// Indexes a source with a builder for it, with progress on standard error if that is a terminal. Facts come from
/// `kept`, and go there.
pub(super) fn build_with(mut builder: Builder, kept: Option<SourceCache>) -> anyhow::Result<(Builder, Index)> {
    builder.set_last();
    let mut line = ProgressLine::new();
    let built = cache::build(&mut builder, kept, &mut |progress| {
        line.show(&progress);
        Control::Continue
    });
    line.erase();
    let Some(index) = built? else { bail!("indexing was cancelled; run it again") };
    Ok((builder, index))
}

/// The index with its calls counted by weights.
pub(super) fn weighted(index: Index, weights: Weights) -> anyhow::Result<Index> {
    Ok(if weights.are_default() { index } else { index.weighted(weights)? })
}

/// The index in a file.
pub(super) fn read(path: &Path) -> anyhow::Result<Index> {
    let name = path.display();
    let text = files::read_text(path, metadata::MAX_BYTES)
        .map_err(|error| anyhow!("cannot read {name}: {error}; name a file that `apidisc-tui index` wrote"))?;
    metadata::read(&text).with_context(|| name.to_string())
}

/// Folds all facts in a folder into an index.
fn fold(path: &Path) -> anyhow::Result<Index> {
    let Folded { index, lost } = FactsFolder::new(path).fold()?;
    if lost > 0 {
        note(&format!(
            "{lost} uses are not counted: they are of definitions that another commit of their source had; make the \
             facts of all sources anew"
        ));
    }
    Ok(index)
}

fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let mut counts = BTreeMap::<Problem, usize>::new();
    for diagnostic in diagnostics {
        *counts.entry(diagnostic.problem).or_default() += 1;
    }
    let kinds: Vec<String> = counts.iter().map(|(problem, count)| format!("{count} {}", problem.phrase())).collect();
    let problems = if diagnostics.len() == 1 { "problem" } else { "problems" };
    (!kinds.is_empty())
        .then(|| format!("{} {problems} while reading: {}; -v names them", diagnostics.len(), kinds.join(", ")))
}

/// The limits that were exceeded when an index file was written.
fn summary_of_limits(limits: &LimitCounts) -> Option<String> {
    let kinds: Vec<String> =
        limits.exceeded().map(|(problem, count)| format!("{count} {}", problem.phrase())).collect();
    (!kinds.is_empty()).then(|| format!("limits were exceeded when the index was written: {}", kinds.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_if_a_shell_would_split_them() {
        assert_eq!(Input::Folder("src/my-lib_2".into()).argument(), "src/my-lib_2");
        assert_eq!(Input::IndexFile("it's here".into()).argument(), r"--index 'it'\''s here'");
    }

    #[test]
    fn problems_are_summed_up_by_kind() {
        let diagnostic = |problem| Diagnostic { path: "a.py".into(), problem, message: String::new() };
        assert_eq!(summary(&[]), None);
        assert_eq!(
            summary(&[Problem::Syntax, Problem::Unreadable, Problem::Syntax].map(diagnostic)).as_deref(),
            Some("3 problems while reading: 1 unreadable, 2 with syntax errors; -v names them")
        );
    }
}
