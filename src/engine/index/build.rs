//! Sources to an [`Index`], with progress, partial snapshots and cancelling.

use std::sync::{
    atomic::{AtomicBool, Ordering},
    mpsc,
};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{Index, SourceMeta, assemble::assemble};
use crate::engine::{
    diagnostic::{Diagnostic, Problem},
    link::LinkFile,
    source::{self, Found, Source, WalkError},
    syntax::python,
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
    },
    /// The snapshot that was asked for with [`Control::Snapshot`].
    Partial(Box<Index>),
}

/// What the observer wants next. The engine has no clock: the face decides when a snapshot is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Link what has been read so far, report it as [`Progress::Partial`], go on.
    Snapshot,
    /// Stop; [`build`] returns `None`.
    Cancel,
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
    let mut diagnostics = Vec::new();
    let found = source::walk(source, &mut diagnostics).map_err(|error| {
        let name = source.meta().url;
        match error {
            WalkError::NotFound => BuildError::NotFound(name),
            WalkError::Unreadable(error) => BuildError::Unreadable(name, error),
        }
    })?;
    let bytes = found.iter().map(|f| f.size).sum();
    if observe(Progress::Walked { files: found.len(), bytes }) == Control::Cancel {
        return Ok(None);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(STACK)
        .thread_name(|i| format!("index-{i}"))
        .build()
        .map_err(BuildError::Threads)?;
    let sources = vec![source.meta()];
    let Some(files) = parse_all(source, found, &pool, &sources, &mut diagnostics, observe) else { return Ok(None) };
    let mut index = pool.install(|| assemble(sources, &files, diagnostics));
    index.complete = true;
    Ok(Some(index))
}

/// One file's facts, or what went wrong with it.
struct Parsed {
    file: Option<LinkFile>,
    diagnostics: Vec<Diagnostic>,
}

/// Parses every file, the largest first so that no core waits for a last large one; the result is sorted by
/// path. `None` where the observer cancelled.
fn parse_all(
    source: &Source,
    mut found: Vec<Found>,
    pool: &rayon::ThreadPool,
    sources: &[SourceMeta],
    diagnostics: &mut Vec<Diagnostic>,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Option<Vec<LinkFile>> {
    let packages: FxHashSet<&str> = found.iter().filter_map(|f| f.path.strip_suffix("/__init__.py")).collect();
    let modules: Vec<_> =
        found.iter().map(|f| source::module_name(&f.path, |folder| packages.contains(folder))).collect();
    drop(packages);
    let total = found.len();
    let mut order: Vec<(Found, compact_str::CompactString)> = found.drain(..).zip(modules).collect();
    order.sort_by(|a, b| b.0.size.cmp(&a.0.size).then_with(|| a.0.path.cmp(&b.0.path)));
    let cancelled = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let mut files: Vec<LinkFile> = Vec::with_capacity(total);
    std::thread::scope(|scope| {
        let cancelled = &cancelled;
        scope.spawn(move || {
            pool.install(|| {
                order.into_par_iter().with_max_len(1).for_each_with(sender, |sender, (found, module)| {
                    if !cancelled.load(Ordering::Relaxed) {
                        // The receiver is gone only where the work is no longer wanted.
                        let _ = sender.send(parse(source, &found, module));
                    }
                });
            });
        });
        let mut calls = 0;
        for (done, parsed) in receiver.into_iter().enumerate() {
            diagnostics.extend(parsed.diagnostics);
            if let Some(file) = parsed.file {
                calls += file.facts.calls.len();
                files.push(file);
            }
            match observe(Progress::Parsed { done: done + 1, total, calls }) {
                Control::Continue => {}
                Control::Cancel => {
                    cancelled.store(true, Ordering::Relaxed);
                    break;
                }
                Control::Snapshot => {
                    files.sort_by(|a, b| a.path.cmp(&b.path));
                    let partial = pool.install(|| assemble(sources.to_vec(), &files, diagnostics.clone()));
                    if observe(Progress::Partial(Box::new(partial))) == Control::Cancel {
                        cancelled.store(true, Ordering::Relaxed);
                        break;
                    }
                }
            }
        }
    });
    if cancelled.into_inner() {
        return None;
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Some(files)
}

fn parse(source: &Source, found: &Found, module: compact_str::CompactString) -> Parsed {
    let mut diagnostics = Vec::new();
    let file = source::read(source, found, &mut diagnostics).map(|text| {
        let facts = python::facts(&text.source);
        for &(problem, line) in &facts.problems {
            let message = match problem {
                Problem::TooDeep => format!("line {line}: nested too deeply, what lies deeper is not read"),
                _ => format!("line {line}: not valid syntax, the rest is indexed"),
            };
            diagnostics.push(Diagnostic { path: found.path.clone(), problem, message });
        }
        LinkFile { path: found.path.clone(), module, origin: source::origin(&found.path), lines: text.lines, facts }
    });
    Parsed { file, diagnostics }
}
