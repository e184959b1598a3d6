//! Where code comes from: folders and files in memory, read into text with what went wrong beside it.

mod last_changed;
mod notebook;
mod read;
mod walk;

use std::{borrow::Cow, path::PathBuf};

use compact_str::CompactString;

pub use last_changed::LastChanged;
pub(crate) use read::read;
pub use read::{SourceText, reread};
pub use walk::matters;
pub(crate) use walk::{WalkError, Walked, walk};

use crate::language::Language;
pub use crate::language::Origin;

/// A repository or folder to index, or files that are in memory already.
#[derive(Clone, Debug)]
pub enum Source {
    /// A folder, or a single file, on this machine; its ignore files are obeyed, it is never written to.
    Folder(PathBuf),
    /// Files by path (`/` between parts), such as the bundled demo.
    Memory {
        /// What stands for its path on screens.
        name: String,
        /// Path and content.
        files: Vec<(String, Cow<'static, [u8]>)>,
    },
}

/// A file that was found, not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// From the source's root, `/` between parts.
    pub(crate) path: CompactString,
    /// In bytes.
    pub(crate) size: u64,
    pub(crate) language: Language,
}

impl Source {
    /// What is said of it in the index: the path as given, and the commit that is checked out.
    pub(crate) fn meta(&self) -> SourceMeta {
        match self {
            Self::Folder(root) => SourceMeta { url: root.display().to_string(), commit: commit(root) },
            Self::Memory { name, .. } => SourceMeta { url: name.clone(), commit: None },
        }
    }
}

/// The checked-out commit of the repository whose root `root` is.
fn commit(root: &std::path::Path) -> Option<String> {
    let repository = git2::Repository::open(root).ok()?;
    let head = repository.head().ok()?.peel_to_commit().ok()?;
    Some(head.id().to_string())
}

/// A repository or folder that was indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMeta {
    /// The path as it was given, or a URL.
    pub url: String,
    /// The checked-out commit in hex, where there is one.
    pub commit: Option<String>,
}
