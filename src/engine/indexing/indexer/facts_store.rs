//! Facts that outlive the process: their keys, their bytes, and the place that keeps them.
//!
//! The engine writes no files. A caller implements [`FactsStore`] and keeps the bytes of
//! [`Builder::facts`](super::Builder::facts). If bytes cannot be decoded, the file is parsed.

use std::{
    ops::{Deref, Range},
    sync::Arc,
};

use apidisc_base::{
    hash::ContentHash,
    language::{Framework, Language, is_declaration_file},
};
use apidisc_facts::{
    documents::Format,
    source::FileEntry,
    syntax::{self, typescript::Dialect},
};

/// The key of the facts of a file: a hash of the content of the file, and of the dialect or format that its path
/// selects for parsing. The key does not depend on the source or on the folders of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactsKey(ContentHash);

impl FactsKey {
    /// The key of a file with this content.
    pub(super) fn new(file: &FileEntry, content: ContentHash) -> Self {
        let grammar: &[u8] = match file.language {
            Some(Language::Python) if file.path.ends_with(".ipynb") => b"notebook",
            Some(Language::Python) => b"python",
            Some(Language::TypeScript) => match (Framework::of_path(&file.path), Dialect::of_path(&file.path)) {
                (Some(Framework::Vue), _) => b"vue",
                (Some(Framework::Svelte), _) => b"svelte",
                (Some(Framework::Astro), _) => b"astro",
                (_, Dialect::TypeScript) => b"ts",
                (_, Dialect::Tsx) => b"tsx",
                (_, Dialect::JavaScript) => b"js",
            },
            None if Framework::of_path(&file.path).is_some() => b"mdx",
            None => match Format::of_document(&file.path) {
                Some(Format::Markdown) => b"markdown",
                Some(Format::ReStructuredText) => b"rst",
                Some(Format::Docstrings | Format::DocComments) | None => b"other",
            },
        };
        let is_declaration = [u8::from(is_declaration_file(&file.path))];
        Self(ContentHash::of_parts(&[grammar, &is_declaration, content.bytes()]))
    }

    /// The key of a file of a package with this content: of its code alone, without examples in its documentation.
    pub(super) fn of_package_file(file: &FileEntry, content: ContentHash) -> Self {
        Self(ContentHash::of_parts(&[b"package", Self::new(file, content).bytes()]))
    }

    /// The key with these bytes.
    pub fn from_bytes(bytes: [u8; ContentHash::BYTES]) -> Self {
        Self(ContentHash::from_bytes(bytes))
    }

    /// The bytes of the key.
    pub fn bytes(&self) -> &[u8; ContentHash::BYTES] {
        self.0.bytes()
    }
}

/// A place that keeps facts between two runs of the program.
pub trait FactsStore: Send + Sync {
    /// The bytes that are kept under `key`, as [`Builder::facts`](super::Builder::facts) gave them to a program of the
    /// same [`facts_version`]. Called from several threads.
    fn get(&self, key: FactsKey) -> Option<FactsBytes>;

    /// The bytes of the last index of the source, as [`Builder::packed_index`](super::Builder::packed_index) gave them
    /// to a program of the same [`facts_version`].
    fn index(&self) -> Option<Vec<u8>>;
}

/// The facts of one file as bytes: a part of an allocation that the facts of many files share.
#[derive(Clone, Debug, Default)]
pub struct FactsBytes {
    all: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl FactsBytes {
    /// The bytes of `all` in `range`; `None` if the range is out of bounds.
    pub fn new(all: Arc<Vec<u8>>, range: Range<usize>) -> Option<Self> {
        all.get(range.clone()).is_some().then_some(Self { all, range })
    }
}

impl From<Vec<u8>> for FactsBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self { range: 0..bytes.len(), all: Arc::new(bytes) }
    }
}

impl Deref for FactsBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.all[self.range.clone()]
    }
}

/// A hash that differs between two programs that may make different facts of the same file or different indexes of the
/// same source, or write them in different bytes. It is made of the sources of the packages up to this one, the
/// versions of the crates that they use, and the grammars.
pub fn facts_version() -> ContentHash {
    let sources = [
        apidisc_base::SOURCES,
        apidisc_facts::SOURCES,
        apidisc_link::SOURCES,
        apidisc_environment::SOURCES,
        crate::SOURCES,
    ];
    ContentHash::of_parts(&[sources.concat().as_bytes(), syntax::grammars().as_bytes()])
}
