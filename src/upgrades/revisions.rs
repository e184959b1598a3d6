//! Two revisions of a repository: what a change of its code does to the uses that the old revision had.

use std::path::{Path, PathBuf};

use compact_str::CompactString;

use super::IndexedProgram;
use crate::cache::Cache;
use apidisc::{
    breaks::{ApiChange, Edits, RevisionFiles, Version, api_changes, compare_revisions, report::Report},
    check_branch,
    control::Control,
    indexer::Progress,
    source::{Commit, LinkedSources, NamedSource, RevisedSource, Source, reread, walk},
};

/// Two revisions to compare, as a command line names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionRange {
    /// The old revision.
    old: Revision,
    /// The new one; `None` for the files as they are.
    new: Option<Revision>,
    /// True if the old revision is the commit at which the new one left `old`.
    is_from_merge_base: bool,
}

/// A commit, as a person names it: `main`, `v1.2`, `HEAD~2`, `4f1c09a`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Revision {
    /// A branch, a tag, `HEAD` or the first digits of a commit.
    name: String,
    /// The number of commits before it.
    steps: usize,
}

impl RevisionRange {
    /// Reads a range as git does: `A..B`, `A..` for `A..HEAD`, `A...B` for what `B` changed since it left `A`, and `A`
    /// for the revision `A` and the files as they are.
    pub fn parse(text: &str) -> Self {
        let is_from_merge_base = text.contains("...");
        match text.split_once(if is_from_merge_base { "..." } else { ".." }) {
            Some((old, new)) => {
                let named = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
                let new = Some(Revision::parse(&named(new)));
                Self { old: Revision::parse(&named(old)), new, is_from_merge_base }
            }
            None => Self { old: Revision::parse(text), new: None, is_from_merge_base },
        }
    }

    /// The revisions on one line.
    pub fn title(&self) -> String {
        let new = self.new_title().unwrap_or_else(|| "the files as they are".to_owned());
        format!("{} → {new}", self.old_title())
    }

    /// The old revision, as a person names it.
    pub fn old_title(&self) -> String {
        self.old.title()
    }

    /// The new revision, as a person names it; `None` for the files as they are.
    pub fn new_title(&self) -> Option<String> {
        self.new.as_ref().map(Revision::title)
    }
}

impl Revision {
    /// Reads `NAME` with any number of `^` and `~N` behind it.
    fn parse(text: &str) -> Self {
        let (mut name, mut steps) = (text, 0_usize);
        loop {
            if let Some(rest) = name.strip_suffix('^') {
                (name, steps) = (rest, steps.saturating_add(1));
                continue;
            }
            let Some((rest, count)) = name.rsplit_once('~') else { break };
            let Some(count) = (if count.is_empty() { Some(1) } else { count.parse().ok() }) else { break };
            (name, steps) = (rest, steps.saturating_add(count));
        }
        Self { name: name.to_owned(), steps }
    }

    fn title(&self) -> String {
        if self.steps == 0 { self.name.clone() } else { format!("{}~{}", self.name, self.steps) }
    }

    fn open(&self, folder: &Path) -> Result<Commit, String> {
        let shown = folder.display().to_string();
        check_branch(&self.name).map_err(|why| why.to_string())?;
        let commit = Commit::open(folder, &shown, &self.name).and_then(|commit| commit.ancestor(self.steps));
        commit.map_err(|why| format!("{shown}: {why}"))
    }
}

/// A repository in two revisions.
#[derive(Debug)]
pub struct Change {
    /// The old revision.
    pub before: IndexedProgram,
    /// The code of the new revision under the tests, examples and documents of the old one.
    pub after: IndexedProgram,
    /// The new revision.
    new: Source,
    /// The folder of the repository in paths of the indexes; empty if it is the only source.
    folder: CompactString,
}

impl Change {
    /// Indexes the repository in `folder` in both revisions, together with the programs in the folders `users`.
    /// `Ok(None)` if the observer cancelled.
    ///
    /// # Errors
    /// One line that says how to mend it: the folder is no repository, or it has no such revision.
    pub fn read(
        folder: &Path,
        range: &RevisionRange,
        users: &[PathBuf],
        cache: Option<&Cache>,
        observe: &mut dyn FnMut(Progress) -> Control,
    ) -> Result<Option<Self>, String> {
        let old = range.old.open(folder)?;
        let new = range.new.as_ref().map(|revision| revision.open(folder)).transpose()?;
        let old = match &new {
            Some(new) if range.is_from_merge_base => old.merge_base(new)?,
            _ => old,
        };
        let old = Source::Commit(old);
        let new = new.map_or_else(|| Source::Folder(folder.to_owned()), Source::Commit);
        let users = named(folder, users)?;
        let linked = |source: Source| match &users[..] {
            [] | [_] => source,
            [(name, _), users @ ..] => {
                let users =
                    users.iter().map(|(name, folder)| NamedSource::new(name.clone(), Source::Folder(folder.clone())));
                let all = std::iter::once(NamedSource::new(name.clone(), source)).chain(users).collect();
                Source::Linked(LinkedSources::new(all))
            }
        };
        let Some(before) = IndexedProgram::of_sources(linked(old.clone()), cache, observe)? else { return Ok(None) };
        let revised = Source::Revised(Box::new(RevisedSource { code: new.clone(), users: old }));
        let Some(after) = IndexedProgram::of_sources(linked(revised), cache, observe)? else { return Ok(None) };
        let folder = if users.len() > 1 { users[0].0.clone() } else { CompactString::default() };
        Ok(Some(Self { before, after, new, folder }))
    }

    /// What the change does to the uses of the code.
    ///
    /// # Errors
    /// If the files of the new revision cannot be listed.
    pub fn report(&self) -> Result<Report, String> {
        self.compared(compare_revisions)
    }

    /// What the change does to the uses that it has not adapted, at their places in the new revision.
    ///
    /// # Errors
    /// If the files of the new revision cannot be listed.
    pub fn left_to_adapt(&self) -> Result<Report, String> {
        self.compared(|before, after, edits| {
            let mut report = compare_revisions(before, after, edits);
            report.findings.retain_mut(|finding| {
                if finding.adapted == Some(true) {
                    return false;
                }
                if let Some((path, line)) = edits.kept(&finding.path, finding.line) {
                    (finding.path, finding.line) = (path, line);
                }
                true
            });
            report.findings.sort();
            report
        })
    }

    /// What the change does to the public API, whether or not anybody uses it.
    ///
    /// # Errors
    /// If the files of the new revision cannot be listed.
    pub fn api_changes(&self) -> Result<Vec<ApiChange>, String> {
        self.compared(api_changes)
    }

    /// What `compare` says of the two revisions.
    fn compared<T>(&self, compare: impl Fn(&Version<'_>, &Version<'_>, &Edits<'_>) -> T) -> Result<T, String> {
        let read = |files: &Source, path: &str| reread(files, path).map(|text| text.source);
        let below =
            |path: &str| if self.folder.is_empty() { path.to_owned() } else { format!("{}/{path}", self.folder) };
        let new = |path: &str| {
            let inner =
                if self.folder.is_empty() { Some(path) } else { path.strip_prefix(&*self.folder)?.strip_prefix('/') };
            read(&self.new, inner?)
        };
        let walked = walk(&self.new, &mut Vec::new()).map_err(|why| why.to_string())?;
        let new_paths = walked.found.iter().map(|entry| below(&entry.path)).collect();
        let new = RevisionFiles { paths: new_paths, read: &new };
        Ok(self.before.with_edited(&self.after, &self.folder, new, compare))
    }
}

/// The folder of a repository and those of its users, each with its own name. The repository comes first.
fn named(folder: &Path, users: &[PathBuf]) -> Result<Vec<(CompactString, PathBuf)>, String> {
    let mut all: Vec<(CompactString, PathBuf)> = Vec::new();
    for path in std::iter::once(folder).chain(users.iter().map(PathBuf::as_path)) {
        let whole = path.canonicalize().map_err(|_| format!("{} is not there; name another folder", path.display()))?;
        let name = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_taken = |name: &str| all.iter().any(|(known, _)| known == name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default();
        all.push((name.into(), path.to_owned()));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_as_git_reads_it() {
        let title = |text: &str| RevisionRange::parse(text).title();
        assert_eq!(title("v1..v2"), "v1 → v2");
        assert_eq!(title("v1.."), "v1 → HEAD");
        assert_eq!(title("..v2"), "HEAD → v2");
        assert_eq!(title("HEAD~2..HEAD^"), "HEAD~2 → HEAD~1");
        assert_eq!(title("HEAD~^~3"), "HEAD~5 → the files as they are");
        assert_eq!(title("main...topic"), "main → topic");
        assert!(RevisionRange::parse("main...topic").is_from_merge_base);
    }
}
