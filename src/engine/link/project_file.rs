//! The files of a project that say how its modules are found.

use compact_str::CompactString;

/// A `package.json`, `tsconfig*.json` or `jsconfig*.json`; in Python a `pyproject.toml`, `setup.cfg` or `setup.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFile {
    /// The path relative to the source's root.
    pub path: CompactString,
    /// The text of the file. It may be malformed.
    pub text: String,
}

impl ProjectFile {
    /// The last component of the path.
    pub fn name(&self) -> &str {
        crate::paths::name_of(&self.path)
    }
}
