//! What search by intent costs, as a table: time and memory of a corpus beside those of its index, and the time of
//! queries.
//!
//! `cargo bench --bench corpus -- FOLDER…` prints a row for each folder, and one for 200,000 definitions that are made
//! up. CPU is the time of the processor on all threads, which only Linux tells; `kept` is that of reading the bytes of
//! a corpus. Memory is that of the allocated bytes. The time of a query is that of the processor, too, where the system
//! tells it. The queries are names of symbols in words and first sentences of
//! documentation, each with two words of another one. Those of the last column ask for symbols alone, so that no file
//! is read for the code of recipes.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    fs,
    hint::black_box,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

use apidisc::{
    answers::{ReadSource, SymbolTable},
    control::Control,
    discover::{Corpus, Discover, Filter, TypeFilter, built_in_model, discover},
    index::Index,
    indexer,
    program::DefinitionKind,
    source::{self, Source},
};

#[path = "../support/sample.rs"]
#[allow(dead_code)]
mod sample;

/// The system's allocator, which counts the bytes in use.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);

// An allocator cannot be written without `unsafe`. This one only counts and passes every call on.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

const DEFINITIONS: usize = 200_000;
const QUERIES: usize = 300;
/// The number of clock ticks a second in `/proc/self/stat`.
const TICKS: f64 = 100.0;
/// The number of different words of the definitions that are made up.
const WORDS: usize = 6_000;

fn main() {
    println!(
        "| definitions | index: CPU, memory | corpus: CPU, memory | kept: CPU, bytes | query: median, p95, longest | of symbols |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    for folder in std::env::args().skip(1).filter(|word| !word.starts_with("--")) {
        let source = Source::Folder(PathBuf::from(folder));
        let make = || {
            indexer::build(&source, &mut |_| Control::Continue).expect("the folder is there").expect("nobody cancels")
        };
        measure(make, &|path: &str| source::reread(&source, path));
    }
    measure(made_up, &|_| None);
}

fn measure(make: impl FnOnce() -> Index, read: &ReadSource<'_>) {
    let (index, index_cpu, index_memory) = cost(|| Arc::new(make()));
    let symbols = Arc::new(SymbolTable::new(Arc::clone(&index)));
    // The table of symbols serves other requests, too.
    let _ = symbols.find("nothing");
    let (corpus, corpus_cpu, corpus_memory) = cost(|| Corpus::new(Arc::clone(&symbols), read));
    let bytes = corpus.pack();
    let (kept, kept_cpu, _) = cost(|| Corpus::unpack(&bytes, symbols, built_in_model()));
    assert!(kept.is_some_and(|kept| kept.entry_count() == corpus.entry_count()), "the corpus is read again");
    let times = [TypeFilter::Symbol, TypeFilter::All].map(|wanted| {
        let mut times: Vec<f64> = queries(&index).map(|intent| time(&corpus, read, intent, wanted)).collect();
        times.sort_by(f64::total_cmp);
        [0.5, 0.95, 1.0]
            .map(|share| format!("{:.1} ms", times[((times.len() - 1) as f64 * share) as usize] * 1e3))
            .join(", ")
    });
    println!(
        "| {} | {index_cpu:.2} s, {index_memory:.1} MB | {corpus_cpu:.2} s ({:.0}%), {corpus_memory:.1} MB ({:.0}%) | {kept_cpu:.2} s, {:.1} MB | {} | {} |",
        index.definitions.len(),
        corpus_cpu / index_cpu * 100.0,
        corpus_memory / index_memory * 100.0,
        bytes.len() as f64 / 1e6,
        times[1],
        times[0],
    );
}

/// What `make` returns, the seconds of processor time that it takes, and the megabytes by which memory grows.
fn cost<T>(make: impl FnOnce() -> T) -> (T, f64, f64) {
    let (cpu, memory) = (processor_time(), memory());
    let made = make();
    (made, processor_time() - cpu, self::memory() - memory)
}

fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    // User and system time are the fields 14 and 15; the field 3 follows the name in parentheses.
    (ticks(11) + ticks(12)) / TICKS
}

fn memory() -> f64 {
    LIVE.load(Relaxed) as f64 / 1e6
}

fn time(corpus: &Corpus, read: &ReadSource<'_>, intent: String, kind: TypeFilter) -> f64 {
    let request = Discover { intent, filter: Filter { kind, min_score: 0.0 }, ..Discover::default() };
    let (start, cpu) = (Instant::now(), thread_time());
    let _ = black_box(discover(corpus, read, &request));
    thread_time().zip(cpu).map_or(start.elapsed().as_secs_f64(), |(end, start)| end - start)
}

/// The seconds that this thread has used; `None` if the system does not tell.
fn thread_time() -> Option<f64> {
    // Linux counts the time up to now when the thread offers the processor to others.
    thread::yield_now();
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

fn queries(index: &Index) -> impl Iterator<Item = String> {
    let step = (index.definitions.len() / QUERIES).max(1);
    let mut last = String::new();
    index.definitions_with_ids().step_by(step).map(move |(_, definition)| {
        let text = match definition.summary.as_deref() {
            Some(summary) => summary.split(". ").next().unwrap_or(summary).to_owned(),
            None => definition.name.replace('_', " "),
        };
        let of_other: Vec<&str> = last.split_whitespace().take(2).collect();
        let query = format!("{text} {}", of_other.join(" "));
        last = text;
        query
    })
}

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    /// A word. As in texts, the n-th word is about n times rarer than the first.
    fn word(&mut self) -> String {
        const KNOWN: [&str; 16] = [
            "get", "value", "name", "type", "error", "request", "file", "session", "delete", "config", "stream",
            "parse", "client", "token", "cache", "index",
        ];
        let number = (WORDS as f64).powf(self.below(1 << 20) as f64 / f64::from(1 << 20)) as usize - 1;
        if let Some(known) = KNOWN.get(number) {
            return (*known).to_owned();
        }
        let mut word = String::new();
        let mut rest = number * 7 + 1;
        while rest > 0 {
            word.push(char::from(b"bcdfglmnprst"[rest % 12]));
            word.push(char::from(b"aeiou"[rest / 12 % 5]));
            rest /= 60;
        }
        word
    }
}

/// An index with classes, methods and functions, most of which have parameters and a summary.
fn made_up() -> Index {
    let mut random = Random(7);
    let mut sample = sample::Sample::default();
    let modules: Vec<_> =
        (0..2_000).map(|i| sample.module(&format!("library.{}_{i}.{}", random.word(), random.word()))).collect();
    let mut class = None;
    for number in 0..DEFINITIONS - modules.len() {
        let module = modules[number * modules.len() / DEFINITIONS];
        let parameters: Vec<String> = (0..random.below(5)).map(|p| format!("{}_{p}=1", random.word())).collect();
        let signature = format!("self; {}", parameters.join(", "));
        let (kind, parent, name) = match number % 8 {
            0 => (DefinitionKind::Class, None, format!("{}{}{number}", random.word(), random.word())),
            1 | 2 => (DefinitionKind::Function, None, format!("{}_{}_{number}", random.word(), random.word())),
            _ => (DefinitionKind::Method, class, format!("{}_{}", random.word(), random.word())),
        };
        let id = sample.callable(module, parent, kind, &name, &signature);
        if kind == DefinitionKind::Class {
            class = Some(id);
        }
        let definition = sample.edit(id);
        definition.usage_mut().total_calls = random.below(100) as u32;
        if number % 3 > 0 {
            let words: Vec<String> = (0..10).map(|_| random.word()).collect();
            definition.summary = Some(words.join(" ").as_str().into());
        }
    }
    Arc::into_inner(sample.build()).expect("the only one")
}
