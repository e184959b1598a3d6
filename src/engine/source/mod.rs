//! Where code comes from.

use std::{borrow::Cow, path::PathBuf};

/// A repository or folder to index, or files that are in memory already.
#[derive(Clone, Debug)]
pub enum Source {
    /// A folder on this machine; its ignore files are obeyed, it is never written to.
    Folder(PathBuf),
    /// Files by path (`/` between parts), such as the bundled demo.
    Memory {
        /// What stands for its path on screens.
        name: String,
        /// Path and content.
        files: Vec<(String, Cow<'static, [u8]>)>,
    },
}
