//! The repository around a folder or file that is opened alone: it is found at the start, and indexed on request.

use std::{
    path::{Path, PathBuf},
    thread,
};

use super::{
    indexing::{Indexer, Indexing},
    source_files::SourceFiles,
};
use crate::tui::{message::Message, model::Around, options::Content};
use apidisc::source::Source;

/// What is opened, and the repository around it.
#[derive(Clone, Debug)]
pub(super) struct SourceAround {
    opened: PathBuf,
    root: PathBuf,
}

impl SourceAround {
    /// The repository around the content; `None` if the content is a whole repository, or in none.
    pub(super) fn of(content: &Content) -> Option<Self> {
        let Content::Source(Source::Folder(opened), _) = content else { return None };
        let path = opened.canonicalize().ok()?;
        let is_root = |folder: &Path| folder.join(".git").symlink_metadata().is_ok();
        if is_root(&path) {
            return None;
        }
        let root = path.ancestors().skip(1).find(|folder| is_root(folder))?.to_owned();
        Some(Self { opened: opened.clone(), root })
    }

    /// The repository as the model sees it.
    pub(super) fn described(&self) -> Option<Around> {
        let path = self.opened.canonicalize().ok()?;
        let parts: Option<Vec<&str>> = path.strip_prefix(&self.root).ok()?.iter().map(|part| part.to_str()).collect();
        let path = parts?.join("/");
        let name = self.root.file_name()?.to_string_lossy().into_owned();
        let other = self.root.to_str()?.to_owned();
        Some(Around { name, path, is_counted: false, other, is_sought: false })
    }

    /// Indexes the repository, or what is opened alone, in place of the present index.
    pub(super) fn index(&self, is_counted: bool, indexer: &Indexer, indexing: &Indexing, files: &SourceFiles) {
        let source = Source::Folder(if is_counted { self.root.clone() } else { self.opened.clone() });
        files.replace(source.clone());
        let (indexer, indexing) = (indexer.clone(), indexing.clone());
        // The end of the present build is waited for.
        let output = indexing.output.clone();
        let started = thread::Builder::new().name("around".to_owned()).spawn(move || {
            if let Err(why) = indexer.replace(|| indexing.start(source)) {
                indexing.output.message(Message::NotIndexed(format!("a thread cannot be started: {why}")));
            }
        });
        if let Err(why) = started {
            output.message(Message::NotIndexed(format!("a thread cannot be started: {why}")));
        }
    }
}
