//! The files of an index on this machine.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::{tui::options::Content, writing};
use apidisc::{index::Index, program::FileId, source::Source};

/// The location of the files of an index.
#[derive(Clone)]
pub(super) enum SourceFiles {
    /// In the source that was indexed.
    Source(Source),
    /// Below the folder that the index names, if that folder is on this machine.
    Recorded,
}

impl SourceFiles {
    pub(super) fn of(content: &Content) -> Self {
        match content {
            Content::Source(source) => Self::Source(source.clone()),
            Content::Index(_) => Self::Recorded,
        }
    }

    /// The source from which the files of an index are read.
    pub(super) fn source(&self, index: &Index) -> Option<Source> {
        match self {
            Self::Source(source) => Some(source.clone()),
            Self::Recorded => Some(Source::Folder(PathBuf::from(&index.sources.first()?.url))),
        }
    }

    /// The folder in which the command line looks for profiles of the same source.
    pub(super) fn profiles(&self) -> PathBuf {
        match self {
            Self::Source(Source::Folder(folder)) => folder.clone(),
            Self::Source(Source::Memory { .. }) | Self::Recorded => PathBuf::from("."),
        }
    }

    /// The path of a file; a file in memory is written to a temporary folder.
    pub(super) fn path(
        &self,
        index: &Index,
        file: FileId,
        temporary: &mut Option<tempfile::TempDir>,
    ) -> anyhow::Result<PathBuf> {
        let path = index.file(file).path.as_str();
        let Some(source) = self.source(index) else { bail!("the index does not say where {path} is") };
        let target = match source {
            Source::Folder(folder) if folder.is_file() => folder,
            Source::Folder(folder) => folder.join(path),
            Source::Memory { files, .. } => {
                let Some((_, content)) = files.iter().find(|(name, _)| name == path) else {
                    bail!("{path} is not there");
                };
                let folder = match temporary {
                    Some(folder) => folder,
                    None => temporary.insert(tempfile::Builder::new().prefix("apidisc-").tempdir()?),
                };
                write(&folder.path().join(path), content)?
            }
        };
        if !target.exists() {
            bail!("{} is not there", target.display());
        }
        Ok(target)
    }
}

fn write(path: &Path, content: &[u8]) -> anyhow::Result<PathBuf> {
    if let Some(parent) = path.parent() {
        writing::create_folder(parent)?;
    }
    writing::replace(path, |out| out.write_all(content))?;
    Ok(path.to_owned())
}
