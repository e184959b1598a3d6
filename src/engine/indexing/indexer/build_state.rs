//! The state of one build: the files that have been parsed so far, from which an [`Index`] is made.

use std::sync::Arc;

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    assemble::assemble,
    compressed::{CompressedFacts, compress, drop_on_new_thread, encode},
    facts_store::{FactsBytes, FactsKey, FactsStore},
    kept_index::StampedFile,
    libraries::{FoundPackages, LibrarySettings},
    parse::{ParseResult, ParsedOrReused},
    parsed_file::{ParsedFile, ParsedFiles, PythonPackages},
};
use crate::index::Index;
use apidisc_base::{control::StepCounter, diagnostic::Diagnostic, sort::SharedSort as _};
use apidisc_facts::source::{FileEntry, INSTALLED_ROOTS, Roots, SourceMeta};
use apidisc_link::{explanation::AskedCalls, linked::LinkedProgram, project_file::ProjectFile};

/// The files that have been parsed so far, and the other inputs of an index.
#[derive(Default)]
pub(super) struct BuildState {
    pub(super) sources: Vec<SourceMeta>,
    project: Vec<ProjectFile>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) packages: PythonPackages,
    pub(super) roots: Roots,
    /// Where installed packages are looked for, and the store that may have their facts; `None` to read none.
    library_settings: Option<(LibrarySettings, Option<Arc<dyn FactsStore>>)>,
    /// What the last linking found of installed packages.
    pub(super) found_packages: Option<FoundPackages>,
    /// The facts of their files as bytes.
    package_facts: Vec<(FactsKey, FactsBytes)>,
    /// The facts of the files that are new or changed since the last build. While [`Self::link`] runs, it holds the
    /// facts of all files.
    changed: ParsedFiles,
    /// The key of the facts of each file in `changed`, by path.
    changed_keys: FxHashMap<CompactString, FactsKey>,
    /// The facts of all other files, by path.
    pub(super) unchanged: FxHashMap<CompactString, CompressedFacts>,
    /// Facts of files in `unchanged` that have been decoded already.
    decoded: Vec<ParsedFile>,
    /// The keys of the documents that quote no code.
    without_code: Vec<FactsKey>,
    /// The files that were read.
    pub(super) files: Vec<StampedFile>,
    /// True if the facts of a file are neither from a store nor from an earlier build.
    pub(super) has_new_facts: bool,
    /// What becomes of the facts of changed files as soon as they are linked.
    pub(super) linked_facts: LinkedFacts,
    /// The number of files that are new or changed since the last build. A file that has become unreadable is changed.
    pub(super) parsed: usize,
    /// The number of files of the last build that no longer exist.
    pub(super) removed: usize,
}

/// What becomes of the facts of changed files as soon as they are linked. They take more memory than the linked
/// program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LinkedFacts {
    /// They stay as they are until the next build, or until it is known that it has to wait.
    #[default]
    Keep,
    /// They are compressed, for a store.
    Compress,
    /// Nobody needs them.
    Drop,
}

/// The sources of an index that hold the files of packages.
pub(super) fn sources_of_packages() -> impl Iterator<Item = SourceMeta> {
    INSTALLED_ROOTS.into_iter().map(|name| SourceMeta { name: name.into(), ..SourceMeta::default() })
}

/// All inputs of an index except the facts. If they are equal for two builds and no file has changed, the two indexes
/// are equal.
#[derive(PartialEq, Eq)]
pub(super) struct BuildInputs {
    sources: Vec<SourceMeta>,
    project: Vec<ProjectFile>,
    diagnostics: Vec<Diagnostic>,
    files: usize,
}

impl BuildState {
    /// A state without files of code.
    pub(super) fn new(sources: Vec<SourceMeta>, project: Vec<ProjectFile>, diagnostics: Vec<Diagnostic>) -> Self {
        Self { sources, project, diagnostics, ..Self::default() }
    }

    /// Adds the result of parsing a file.
    pub(super) fn add(&mut self, file: FileEntry, result: ParseResult) {
        self.files.push(StampedFile::new(&file, result.content, result.stamp, result.is_auxiliary));
        let path = file.path;
        self.diagnostics.extend(result.diagnostics);
        self.parsed += usize::from(result.is_changed);
        match result.facts {
            Some(ParsedOrReused::Parsed(file)) => {
                self.has_new_facts = true;
                self.changed_keys.insert(path, file.key());
                self.changed.push(file);
            }
            Some(ParsedOrReused::Restored(facts, file)) => {
                self.unchanged.insert(path, facts);
                self.decoded.push(file);
            }
            Some(ParsedOrReused::NoCode { key, is_restored }) => {
                self.has_new_facts |= !is_restored;
                self.without_code.push(key);
            }
            Some(ParsedOrReused::Reused(facts)) => {
                self.unchanged.insert(path, facts);
            }
            None => {}
        }
    }

    /// The inputs of the index, to compare them with those of another build.
    pub(super) fn inputs(&self) -> BuildInputs {
        BuildInputs {
            sources: self.sources.clone(),
            project: self.project.clone(),
            diagnostics: self.diagnostics.clone(),
            files: self.changed_keys.len() + self.unchanged.len(),
        }
    }

    /// True if there are facts that [`Self::compress`] would compress.
    pub(super) fn has_uncompressed(&self) -> bool {
        !self.changed_keys.is_empty()
    }

    /// Compresses the facts of changed files. Afterwards all facts are in `unchanged`.
    pub(super) fn compress(&mut self) {
        let keys = std::mem::take(&mut self.changed_keys);
        let files = std::mem::take(&mut self.changed).into_par_iter(&keys);
        self.unchanged = compress(files, std::mem::take(&mut self.unchanged));
    }

    /// Decompresses the facts of unchanged files.
    pub(super) fn decompress(&self) -> Vec<ParsedFile> {
        self.unchanged.par_iter().map(|(path, facts)| facts.decompress(path)).collect()
    }

    /// Links all files. `decompressed` holds facts that were decompressed in advance; facts of files that have changed
    /// or been removed since are ignored. This function decompresses the facts of the other unchanged files. The result
    /// is incomplete if `steps` was cancelled.
    pub(super) fn link(
        &mut self,
        mut decompressed: Vec<ParsedFile>,
        steps: StepCounter,
        asked: Option<&AskedCalls>,
    ) -> LinkedProgram {
        decompressed.append(&mut self.decoded);
        let mut there: FxHashSet<CompactString> = FxHashSet::default();
        for file in decompressed {
            let is_current = self.unchanged.get(file.path()).is_some_and(|facts| facts.key == file.key());
            if is_current && there.insert(file.path().clone()) {
                self.changed.push(file);
            }
        }
        let others = self.unchanged.par_iter().filter(|(path, _)| !there.contains(*path));
        let others: Vec<ParsedFile> = others.map(|(path, facts)| facts.decompress(path)).collect();
        for file in others {
            self.changed.push(file);
        }
        let settings = self.library_settings.as_ref().map(|(settings, store)| (settings, store.as_deref()));
        let languages = self.changed.link(&self.roots, &self.packages, &self.project, steps, asked, settings);
        let changed = &self.changed_keys;
        drop_on_new_thread(self.changed.split_off(|path| changed.contains_key(path)));
        match self.linked_facts {
            LinkedFacts::Keep => {}
            LinkedFacts::Compress => self.compress(),
            LinkedFacts::Drop => (self.changed, self.changed_keys) = Default::default(),
        }
        let (linked, read) = languages.join();
        if let Some(read) = read {
            self.found_packages = Some(read.found);
            self.package_facts = read.facts;
            self.has_new_facts |= read.has_new_facts;
        }
        linked
    }

    /// Lets [`Self::link`] read the packages that these settings find; none without settings. `files` are those of the
    /// sources.
    pub(super) fn look_for(
        &mut self,
        libraries: Option<LibrarySettings>,
        store: Option<Arc<dyn FactsStore>>,
        files: &[FileEntry],
    ) {
        if libraries.is_some() {
            self.roots = self.roots.with_installed(files.iter().map(|file| &file.path));
            self.sources.extend(sources_of_packages());
        }
        self.library_settings = libraries.map(|settings| (settings, store));
    }

    /// The facts of all files, each once, as bytes that a store keeps under their keys. Call [`Self::compress`] before.
    pub(super) fn facts(&self) -> Vec<(FactsKey, FactsBytes)> {
        let no_code = FactsBytes::from(encode(&[]));
        let without_code = self.without_code.iter().map(|&key| (key, no_code.clone()));
        let facts = self.unchanged.values().map(|facts| (facts.key, facts.bytes.clone()));
        let of_packages = self.package_facts.iter().cloned();
        let mut all: Vec<_> = facts.chain(without_code).chain(of_packages).collect();
        all.shared_sort_by_key(|(key, _)| *key);
        all.dedup_by_key(|(key, _)| *key);
        all
    }

    /// Makes an index of a linked program. `None` if `steps` was cancelled.
    pub(super) fn assemble(&self, linked: LinkedProgram, steps: StepCounter) -> Option<Index> {
        assemble(self.sources.clone(), &self.roots, linked, self.diagnostics.clone(), steps)
    }
}
