//! Sources of code: folders, and files in memory. Their files are found, read into text and classified by their paths.

mod contents;
mod enclosing_package;
mod git;
mod git_index;
mod git_objects;
mod history;
mod ignored;
mod last_changed;
mod not_code;
mod notebook;
mod path_text;
mod read;
mod walk;

use std::{borrow::Cow, path::PathBuf};

use compact_str::CompactString;

pub use contents::{ContentChanges, Contents};
pub(crate) use enclosing_package::enclosing_package;
pub use last_changed::{ChangeTimes, LastChanged};
pub(crate) use read::{ReadFile, content, read};
pub use read::{SourceText, reread};
pub use walk::may_affect_index;
pub(crate) use walk::{WalkError, WalkedSource, walk};

use crate::language::Language;
pub use crate::language::Origin;

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
}

/// A file of a source that the walk has found, not yet read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileEntry {
    /// The path from the root of the source, with `/` between its parts.
    pub(crate) path: CompactString,
    /// The size in bytes.
    pub(crate) size: u64,
    /// The language of a file of code; `None` for a document, which may quote code of several languages.
    pub(crate) language: Option<Language>,
}

impl Source {
    /// The description of the source in the index.
    pub(crate) fn meta(&self) -> SourceMeta {
        match self {
            Self::Folder(root) => {
                let commit = git::find(root).ok().flatten().and_then(|found| found.head());
                SourceMeta { url: root.display().to_string(), commit }
            }
            Self::Memory { name, .. } => SourceMeta { url: name.clone(), commit: None },
        }
    }
}

/// The description of a source that was indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMeta {
    /// The path as it was given, or a URL; for files in memory, their name.
    pub url: String,
    /// The checked-out commit in hexadecimal, if the source is a git repository.
    pub commit: Option<String>,
}
