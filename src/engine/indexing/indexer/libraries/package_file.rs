//! Reads and parses a file of a package, or takes its facts from a store.

use std::path::{Path, PathBuf};

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use super::super::{
    compressed::{decode, encode},
    facts_store::{FactsBytes, FactsKey, FactsStore},
    parsed_file::Unit,
};
use apidisc_base::{
    hash::ContentHash,
    language::{Language, is_declaration_file},
};
use apidisc_environment::listing;
use apidisc_facts::{
    source::{self, FileEntry, ReadFile, Source},
    syntax::{
        python,
        typescript::{self, Dialect},
    },
};
use apidisc_link::{linked::Content, python::LinkFile, typescript::SourceFile};

/// A file of a package.
pub(super) struct PackageFile<T> {
    /// The size in bytes.
    pub(super) size: u64,
    /// The facts, and what was taken of the text; `None` if the file cannot be read, or is not wanted.
    pub(super) content: Option<(Unit, T)>,
    stamped: StampedFile,
    /// The facts as bytes, and whether the store has them already.
    kept: Option<(FactsKey, FactsBytes, bool)>,
}

/// A file of a package that was read, with the hash by which it is recognized.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StampedFile {
    /// The folder below which the file is read.
    root: PathBuf,
    /// The path from `root`.
    inner: CompactString,
    language: Language,
    /// See [`source::stamp`].
    stamp: [u8; ContentHash::BYTES],
}

/// The files of packages that were read.
#[derive(Debug, Default)]
pub(super) struct ReadFiles {
    pub(super) stamped: Vec<StampedFile>,
    /// The facts of the files as bytes, for the store; none without a store.
    pub(super) facts: Vec<(FactsKey, FactsBytes)>,
    /// True if the store did not have all of `facts`.
    pub(super) has_new_facts: bool,
}

/// Reads the file at `inner` below the folder `root`, and takes something of its text; if that is `None`, the file is
/// not wanted and not parsed. Facts that `store` has are taken from there.
pub(super) fn read<T>(
    store: Option<&dyn FactsStore>,
    root: &Path,
    inner: &str,
    language: Language,
    take: impl FnOnce(&str) -> Option<T>,
) -> PackageFile<T> {
    let entry = entry(root, inner, language);
    let source = Source::Folder(root.to_owned());
    let ReadFile { content, stamp, text } = source::read(&source, &entry, &mut Vec::new());
    let key = FactsKey::of_package_file(&entry, content);
    let restored = |key| {
        let bytes = store?.get(key)?;
        let [facts] = <[Unit; 1]>::try_from(decode(&bytes)?).ok()?;
        Some((facts, Some((key, bytes, true))))
    };
    let parsed = |text: &str| {
        let facts = [parse(text, inner, language)];
        let bytes = store.map(|_| (key, FactsBytes::from(encode(&facts)), false));
        let [facts] = facts;
        (facts, bytes)
    };
    let wanted = text.as_ref().and_then(|text| Some((&text.source, take(&text.source)?)));
    let facts = wanted.map(|(text, taken)| {
        let (facts, kept) = restored(key).unwrap_or_else(|| parsed(text));
        ((facts, taken), kept)
    });
    let (content, kept) = facts.unzip();
    let stamped = StampedFile { root: root.to_owned(), inner: inner.into(), language, stamp: *stamp.bytes() };
    PackageFile { size: entry.size, content, stamped, kept: kept.flatten() }
}

fn parse(text: &str, path: &str, language: Language) -> Unit {
    match language {
        Language::Python => Unit::Python(Box::new(LinkFile::new(Content::Code, python::read(text)))),
        Language::TypeScript => {
            let facts = typescript::read(text, Dialect::of_path(path), is_declaration_file(path));
            Unit::TypeScript(Box::new(SourceFile::new(Content::Code, facts)))
        }
    }
}

fn entry(root: &Path, inner: &str, language: Language) -> FileEntry {
    FileEntry { path: inner.into(), size: listing::size(&root.join(inner)), language: Some(language) }
}

impl ReadFiles {
    /// Adds a file that was read. Returns its facts, and what was taken of its text.
    pub(super) fn add<T>(&mut self, file: PackageFile<T>) -> Option<(Unit, T)> {
        let PackageFile { content, stamped, kept, .. } = file;
        self.stamped.push(stamped);
        if let Some((key, bytes, is_restored)) = kept {
            self.facts.push((key, bytes));
            self.has_new_facts |= !is_restored;
        }
        content
    }
}

impl StampedFile {
    /// True if the file would be read as it was.
    pub(super) fn is_current(&self) -> bool {
        let entry = entry(&self.root, &self.inner, self.language);
        *source::stamp(&Source::Folder(self.root.clone()), &entry).bytes() == self.stamp
    }
}
