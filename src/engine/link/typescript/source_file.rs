//! The files that are linked.

use compact_str::{CompactString, format_compact};

use crate::linked::Content;
use apidisc_base::language::Origin;
use apidisc_facts::syntax::typescript::{Dialect, facts::FileFacts};

/// One source file with its facts.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct SourceFile {
    /// The path relative to the source's root.
    #[serde(skip)]
    pub path: CompactString,
    /// The name of its module: the path without the ending.
    #[serde(skip)]
    pub module: CompactString,
    /// The kind of code: a file of code, quoted code of a documentation comment, or a document.
    pub content: Content,
    /// The origin of its call sites.
    #[serde(skip)]
    pub origin: Origin,
    /// See [`apidisc_base::language::is_auxiliary`].
    #[serde(skip)]
    pub is_auxiliary: bool,
    /// True for a file of an installed package: its calls and reads are not counted, and of its definitions only those
    /// become rows that the program reaches.
    #[serde(skip)]
    pub is_installed: bool,
    /// The facts of the file.
    pub facts: FileFacts,
}

impl SourceFile {
    /// A file with an empty path and module, the default origin and `is_auxiliary` false: the caller sets these fields,
    /// which depend on the path.
    pub fn new(content: Content, facts: FileFacts) -> Self {
        let (path, module) = (CompactString::default(), CompactString::default());
        Self { path, module, content, origin: Origin::default(), is_auxiliary: false, is_installed: false, facts }
    }

    /// True for a file of JavaScript, and for a component whose scripts are JavaScript.
    pub(super) fn is_javascript(&self) -> bool {
        Dialect::of_path(&self.path) == Dialect::JavaScript && !self.facts.has_typed_scripts
    }

    /// The path from which the file imports. No import leads to the path of quoted code.
    pub(super) fn import_path(&self) -> CompactString {
        match self.content {
            Content::Examples => format_compact!("{}#examples", self.path),
            Content::Code | Content::Document => self.path.clone(),
        }
    }
}
