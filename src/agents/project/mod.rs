//! Tools that read the files of a project. They write nothing, and no path leads out of the project: not by `..`, not
//! by an absolute path, and not by a symbolic link. Files that ignore files name, and files that hold secrets, are
//! neither listed nor read, unless the user allows it.
//!
//! | file | content |
//! | --- | --- |
//! | `folder` | paths within the project, and the files below a folder |
//! | `tools` | the tools |

mod folder;
#[cfg(test)]
mod tests;
mod tools;

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use apidisc::{files::Root, source::AllowedFiles};

use crate::{registry::Registry, tool::Tool};

/// The tag of tools that read files.
pub const FILES: &str = "file_operations";
/// The tag of tools that look for files.
pub const SEARCH: &str = "search";
/// The tag of tools that concern the run itself.
pub const SYSTEM: &str = "system";

/// A folder whose files an agent may read.
#[derive(Debug)]
pub struct Project {
    path: PathBuf,
    root: Root,
    allowed: AllowedFiles,
}

impl Project {
    /// Opens the folder.
    ///
    /// # Errors
    /// If it cannot be opened as a folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        Ok(Self { root: Root::open(&path)?, path, allowed: AllowedFiles::default() })
    }

    /// Allows files to be read that hold secrets or are ignored: their paths from the project's root, or from the
    /// present folder.
    #[must_use]
    pub fn allowing(self, files: &[String]) -> Self {
        Self { allowed: AllowedFiles::below(&self.path, files), ..self }
    }

    /// The tools that read the project's files: `read_project_file`, `list_project_files`,
    /// `list_project_files_recursive` and `find_project_root`.
    pub fn tools(self: &Arc<Self>) -> Vec<Tool> {
        tools::all(self)
    }

    /// A registry of [`Self::tools`] and [`terminate`].
    pub fn registry(self: &Arc<Self>) -> Registry {
        let mut registry = Registry::new();
        for tool in self.tools().into_iter().chain([terminate()]) {
            // The names are valid and different.
            let _ = registry.register(tool);
        }
        registry
    }
}

/// The tool `terminate`, which ends a run with its message as the answer.
pub fn terminate() -> Tool {
    tools::terminate()
}
