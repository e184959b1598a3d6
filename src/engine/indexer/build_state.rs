//! The state of one build: the files that it has parsed so far, from which it makes an [`Index`].

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    assemble::assemble,
    compressed::{CompressedFacts, compress, drop_on_new_thread},
    parse::{ParseResult, ParsedOrReused},
    parsed_file::{ParsedFile, ParsedFiles, PythonPackages},
};
use crate::{
    control::StepCounter,
    diagnostic::Diagnostic,
    index::Index,
    link::{linked::LinkedProgram, typescript::ProjectFile},
    source::SourceMeta,
};

/// The files that have been parsed so far, and everything else that an index is made of.
#[derive(Default)]
pub(super) struct BuildState {
    sources: Vec<SourceMeta>,
    project: Vec<ProjectFile>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) packages: PythonPackages,
    /// The facts of the files that are new or changed since the last build. While [`Self::link`] runs, it holds the
    /// facts of all files.
    changed: ParsedFiles,
    /// The content hash of each file that is new or changed, by path.
    content_hashes: FxHashMap<CompactString, u64>,
    /// The facts of all other files, by path.
    pub(super) unchanged: FxHashMap<CompactString, CompressedFacts>,
    /// The number of files that are new or changed since the last build. A file that has become unreadable is changed.
    pub(super) parsed: usize,
    /// The number of files of the last build that no longer exist.
    pub(super) removed: usize,
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
    /// A state without files.
    pub(super) fn new(sources: Vec<SourceMeta>, project: Vec<ProjectFile>, diagnostics: Vec<Diagnostic>) -> Self {
        Self { sources, project, diagnostics, ..Self::default() }
    }

    /// Adds the result of parsing the file at `path`.
    pub(super) fn add(&mut self, path: CompactString, result: ParseResult) {
        self.diagnostics.extend(result.diagnostics);
        self.parsed += usize::from(result.is_changed);
        match result.facts {
            Some(ParsedOrReused::Parsed(content_hash, file)) => {
                self.content_hashes.insert(path, content_hash);
                self.changed.push(file);
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
            files: self.content_hashes.len() + self.unchanged.len(),
        }
    }

    /// True if there are facts that [`Self::compress`] would compress.
    pub(super) fn has_uncompressed(&self) -> bool {
        !self.content_hashes.is_empty()
    }

    /// Compresses the facts of changed files. Afterwards all facts are in `unchanged`.
    pub(super) fn compress(&mut self) {
        let files = std::mem::take(&mut self.changed).into_par_iter();
        let content_hashes = std::mem::take(&mut self.content_hashes);
        let with_hash = |file: ParsedFile| Some((*content_hashes.get(file.path())?, file));
        self.unchanged = compress(files.filter_map(with_hash), std::mem::take(&mut self.unchanged));
    }

    /// Decompresses the facts of unchanged files.
    pub(super) fn decompress(&self) -> Vec<ParsedFile> {
        self.unchanged.par_iter().map(|(_, facts)| facts.decompress()).collect()
    }

    /// Links all files. `decompressed` holds facts that were decompressed in advance: those of all unchanged files, and
    /// maybe of files that have since changed or been removed, which are ignored. If it is empty, this function
    /// decompresses the facts. The result is incomplete if `steps` was cancelled.
    pub(super) fn link(&mut self, mut decompressed: Vec<ParsedFile>, steps: StepCounter) -> LinkedProgram {
        if decompressed.is_empty() {
            decompressed = self.decompress();
        }
        decompressed.retain(|file| self.unchanged.contains_key(file.path()));
        for file in decompressed {
            self.changed.push(file);
        }
        let linked = self.changed.link(&self.packages, &self.project, steps);
        let content_hashes = &self.content_hashes;
        drop_on_new_thread(self.changed.split_off(|path| content_hashes.contains_key(path)));
        linked
    }

    /// Makes an index of a linked program. `None` if `steps` was cancelled.
    pub(super) fn assemble(&self, linked: LinkedProgram, steps: StepCounter) -> Option<Index> {
        assemble(self.sources.clone(), linked, self.diagnostics.clone(), steps)
    }
}
