//! Sources to an [`Index`], with progress, partial snapshots and cancelling.

use std::{
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
};

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    assemble::assemble,
    packed::{self, PackedFacts, free},
    parse::{Content, Parsed, parse},
    parsed_file::{ParsedFile, ParsedFiles},
};
use crate::{control::Control, index::Index, source::SourceMeta};
use crate::{
    diagnostic::Diagnostic,
    link::{linked::LinkedProgram, typescript::ProjectFile},
    source::{self, FoundFile, Source, WalkError, Walked},
};

/// What the builder reports while it works.
#[derive(Debug)]
pub enum Progress {
    /// The walk is over.
    Walked {
        /// Files of a known language.
        files: usize,
        /// Their size.
        bytes: u64,
    },
    /// Some more files have been read and parsed.
    Parsed {
        /// Files done so far.
        done: usize,
        /// All files.
        total: usize,
        /// Call sites found so far.
        calls: usize,
        /// How much of all sources that is by size, from 0 to 1: the largest files come first, so that their number
        /// says little about the time that is left.
        share: f64,
    },
    /// The snapshot that was asked for with [`Control::Snapshot`].
    Partial(Box<Index>),
}

/// Why a source cannot be indexed at all.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The path is not there.
    #[error("{0} does not exist; name a folder that holds source code")]
    NotFound(String),
    /// The path cannot be opened.
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, std::io::Error),
    /// The operating system gives no threads.
    #[error("no threads can be started: {0}")]
    Threads(rayon::ThreadPoolBuildError),
}

/// Parsing and linking recurse as deep as their limits allow; untouched stack costs nothing.
const STACK: usize = 64 * 1024 * 1024;

/// Reads, parses, links and counts a source, on every core. `Ok(None)` where the observer cancelled.
///
/// # Errors
/// [`BuildError`] where there is nothing to walk; problems of single files are in [`Index::diagnostics`].
pub fn build(source: &Source, observe: &mut dyn FnMut(Progress) -> Control) -> Result<Option<Index>, BuildError> {
    Ok(match Builder::new(source.clone()).build(observe)? {
        Built::Index { index, .. } => Some(*index),
        Built::Unchanged | Built::Cancelled => None,
    })
}

/// Indexes a source, and again when it has changed: what is parsed is kept by content, and parsed once.
pub struct Builder {
    source: Source,
    read: Read,
    /// The kept facts, decompressed for the next build; empty where [`Builder::decompress`] was not called.
    decompressed: Vec<ParsedFile>,
    folders: Vec<PathBuf>,
    /// What the last whole index was made of.
    last: Option<Made>,
}

/// What a build has come to.
#[derive(Debug)]
pub enum Built {
    /// A whole index.
    Index {
        /// It.
        index: Box<Index>,
        /// How many files were read for it that are new or other than they were.
        parsed: usize,
        /// How many files of the one before are no longer there.
        gone: usize,
    },
    /// Everything is as it was for the last whole one.
    Unchanged,
    /// The observer cancelled. What was parsed is kept.
    Cancelled,
}

/// Everything but facts that an index is made of.
#[derive(PartialEq, Eq)]
struct Made {
    meta: Vec<SourceMeta>,
    project: Vec<ProjectFile>,
    diagnostics: Vec<Diagnostic>,
    files: usize,
}

impl Builder {
    /// Builds nothing yet.
    pub fn new(source: Source) -> Self {
        Self { source, read: Read::default(), decompressed: Vec::new(), folders: Vec::new(), last: None }
    }

    /// The folders in which the last build has looked, from the source's root; a file in another one does not count.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Compresses the facts that are kept for the next build to an eighth of their size. Otherwise the next build
    /// begins with that.
    pub fn compress(&mut self) {
        if self.read.contents.is_empty() {
            return;
        }
        // On threads that end with it: those that last would keep for themselves much of what they free.
        match threads() {
            Ok(threads) => threads.install(|| self.read.compress()),
            Err(_) => self.read.compress(),
        }
    }

    /// Decompresses the kept facts, with which the next build begins otherwise. To be called where a build is about to
    /// come but cannot begin yet.
    pub fn decompress(&mut self) {
        if self.decompressed.is_empty()
            && !self.read.kept.is_empty()
            && let Ok(threads) = threads()
        {
            self.decompressed = threads.install(|| self.read.decompressed());
        }
    }

    /// Reads what has changed, links and counts everything, on every core.
    ///
    /// # Errors
    /// [`BuildError`] where there is nothing to walk; problems of single files are in [`Index::diagnostics`].
    pub fn build(&mut self, observe: &mut dyn FnMut(Progress) -> Control) -> Result<Built, BuildError> {
        let mut diagnostics = Vec::new();
        let walked = source::walk(&self.source, &mut diagnostics).map_err(|error| {
            let name = self.source.meta().url;
            match error {
                WalkError::NotFound => BuildError::NotFound(name),
                WalkError::Unreadable(error) => BuildError::Unreadable(name, error),
            }
        })?;
        let Walked { found, project, folders } = walked;
        self.folders = folders;
        let bytes = found.iter().map(|f| f.size).sum();
        if observe(Progress::Walked { files: found.len(), bytes }) == Control::Cancel {
            return Ok(Built::Cancelled);
        }
        let pool = threads()?;
        let decompressed = std::mem::take(&mut self.decompressed);
        self.compress();
        let old = std::mem::take(&mut self.read).kept;
        let project = read_project(&self.source, &project, &mut diagnostics);
        self.read = Read { meta: vec![self.source.meta()], project, diagnostics, ..Read::default() };
        if parse_all(&self.source, found, old, &pool, &mut self.read, observe).is_none() {
            return Ok(Built::Cancelled);
        }
        let read = &mut self.read;
        read.diagnostics.sort();
        let made = Made {
            meta: read.meta.clone(),
            project: read.project.clone(),
            diagnostics: read.diagnostics.clone(),
            files: read.contents.len() + read.kept.len(),
        };
        if read.parsed + read.gone == 0 && self.last.as_ref() == Some(&made) {
            return Ok(Built::Unchanged);
        }
        let linked = pool.install(|| read.link(decompressed));
        // On threads of its own, whose memory is not that of the ones above: what lasts does not lie among what goes.
        let mut index = threads()?.install(|| read.assemble(linked));
        index.complete = true;
        self.last = Some(made);
        Ok(Built::Index { index: Box::new(index), parsed: read.parsed, gone: read.gone })
    }
}

/// What has been read so far.
#[derive(Default)]
struct Read {
    meta: Vec<SourceMeta>,
    /// Facts as they are linked: of files that are new or other than they were, while they are linked of all.
    files: ParsedFiles,
    project: Vec<ProjectFile>,
    diagnostics: Vec<Diagnostic>,
    /// By path, what stands for the content of each file that is new or other than it was.
    contents: FxHashMap<CompactString, u64>,
    /// By path, the facts of the others.
    kept: FxHashMap<CompactString, PackedFacts>,
    /// The folders that are packages of Python: modules are named by them.
    packages: FxHashSet<CompactString>,
    /// Files that are new or other than they were.
    parsed: usize,
    /// Files that are no longer there.
    gone: usize,
}

impl Read {
    fn add(&mut self, path: CompactString, parsed: Parsed) {
        self.diagnostics.extend(parsed.diagnostics);
        self.parsed += usize::from(parsed.is_changed);
        match parsed.file {
            Some(Content::New(content, file)) => {
                self.contents.insert(path, content);
                self.files.push(file);
            }
            Some(Content::Same(kept)) => {
                self.kept.insert(path, kept);
            }
            None => {}
        }
    }

    /// Compresses the facts that are not compressed yet.
    fn compress(&mut self) {
        let files = std::mem::take(&mut self.files).into_par_iter();
        let contents = std::mem::take(&mut self.contents);
        let known = |file: ParsedFile| Some((*contents.get(file.path())?, file));
        self.kept = packed::compress(files.filter_map(known), std::mem::take(&mut self.kept));
    }

    /// Links and counts what is there.
    fn index(&mut self) -> Index {
        let linked = self.link(Vec::new());
        self.assemble(linked)
    }

    /// The compressed facts, decompressed.
    fn decompressed(&self) -> Vec<ParsedFile> {
        self.kept.par_iter().map(|(_, kept)| kept.decompress()).collect()
    }

    /// Links everything. `decompressed` are the kept facts where they are decompressed already, else empty.
    fn link(&mut self, mut decompressed: Vec<ParsedFile>) -> LinkedProgram {
        if decompressed.is_empty() {
            decompressed = self.decompressed();
        }
        decompressed.retain(|file| self.kept.contains_key(file.path()));
        decompressed.into_iter().for_each(|file| self.files.push(file));
        let linked = self.files.link(&self.packages, &self.project);
        let contents = &self.contents;
        free(self.files.split_off(|path| contents.contains_key(path)));
        linked
    }

    fn assemble(&self, linked: LinkedProgram) -> Index {
        assemble(self.meta.clone(), linked, self.diagnostics.clone())
    }
}

fn threads() -> Result<rayon::ThreadPool, BuildError> {
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK).thread_name(|i| format!("index-{i}"));
    threads.build().map_err(BuildError::Threads)
}

/// The files that say how TypeScript is linked: few and small.
fn read_project(source: &Source, found: &[FoundFile], diagnostics: &mut Vec<Diagnostic>) -> Vec<ProjectFile> {
    let read = |found: &FoundFile| {
        let text = source::read(source, found, diagnostics)?;
        Some(ProjectFile { path: found.path.clone(), text: text.source })
    };
    found.iter().filter_map(read).collect()
}

/// Parses every file, the largest first so that no core waits for a last large one. `None` where the observer
/// cancelled.
fn parse_all(
    source: &Source,
    found: Vec<FoundFile>,
    mut old: FxHashMap<CompactString, PackedFacts>,
    pool: &rayon::ThreadPool,
    read: &mut Read,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Option<()> {
    let packages: FxHashSet<CompactString> =
        found.iter().filter_map(|f| f.language.package_folder(&f.path)).map(CompactString::new).collect();
    read.packages.clone_from(&packages);
    let total = found.len();
    let bytes: u64 = found.iter().map(|f| f.size).sum();
    let mut order: Vec<(FoundFile, Option<PackedFacts>)> =
        found.into_iter().map(|f| (old.remove(&f.path), f)).map(|(k, f)| (f, k)).collect();
    read.gone = old.len();
    order.sort_by(|(a, _), (b, _)| b.size.cmp(&a.size).then_with(|| a.path.cmp(&b.path)));
    let cancelled = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let (cancelled, packages) = (&cancelled, &packages);
        scope.spawn(move || {
            pool.install(|| {
                order.into_par_iter().with_max_len(1).for_each_with(sender, |sender, (found, old)| {
                    if !cancelled.load(Ordering::Relaxed) {
                        // The receiver is gone only where the work is no longer wanted.
                        let parsed = parse(source, &found, packages, old);
                        let _ = sender.send((found, parsed));
                    }
                });
            });
        });
        let (mut calls, mut read_bytes) = (0, 0);
        for (done, (found, parsed)) in receiver.into_iter().enumerate() {
            calls += parsed.file.as_ref().map_or(0, Content::calls);
            read_bytes += found.size;
            read.add(found.path, parsed);
            let share = read_bytes as f64 / bytes.max(1) as f64;
            match observe(Progress::Parsed { done: done + 1, total, calls, share }) {
                Control::Continue => {}
                Control::Cancel => {
                    cancelled.store(true, Ordering::Relaxed);
                    break;
                }
                Control::Snapshot => {
                    // On threads of its own: those that parse would begin with it when everything is parsed.
                    let Ok(threads) = threads() else { continue };
                    let partial = threads.install(|| read.index());
                    if observe(Progress::Partial(Box::new(partial))) == Control::Cancel {
                        cancelled.store(true, Ordering::Relaxed);
                        break;
                    }
                }
            }
        }
    });
    (!cancelled.into_inner()).then_some(())
}
