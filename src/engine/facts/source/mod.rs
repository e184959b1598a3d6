//! Sources of code: folders, and files in memory. Their files are found, read into text and classified by their paths.

mod commit;
mod commit_files;
mod contents;
mod decode;
mod enclosing_package;
mod git;
mod git_index;
mod git_objects;
mod history;
mod ignored;
mod large;
mod last_changed;
mod lines;
mod linked;
mod not_code;
mod notebook;
mod path_filter;
mod path_text;
mod read;
mod revised;
mod revision_names;
mod roots;
mod secrets;
mod walk;

use std::{borrow::Cow, path::PathBuf};

use compact_str::CompactString;

pub use commit::Commit;
pub use commit_files::ReadBlob;
pub use contents::{ContentChanges, Contents};
pub use large::is_large;
pub use last_changed::{ChangeTimes, LastChanged};
pub use lines::SourceLines;
pub use linked::{ExampleSource, LinkedSources, NamedSource};
pub use path_filter::{PathFilter, PathFilterError};
pub use read::{ReadFile, bytes_within, content, object_stamp, read, reread_unchanged, stamp};
pub use read::{SourceText, reread, reread_allowing, reread_as};
pub use revised::RevisedSource;
pub use revision_names::{RevisionName, revision_names};
pub use roots::{INSTALLED, INSTALLED_ROOTS, NODE_MODULES, NOT_INSTALLED, Roots};
pub use secrets::{AllowedFiles, holds_secret, is_secret_name};
pub use walk::{WalkError, may_affect_documents, may_affect_index};
pub use walk::{WalkedSource, walk, walk_data};

pub use apidisc_base::language::Origin;
use apidisc_base::{environment::WrittenEnvironment, language::Language};

/// A repository or folder to index, or files that are in memory already.
#[derive(Clone, Debug)]
pub enum Source {
    /// A folder, or a single file, on this machine. Its ignore files are obeyed, and it is never written to.
    Folder(PathBuf),
    /// Files in memory, such as the bundled demo.
    Memory {
        /// The name that screens show in place of a path.
        name: String,
        /// The path (with `/` between its parts) and the content of each file.
        files: Vec<(String, Cow<'static, [u8]>)>,
    },
    /// A commit of a git repository on this machine.
    Commit(Commit),
    /// A source that could not be fetched. It has no files.
    Missing {
        /// The path or URL, without secrets.
        url: String,
        /// One line that says why, and how to mend it.
        why: String,
    },
    /// Two revisions of a repository, each with a part of the files.
    Revised(Box<RevisedSource>),
    /// Several sources that are linked together.
    Linked(LinkedSources),
}

/// A file of a source that the walk has found, not yet read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// The path from the root of the source, with `/` between its parts.
    pub path: CompactString,
    /// The size in bytes.
    pub size: u64,
    /// The language of a file of code; `None` for a document, which may quote code of several languages.
    pub language: Option<Language>,
}

impl Source {
    /// The sources that this source consists of: itself, or the linked ones. Each comes with its folder in paths of the
    /// index, which is empty if there is one source.
    pub fn parts(&self) -> impl Iterator<Item = (CompactString, &Self)> {
        let linked = match self {
            Self::Linked(linked) => Some(linked),
            _ => None,
        };
        let parts =
            linked.into_iter().flat_map(|linked| linked.iter().map(|named| (linked.folder(named), &named.source)));
        parts.chain(linked.is_none().then(|| (CompactString::default(), self)))
    }

    /// The sources whose calls are examples of packages. They are no parts.
    pub fn examples(&self) -> &[ExampleSource] {
        match self {
            Self::Linked(linked) => linked.examples(),
            _ => &[],
        }
    }

    /// For each of [`Self::parts`]: which environment holds the packages that it imports, if a list of sources says so.
    pub fn written_environments(&self) -> Vec<Option<&WrittenEnvironment>> {
        match self {
            Self::Linked(linked) => linked.iter().map(|named| named.environment.as_ref()).collect(),
            _ => vec![None],
        }
    }

    /// The source that a path of the index belongs to, and the path in that source.
    pub fn locate<'p>(&self, path: &'p str) -> Option<(&Self, &'p str)> {
        match self {
            Self::Linked(linked) => linked.locate(path),
            Self::Revised(revised) => revised.revision_of(path).locate(path),
            _ => Some((self, path)),
        }
    }

    /// The descriptions of the sources in the index.
    pub fn metas(&self) -> Vec<SourceMeta> {
        match self {
            Self::Linked(linked) => linked.metas(),
            _ => vec![self.meta()],
        }
    }

    /// The description of a source that does not consist of several.
    fn meta(&self) -> SourceMeta {
        match self {
            Self::Folder(root) => {
                let commit = git::find(root).ok().flatten().and_then(|found| found.head());
                SourceMeta { url: root.display().to_string(), commit, ..SourceMeta::default() }
            }
            Self::Memory { name: url, .. } | Self::Missing { url, .. } => {
                SourceMeta { url: url.clone(), ..SourceMeta::default() }
            }
            Self::Commit(commit) => {
                SourceMeta { url: commit.url().to_owned(), commit: Some(commit.id()), ..SourceMeta::default() }
            }
            Self::Revised(revised) => revised.code.meta(),
            Self::Linked(_) => SourceMeta::default(),
        }
    }
}

/// The description of a source that was indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMeta {
    /// The name: the folder of the source in paths of the index. Empty if there is one source.
    pub name: CompactString,
    /// The path as it was given, or a URL without secrets; for files in memory, their name.
    pub url: String,
    /// The branch, tag or commit that was asked for, if any.
    pub branch: Option<String>,
    /// The checked-out commit in hexadecimal, if the source is a git repository.
    pub commit: Option<String>,
}
