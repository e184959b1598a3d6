//! `check-index`: tells whether an index is stale, and which files have changed since it was made.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use anyhow::{Context as _, anyhow, bail};

use super::{Input, WriteIndex, input, output, terminal_text};
use crate::{
    cache::Cache,
    live::{self, Freshness, IndexedContents},
};
use apidisc::{index::Index, source::Source};
use apidisc_agents::research::CheckFreshness;

/// Prints whether an index is stale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckIndex {
    /// The index file to check; `None` for the index that the cache keeps of `source`.
    pub file: Option<PathBuf>,
    /// The sources of the index; `None` if the file names them.
    pub source: Option<Input>,
    /// The cache, which has the content hashes of each source at its last indexing.
    pub cache: Option<Cache>,
    /// The age from which an index is stale.
    pub max_age: Duration,
    /// Make a stale index anew.
    pub auto_refresh: bool,
    /// Print JSON instead of lines for people.
    pub json: bool,
}

/// The check of an index that was just made, for the tools of an agent. It is never made anew: an agent's answers come
/// from one index.
pub(super) fn of_answers(source: Source, index: &Index) -> Arc<CheckFreshness> {
    let indexed = IndexedContents { contents: Arc::clone(&index.contents), time: SystemTime::now() };
    Arc::new(move |max_age, _| {
        let freshness = live::check_index(&source, Some(&indexed), Duration::from_secs(max_age));
        serde_json::to_value(freshness.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
    })
}

impl CheckIndex {
    /// Compares, makes the index anew if that is wanted, and prints.
    pub fn run(&self) -> anyhow::Result<()> {
        let freshness = match (&self.file, &self.source) {
            (Some(file), source) => self.check_file(file, source.as_ref())?,
            (None, Some(source)) => self.check_source(source)?,
            (None, None) => bail!("no index is named; name a folder or a file that `apidisc-tui index` wrote"),
        };
        let text =
            if self.json { serde_json::to_string(&freshness)? + "\n" } else { describe(&freshness, self.max_age) };
        output::write(None, |out| out.write_all(text.as_bytes()))
    }

    /// Checks the index that the cache keeps of a source.
    fn check_source(&self, input: &Input) -> anyhow::Result<Freshness> {
        let source = source(input)?;
        let cache = self.cache.as_ref().context(
            "no index is kept, since there is no cache; name a file that `apidisc-tui index` wrote, or turn the cache on",
        )?;
        let indexed = cache.last_index(&source);
        let indexed = indexed.map(|(contents, time)| IndexedContents { contents: Arc::new(contents), time });
        let mut freshness = live::check_index(&source, indexed.as_ref(), self.max_age)?;
        if freshness.is_stale && self.auto_refresh {
            input::build(&source, Some(cache))?;
            freshness.refreshed = true;
        }
        Ok(freshness)
    }

    /// Checks an index file. It is made anew with the threshold that it has.
    fn check_file(&self, path: &Path, input: Option<&Input>) -> anyhow::Result<Freshness> {
        let name = path.display();
        let index = input::read(path)?;
        let time = fs::metadata(path).and_then(|found| found.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        if index.contents.files().is_empty() {
            bail!("{name} does not say what it was made from; write it anew with `apidisc-tui index PATH -o FILE`");
        }
        let input = input.cloned().map_or_else(|| root_of(path, &index).map(Input::Folder), Ok)?;
        let indexed = IndexedContents { contents: Arc::clone(&index.contents), time };
        let mut freshness = live::check_index(&source(&input)?, Some(&indexed), self.max_age)?;
        if freshness.is_stale && self.auto_refresh {
            let (cache, output) = (self.cache.clone(), Some(path.to_owned()));
            let min_usage_threshold = index.written_threshold;
            WriteIndex { input, cache, output, min_usage_threshold, verbose: false }.run()?;
            freshness.refreshed = true;
        }
        Ok(freshness)
    }
}

/// The source of an input.
fn source(input: &Input) -> anyhow::Result<Source> {
    match input.content()? {
        input::InputContent::Source(source, _) => Ok(source),
        input::InputContent::Index(_) => bail!("a file of counts is no source; name a folder"),
    }
}

/// The folder that an index file was made from. The file names the folder relative to the current folder or to its own
/// folder; the root is the first of both that contains a file of the index.
fn root_of(path: &Path, index: &Index) -> anyhow::Result<PathBuf> {
    let name = path.display();
    let [source] = &index.sources[..] else {
        bail!("{name} was made from {} sources; name their list with --config FILE", index.sources.len())
    };
    let is_root = |root: &PathBuf| {
        let mut files = index.contents.files().iter();
        root.is_file() || files.any(|(file, _)| root.join(file.as_str()).exists())
    };
    let places = [PathBuf::from(&source.url), path.parent().unwrap_or(Path::new("")).join(&source.url)];
    places.into_iter().find(is_root).ok_or_else(|| {
        let url = &source.url;
        anyhow!("{name} was made from {url}, of whose files there is none here; go to the folder where `index` ran")
    })
}

/// The answer in lines for people.
fn describe(freshness: &Freshness, max_age: Duration) -> String {
    let Freshness { is_stale, age_seconds, modified_files, added_files, removed_files, refreshed } = freshness;
    let age = age_seconds.map_or_else(|| "there is no index".to_owned(), |age| format!("the index is {age} s old"));
    let is_old = age_seconds.is_some_and(|age| age > max_age.as_secs());
    let limit = if is_old { format!(", more than {} s", max_age.as_secs()) } else { String::new() };
    let word = if *is_stale { "stale" } else { "fresh" };
    let counts = [(modified_files, "modified"), (added_files, "added"), (removed_files, "removed")];
    let [modified, added, removed] = counts.map(|(files, _)| files.len());
    let s = if modified == 1 { "" } else { "s" };
    let mut text = format!("{word}: {modified} file{s} modified, {added} added, {removed} removed; {age}{limit}\n");
    for (files, what) in counts {
        for path in files {
            let _ = writeln!(text, "{what:<9} {}", terminal_text::line(path));
        }
    }
    if *refreshed {
        text += "the index was made anew\n";
    }
    text
}
