//! Counts the work of a build: an allocator that counts, and assertions about ratios of the counts.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    borrow::Cow,
    ffi::c_void,
    sync::{
        Mutex, MutexGuard, Once,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use apidisc::{
    control::Control,
    indexer::{Progress, build},
    source::Source,
    syntax::count_allocation,
};

/// The system's allocator with counters.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls of the allocator that returned memory.
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
/// Bytes in use now.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// The greatest value of [`LIVE`] since the last measurement began.
static PEAK: AtomicUsize = AtomicUsize::new(0);

// An allocator cannot be written without `unsafe`. This one only counts and passes every call on.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Allocations of the parser, which allocates through C.
static OF_PARSER: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn realloc(old: *mut c_void, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

#[allow(unsafe_code)]
unsafe extern "C" fn counted_malloc(size: usize) -> *mut c_void {
    OF_PARSER.fetch_add(1, Relaxed);
    count_allocation();
    unsafe { malloc(size) }
}

#[allow(unsafe_code)]
unsafe extern "C" fn counted_calloc(count: usize, size: usize) -> *mut c_void {
    OF_PARSER.fetch_add(1, Relaxed);
    count_allocation();
    unsafe { calloc(count, size) }
}

/// Makes the parser count its allocations. The functions are those that it uses anyway.
#[allow(unsafe_code)]
fn count_the_parser() {
    static ONCE: Once = Once::new();
    let allocator = tree_sitter::Allocator { malloc: counted_malloc, calloc: counted_calloc, realloc, free };
    ONCE.call_once(|| unsafe { tree_sitter::set_allocator(Some(allocator)) });
}

/// The counted work of one build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// Calls of the allocator.
    pub(crate) allocations: usize,
    /// Bytes held at the peak, beyond those held before the build.
    pub(crate) peak_bytes: usize,
    /// Steps of type inference.
    pub(crate) steps: u64,
    /// Allocations of the parser.
    pub(crate) parser: usize,
}

/// Files in memory: path and text.
pub(crate) type Files = Vec<(String, String)>;

/// Held while programs are generated and builds are measured: the counters are global.
static MEASURING: Mutex<()> = Mutex::new(());

/// The largest ratio of allocations, and of steps, when the size of a program doubles.
const MAX_WORK_RATIO: f64 = 2.3;

/// The largest ratio of the peaks of memory when the size of a program doubles.
const MAX_MEMORY_RATIO: f64 = 2.2;

/// How often the peaks are measured again when the memory seems to grow too much.
const MAX_REPEATS: usize = 40;

/// Keeps other tests from measuring while the guard lives: the counters would count the work of both.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    count_the_parser();
    MEASURING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Indexes files in memory and counts the work.
pub(crate) fn work_of(files: Files) -> Work {
    let mut steps = 0;
    let work = measure(
        || source(files),
        |source| {
            let mut observe = |progress| {
                if let Progress::Linking { steps: done } = progress {
                    steps = done;
                }
                Control::Continue
            };
            build(&source, &mut observe).expect("an index");
        },
    );
    Work { steps, ..work }
}

/// A source of files in memory.
pub(crate) fn source(files: Files) -> Source {
    let files = files.into_iter().map(|(path, text)| (path, Cow::Owned(text.into_bytes()))).collect();
    Source::Memory { name: "growth".to_owned(), files }
}

/// Counts the work of one run, without steps. The input is prepared before counting begins.
pub(crate) fn measure<T>(prepare: impl FnOnce() -> T, run: impl FnOnce(T)) -> Work {
    let input = prepare();
    let (allocations, live, parser) = (ALLOCATIONS.load(Relaxed), LIVE.load(Relaxed), OF_PARSER.load(Relaxed));
    PEAK.store(live, Relaxed);
    run(input);
    let peak_bytes = PEAK.load(Relaxed).saturating_sub(live);
    let allocations = ALLOCATIONS.load(Relaxed) - allocations;
    Work { allocations, peak_bytes, steps: 0, parser: OF_PARSER.load(Relaxed) - parser }
}

/// Asserts that doubling the size of a generated program multiplies the allocations and the steps of inference by at
/// most 2.3, and the peak of the memory by at most 2.2.
pub(crate) fn assert_linear(size: usize, program: impl Fn(usize) -> Files) {
    assert_linear_work(size, |size| work_of(program(size)));
}

/// Asserts the same of any work.
pub(crate) fn assert_linear_work(size: usize, work: impl Fn(usize) -> Work) {
    let _measuring = alone();
    work(size / 8); // tables that are made once
    let (mut once, mut twice) = (work(size), work(2 * size));
    let ratio = |a: usize, b: usize| b as f64 / a.max(1) as f64;
    // Threads free the memory of earlier builds sooner or later, so one peak may be too high or too low by chance: the
    // medians of several count.
    let mut peaks = (vec![once.peak_bytes], vec![twice.peak_bytes]);
    for _ in 0..MAX_REPEATS {
        if ratio(once.peak_bytes, twice.peak_bytes) <= MAX_MEMORY_RATIO {
            break;
        }
        peaks.0.push(work(size).peak_bytes);
        peaks.1.push(work(2 * size).peak_bytes);
        once.peak_bytes = median(&mut peaks.0);
        twice.peak_bytes = median(&mut peaks.1);
    }
    let allocations = ratio(once.allocations, twice.allocations);
    let steps = ratio(once.steps as usize, twice.steps as usize);
    let parser = ratio(once.parser, twice.parser);
    let memory = ratio(once.peak_bytes, twice.peak_bytes);
    let grows = |what, by| format!("{what} grows by {by:.2} when the size doubles: {once:?}, {twice:?}");
    assert!(allocations <= MAX_WORK_RATIO, "{}", grows("work", allocations));
    assert!(once.steps == 0 || steps <= MAX_WORK_RATIO, "{}", grows("inference", steps));
    assert!(once.parser == 0 || parser <= MAX_WORK_RATIO, "{}", grows("parsing", parser));
    assert!(memory <= MAX_MEMORY_RATIO, "{}", grows("memory", memory));
}

/// The middle one of some numbers in order, the lower of the two middle ones of an even count.
fn median(numbers: &mut [usize]) -> usize {
    numbers.sort_unstable();
    numbers[(numbers.len() - 1) / 2]
}

/// Asserts that a small program whose types grow exponentially is indexed within bounds: at most a million steps of
/// inference and two million allocations.
pub(crate) fn assert_bounded(program: impl FnOnce() -> String) {
    let _measuring = alone();
    let work = work_of(vec![("a.py".to_owned(), program())]);
    assert!(work.steps <= 1_000_000 && work.allocations <= 2_000_000, "{work:?}");
}
