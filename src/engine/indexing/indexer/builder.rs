//! Builds an [`Index`] from a source, with progress, partial snapshots and cancelling, and rebuilds it after changes.

use std::{path::PathBuf, sync::Arc};

use super::{
    build_state::{BuildInputs, BuildState, LinkedFacts, sources_of_packages},
    build_steps::{assemble, link, parse_files, read_project_files, threads},
    facts_store::{FactsBytes, FactsKey, FactsStore},
    kept_index::{self, KeptIndex, KnownFiles, Provenance},
    libraries::{FoundPackages, Libraries, LibrarySettings},
    parsed_file::ParsedFile,
};
use crate::index::Index;
use apidisc_base::control::Control;
use apidisc_facts::source::{self, Contents, Roots, Source, WalkError, WalkedSource};

/// A report of a build to its observer.
#[derive(Debug)]
pub enum Progress {
    /// The walk has found all files.
    Walked {
        /// The number of files of a known language.
        files: usize,
        /// The size of these files.
        bytes: u64,
    },
    /// One more file has been read and parsed, or a file that takes long is being parsed.
    Parsed {
        /// The number of files that are done.
        done: usize,
        /// The number of all files.
        total: usize,
        /// The number of call sites in the files that are done.
        calls: usize,
        /// The size of the files that are done, as a share of the size of all files, from 0 to 1. It predicts the
        /// remaining time better than the number of files, because the largest files come first.
        share: f64,
    },
    /// The files of the whole index or of a partial one are being linked, or an index is being made of the linked
    /// program. Reported again and again during each of the two steps, and once at its end.
    Linking {
        /// The steps of type inference that are done. The number does not grow while the index is made, and is the same
        /// for the same sources.
        steps: u64,
    },
    /// The partial index that the observer requested with [`Control::Snapshot`].
    Partial(Box<Index>),
}

/// The reason why a source cannot be indexed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The source cannot be walked.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The operating system starts no threads.
    #[error("no threads can be started: {0}")]
    Threads(rayon::ThreadPoolBuildError),
}

/// Reads, parses, links and counts a source on all cores. `Ok(None)` if the observer cancelled.
///
/// # Errors
/// [`BuildError`] if the source cannot be opened. The problems of single files are in [`Index::diagnostics`].
pub fn build(source: &Source, observe: &mut dyn FnMut(Progress) -> Control) -> Result<Option<Index>, BuildError> {
    Ok(match Builder::new(source.clone()).build(observe)? {
        BuildOutcome::Index { index, .. } => Some(*index),
        BuildOutcome::Unchanged | BuildOutcome::Cancelled => None,
    })
}

/// Indexes a source, and indexes it again after changes. The facts of files are kept between builds, so each content is
/// parsed once. With a [`FactsStore`], facts are also kept between runs of the program.
pub struct Builder {
    source: Source,
    store: Option<Arc<dyn FactsStore>>,
    libraries: Option<LibrarySettings>,
    /// True if no build comes after the next one; see [`Self::set_last`].
    is_last: bool,
    /// True if nobody reads typical calls; see [`Self::leave_out_typical_calls`].
    without_typical_calls: bool,
    state: BuildState,
    /// The facts of `state.unchanged`, if they have been decompressed in advance for the next build; else empty.
    decompressed: Vec<ParsedFile>,
    folders: Vec<PathBuf>,
    /// The contents of the last build.
    contents: Arc<Contents>,
    /// The inputs of the last complete index, to detect that nothing has changed.
    last_inputs: Option<BuildInputs>,
    /// The provenance of the last complete index, by which a later run of the program tells whether the index is up to
    /// date.
    provenance: Provenance,
    /// True if the last index was loaded from the store. The builder then has no facts.
    is_restored: bool,
}

/// The result of a build.
#[derive(Debug)]
pub enum BuildOutcome {
    /// The source was indexed.
    Index {
        /// The complete index.
        index: Box<Index>,
        /// The number of files that are new or changed since the last build.
        parsed: usize,
        /// The number of files of the last build that no longer exist.
        removed: usize,
    },
    /// Nothing has changed since the last complete index.
    Unchanged,
    /// The observer cancelled. The facts of the files that were parsed are kept.
    Cancelled,
}

impl Builder {
    /// A builder for `source`, which is not read yet.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            store: None,
            libraries: None,
            is_last: false,
            without_typical_calls: false,
            state: BuildState::default(),
            decompressed: Vec::new(),
            folders: Vec::new(),
            contents: Arc::default(),
            last_inputs: None,
            provenance: Provenance::default(),
            is_restored: false,
        }
    }

    /// Sets the place where the next builds look for facts before they parse a file.
    pub fn set_store(&mut self, store: Option<Arc<dyn FactsStore>>) {
        self.store = store;
    }

    /// Sets where the packages are looked for that the source imports. Without settings no package is read.
    pub fn set_libraries(&mut self, libraries: Option<LibrarySettings>) {
        self.libraries = libraries;
    }

    /// Says that the next build is the last one of this builder. It then frees facts as soon as they are linked, which
    /// takes much less memory. Without a store, a further build would parse all files again.
    pub fn set_last(&mut self) {
        self.is_last = true;
    }

    /// Says that nobody reads the typical calls of an index. Without a store, which keeps the index for others, it then
    /// has none, and no file is read again to quote them.
    pub fn leave_out_typical_calls(&mut self) {
        self.without_typical_calls = true;
    }

    /// What the last build found of installed packages; `None` if it looked for none.
    pub fn into_libraries(self) -> Option<Libraries> {
        self.state.found_packages.map(|found| found.libraries)
    }

    /// True if the last build made facts that its store did not have.
    pub fn has_new_facts(&self) -> bool {
        self.state.has_new_facts
    }

    /// The facts of all files of the last build as bytes, by key, for a [`FactsStore`].
    pub fn facts(&mut self) -> Vec<(FactsKey, FactsBytes)> {
        self.compress();
        self.state.facts()
    }

    /// True if the builder has the facts of the last build. Without them the next build takes facts from the store.
    pub fn has_facts(&self) -> bool {
        !self.is_restored
    }

    /// The last index of this builder as bytes, for a [`FactsStore`]; `None` if `index` is not that index.
    pub fn packed_index(&self, index: &Index) -> Option<Vec<u8>> {
        let is_own = index.complete && Arc::ptr_eq(&index.contents, &self.contents) && index.weights.are_default();
        is_own.then(|| kept_index::pack(&self.provenance, self.state.found_packages.as_ref(), index)).flatten()
    }

    /// True if the next build would find these packages; `None` stands for a build that looks for none.
    fn finds(&self, packages: Option<&FoundPackages>) -> bool {
        match (&self.libraries, packages) {
            (Some(settings), Some(packages)) => packages.are_current(settings),
            (None, None) => true,
            _ => false,
        }
    }

    /// The files that the last build read, with the hashes of their contents.
    pub fn contents(&self) -> &Arc<Contents> {
        &self.contents
    }

    /// The folders that the last build walked, relative to the root of the source. Files in other folders are not
    /// indexed.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Compresses the facts that are kept for the next build to about an eighth of their size. Call it after a build;
    /// otherwise the next build compresses them first.
    pub fn compress(&mut self) {
        if !self.state.has_uncompressed() {
            return;
        }
        // Threads that end return the memory that they freed; long-lived threads keep much of it.
        match threads() {
            Ok(threads) => threads.install(|| self.state.compress()),
            Err(_) => self.state.compress(),
        }
    }

    /// Decompresses the kept facts in advance, if all of them are compressed. Call it when the next build is certain to
    /// come but has to wait; otherwise the build decompresses them.
    pub fn decompress(&mut self) {
        if self.decompressed.is_empty()
            && !self.state.unchanged.is_empty()
            && !self.state.has_uncompressed()
            && let Ok(threads) = threads()
        {
            self.decompressed = threads.install(|| self.state.decompress());
        }
    }

    /// Reads and parses new and changed files, then links and counts all files, on all cores.
    ///
    /// # Errors
    /// [`BuildError`] if the source cannot be opened. The problems of single files are in [`Index::diagnostics`].
    pub fn build(&mut self, observe: &mut dyn FnMut(Progress) -> Control) -> Result<BuildOutcome, BuildError> {
        let mut diagnostics = Vec::new();
        let walked = source::walk(&self.source, &mut diagnostics)?;
        let WalkedSource { found, project, folders, .. } = walked;
        self.folders = folders;
        let bytes = found.iter().map(|f| f.size).sum();
        if observe(Progress::Walked { files: found.len(), bytes }) == Control::Cancel {
            return Ok(BuildOutcome::Cancelled);
        }
        let roots = Roots::of(&self.source);
        let pool = threads()?;
        let is_same = || {
            self.provenance.is_same(&self.source, &roots, &found, &project, &diagnostics)
                && self.finds(self.state.found_packages.as_ref())
        };
        if self.is_restored && pool.install(is_same) {
            return Ok(BuildOutcome::Unchanged);
        }
        let is_first = self.last_inputs.is_none() && !self.is_restored;
        let kept = self.store.as_ref().filter(|_| is_first).and_then(|store| store.index());
        let mut known = KnownFiles::default();
        if let Some(kept) = kept.as_deref().and_then(KeptIndex::new) {
            let provenance = &kept.provenance;
            let has_same_files =
                pool.install(|| provenance.is_same(&self.source, &roots, &found, &project, &diagnostics));
            let packages = has_same_files.then(|| kept.packages()).flatten();
            let is_same = has_same_files && pool.install(|| self.finds(packages.as_ref()));
            let mut sources = self.source.metas();
            if packages.is_some() {
                sources.extend(sources_of_packages());
            }
            // The index is allocated by threads that end; see below.
            let index = if is_same { threads()?.install(|| kept.unpack(sources)) } else { None };
            if let Some(index) = index {
                (self.provenance, self.contents, self.is_restored) =
                    (kept.provenance, Arc::clone(&index.contents), true);
                self.state.found_packages = packages;
                return Ok(BuildOutcome::Index { parsed: found.len(), removed: 0, index: Box::new(index) });
            }
            known = kept.into_known_files();
        }
        let before = std::mem::take(&mut self.is_restored).then(|| Arc::clone(&self.contents));
        let walk_diagnostics = diagnostics.clone();
        let decompressed = std::mem::take(&mut self.decompressed);
        self.compress();
        let old = std::mem::take(&mut self.state).unchanged;
        let mut files = Vec::new();
        let project = read_project_files(&self.source, &project, &found, &mut files, &mut diagnostics);
        self.state = BuildState::new(self.source.metas(), project, diagnostics);
        (self.state.files, self.state.roots) = (files, roots.clone());
        self.state.look_for(self.libraries.clone(), self.store.clone(), &found);
        let store = self.store.as_deref();
        if parse_files(&self.source, found, (old, &known), store, &pool, &mut self.state, observe).is_none() {
            return Ok(BuildOutcome::Cancelled);
        }
        let state = &mut self.state;
        self.provenance = Provenance::new(&roots, std::mem::take(&mut state.files), walk_diagnostics);
        self.contents = Arc::new(self.provenance.contents());
        if let Some(before) = before {
            let changes = self.contents.changes_since(&before);
            state.parsed = changes.added.len() + changes.modified.len();
            state.removed = changes.removed.len();
        }
        state.diagnostics.sort();
        let inputs = state.inputs();
        // The files of packages may have changed although no file of the source has.
        let is_unchanged = state.parsed + state.removed == 0 && self.last_inputs.as_ref() == Some(&inputs);
        if is_unchanged && self.libraries.is_none() {
            return Ok(BuildOutcome::Unchanged);
        }
        // A partial index, which is made while files are parsed, leaves the facts as they are.
        state.linked_facts = match (self.is_last, &self.store) {
            (false, _) => LinkedFacts::Keep,
            (true, Some(_)) => LinkedFacts::Compress,
            (true, None) => LinkedFacts::Drop,
        };
        let Some((linked, steps)) = link(state, decompressed, &pool, None, observe) else {
            return Ok(BuildOutcome::Cancelled);
        };
        // New threads allocate the index in memory of their own. If the threads above allocated the index, it would lie
        // between facts and linked programs, and would keep their memory from being returned when they are freed.
        let has_readers = !self.without_typical_calls || self.store.is_some();
        let quoting = has_readers.then_some((&self.source, &*self.contents));
        let Some(mut index) = assemble(state, linked, steps, quoting, &threads()?, observe) else {
            return Ok(BuildOutcome::Cancelled);
        };
        index.complete = true;
        index.contents = Arc::clone(&self.contents);
        self.last_inputs = Some(inputs);
        Ok(BuildOutcome::Index { index: Box::new(index), parsed: state.parsed, removed: state.removed })
    }
}
