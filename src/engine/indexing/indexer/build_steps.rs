//! The steps of a build. Each step runs on all threads of a pool, and reports its progress to the observer, which may
//! cancel the build.

use std::{
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
};

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    batch::Batch,
    build_state::BuildState,
    builder::{BuildError, Progress},
    compressed::CompressedFacts,
    facts_store::FactsStore,
    kept_index::{KnownFiles, StampedFile},
    parse::{ParseResult, ParsedOrReused, parse},
    parsed_file::{ParsedFile, PythonPackages},
    typical_calls::quote_typical_calls,
};
use crate::index::Index;
use apidisc_base::{
    control::{Control, StepReports},
    diagnostic::Diagnostic,
    language::Language,
    nesting,
    sort::SharedSort as _,
};
use apidisc_facts::source::{self, Contents, FileEntry, ReadFile, Source};
use apidisc_link::{explanation::AskedCalls, linked::LinkedProgram, project_file::ProjectFile};

/// The stack of an indexing thread. Parsing and linking recurse up to their depth limits; the operating system maps
/// only the part of a stack that is used.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// Links all files on the threads of `pool`, and explains the `asked` calls. Returns the program and the steps that it
/// took; `None` if the observer cancelled.
pub(super) fn link(
    state: &mut BuildState,
    decompressed: Vec<ParsedFile>,
    pool: &rayon::ThreadPool,
    asked: Option<&AskedCalls>,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Option<(LinkedProgram, u64)> {
    let (steps, reports) = StepReports::new();
    std::thread::scope(|scope| {
        let linked = scope.spawn(|| pool.install(|| state.link(decompressed, steps, asked)));
        let mut done = 0;
        let is_complete = reports.follow(|steps| {
            done = steps;
            observe(Progress::Linking { steps })
        });
        let linked = linked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        is_complete.then_some((linked, done))
    })
}

/// Makes an index of a linked program on the threads of `pool`. `steps` is the number of steps that linking took.
/// `quoting` is the source from which typical calls are quoted, with the contents that were parsed; without `quoting`
/// the index has no typical calls. `None` if the observer cancelled.
pub(super) fn assemble(
    state: &BuildState,
    linked: LinkedProgram,
    steps: u64,
    quoting: Option<(&Source, &Contents)>,
    pool: &rayon::ThreadPool,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Option<Index> {
    let (counter, reports) = StepReports::new();
    std::thread::scope(|scope| {
        // The reports end when the last counter is dropped, so the counter is moved into the thread.
        let index = scope.spawn(move || {
            pool.install(|| {
                let mut index = state.assemble(linked, counter.clone())?;
                if let Some((source, contents)) = quoting {
                    quote_typical_calls(&mut index, source, contents, &counter);
                }
                Some(index)
            })
        });
        let is_complete = reports.follow(|_| observe(Progress::Linking { steps }));
        let index = index.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        index.filter(|_| is_complete)
    })
}

/// A new pool of indexing threads.
pub(super) fn threads() -> Result<rayon::ThreadPool, BuildError> {
    let threads = rayon::ThreadPoolBuilder::new().thread_name(|i| format!("index-{i}"));
    let threads = threads.stack_size(STACK_BYTES).start_handler(|_| nesting::set_stack(STACK_BYTES));
    threads.build().map_err(BuildError::Threads)
}

/// Reads the files that say how modules are found, and adds them to `files`: the `project` files, and those files of
/// `code` that say so, such as `setup.py`, which are added to `files` as code.
pub(super) fn read_project_files(
    source: &Source,
    project: &[FileEntry],
    code: &[FileEntry],
    files: &mut Vec<StampedFile>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ProjectFile> {
    let read = |found: &FileEntry| {
        let ReadFile { content, stamp, text } = source::read(source, found, diagnostics);
        files.push(StampedFile::new(found, content, stamp, None));
        Some(ProjectFile { path: found.path.clone(), text: text?.source })
    };
    let mut read: Vec<ProjectFile> = project.iter().filter_map(read).collect();
    let says = |found: &&FileEntry| Language::of_project_file(&found.path).is_some();
    read.extend(code.iter().filter(says).filter_map(|found| {
        // Parsing reports the problems of code.
        let text = source::read(source, found, &mut Vec::new()).text?.source;
        Some(ProjectFile { path: found.path.clone(), text })
    }));
    read
}

/// Parses all files into `state`, or reuses their facts in `old` or in `store`. The largest files come first, so that
/// all cores end at about the same time. Files whose trees take much memory are parsed one after the other by one
/// thread, while the other threads parse the other files. `None` if the observer cancelled.
pub(super) fn parse_files(
    source: &Source,
    found: Vec<FileEntry>,
    (mut old, known): (FxHashMap<CompactString, CompressedFacts>, &KnownFiles),
    store: Option<&dyn FactsStore>,
    pool: &rayon::ThreadPool,
    state: &mut BuildState,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Option<()> {
    let packages = found.iter().filter_map(|f| f.language?.package_folder(&f.path)).map(CompactString::new);
    state.packages = PythonPackages { folders: packages.collect() };
    let total = found.len();
    let bytes: u64 = found.iter().map(|f| f.size).sum();
    let mut order: Vec<(FileEntry, Option<CompressedFacts>)> =
        found.into_iter().map(|f| (old.remove(&f.path), f)).map(|(old, f)| (f, old)).collect();
    state.removed = old.len();
    order.shared_sort_by(|(a, _), (b, _)| b.size.cmp(&a.size).then_with(|| a.path.cmp(&b.path)));
    let large: Vec<_> = order.extract_if(.., |(file, _)| source::is_large(file)).collect();
    let cancelled = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let batch = Batch::new(bytes);
    std::thread::scope(|scope| {
        let (cancelled, batch) = (&cancelled, &batch);
        scope.spawn(move || {
            let parse_file = |sender: &mut mpsc::Sender<_>, (found, old)| {
                let is_cancelled = || cancelled.load(Ordering::Relaxed);
                if is_cancelled() {
                    return;
                }
                // Sending fails only after the observer has cancelled.
                let mut watch = || {
                    let _ = sender.send(Vec::new());
                    if is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let parsed = parse(source, &found, (old, known), store, &mut watch);
                if let Some(batch) = batch.add(found, parsed) {
                    let _ = sender.send(batch);
                }
            };
            let mut of_large = sender.clone();
            pool.join(
                || large.into_iter().for_each(|file| parse_file(&mut of_large, file)),
                || order.into_par_iter().with_max_len(1).for_each_with(sender.clone(), parse_file),
            );
            let rest = batch.rest();
            if !rest.is_empty() {
                let _ = sender.send(rest);
            }
        });
        let is_complete = receive(receiver, (total, bytes), state, observe);
        cancelled.store(!is_complete, Ordering::Relaxed);
    });
    (!cancelled.into_inner()).then_some(())
}

/// Adds the results of parsing to `state` as they come, and reports them. `total` is the number of all files, `bytes`
/// their size. False if the observer cancelled.
fn receive(
    results: mpsc::Receiver<Vec<(FileEntry, ParseResult)>>,
    (total, bytes): (usize, u64),
    state: &mut BuildState,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> bool {
    let (mut calls, mut read_bytes) = (0, 0);
    let mut done = 0;
    for results in results {
        // An empty list means that a file takes long to parse. The observer is called nevertheless, so that it can
        // cancel.
        for (found, parsed) in results {
            calls += parsed.facts.as_ref().map_or(0, ParsedOrReused::call_count);
            read_bytes += found.size;
            done += 1;
            state.add(found, parsed);
        }
        let share = read_bytes as f64 / bytes.max(1) as f64;
        match observe(Progress::Parsed { done, total, calls, share }) {
            Control::Continue => {}
            Control::Cancel => return false,
            Control::Snapshot => {
                // The partial index is made on separate threads, because the pool would start it only after all files
                // are parsed.
                let Ok(threads) = threads() else { continue };
                let linked = link(state, Vec::new(), &threads, None, observe);
                let partial =
                    linked.and_then(|(linked, steps)| assemble(state, linked, steps, None, &threads, observe));
                let answer = partial.map(|partial| observe(Progress::Partial(Box::new(partial))));
                if answer.is_none_or(|answer| answer == Control::Cancel) {
                    return false;
                }
            }
        }
    }
    true
}
