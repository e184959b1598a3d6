//! Reads and parses the files of packages, or takes their facts from a store.

use std::path::PathBuf;

use compact_str::CompactString;
use rayon::prelude::*;

use super::super::{
    compressed::{decode, encode},
    facts_store::{FactsBytes, FactsKey, FactsStore},
    parsed_file::Unit,
};
use apidisc_base::{
    hash::ContentHash,
    language::{Language, Origin, is_declaration_file},
    packed::packed_structs,
};
use apidisc_environment::{listing, looks::Looks};
use apidisc_facts::{
    source::{self, FileEntry, ReadFile, Source},
    syntax::{
        python,
        typescript::{self, Dialect},
    },
};
use apidisc_link::{linked::Content, python::LinkFile, typescript::SourceFile};

/// What was read of packages: the facts of their files, and by what a later build knows that it would read the same.
#[derive(Default)]
pub(in super::super) struct PackageReading {
    /// What was looked at to find the packages and their files.
    pub(in super::super) looks: Looks,
    /// The files that were read.
    pub(in super::super) files: Vec<StampedPackageFile>,
    /// The facts of the files that were parsed, as bytes; none without a store.
    pub(in super::super) facts: Vec<(FactsKey, FactsBytes)>,
    /// True if the store did not have all of `facts`.
    pub(in super::super) has_new_facts: bool,
}

/// A file of a package that was read.
#[derive(Debug)]
pub(in super::super) struct StampedPackageFile {
    /// The folder that the file is read below. Only folders whose paths are UTF-8 are kept.
    root: String,
    /// The path from `root`.
    inner: CompactString,
    /// The hash by which the file is recognized: see [`source::stamp`].
    stamp: ContentHash,
}

packed_structs! {
    StampedPackageFile { root, inner, stamp }
}

impl StampedPackageFile {
    /// True if the file would be read as it was.
    fn is_current(&self, language: Language) -> bool {
        let root = PathBuf::from(&self.root);
        let entry = entry(&root, &self.inner, language);
        source::stamp(&Source::Folder(root), &entry) == self.stamp
    }
}

/// The files of packages of one language that were read.
#[derive(Default)]
pub(super) struct PackageFiles<'s> {
    store: Option<&'s dyn FactsStore>,
    files: Vec<StampedPackageFile>,
}
