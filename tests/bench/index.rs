//! Indexing against parsing alone, on the same files in the same run: a ratio, since seconds differ by machine.
//!
//! `APIDISC_BENCH` names the folder to read, the demo project without it; `tests/bench/index.sh` prints the ratios.

use std::{
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
};

/// The allocator of the program, so that parsing and indexing take the times that they take there.
#[path = "../../src/allocator.rs"]
#[allow(dead_code, reason = "the explorer alone returns memory")]
mod allocator;

use apidisc::{control::Control, indexer, source::Source};
use criterion::{Criterion, criterion_group, criterion_main};
use tree_sitter::Parser;

fn folder() -> PathBuf {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo");
    env::var_os("APIDISC_BENCH").map_or_else(|| demo.into(), PathBuf::from)
}

/// The files of code of a folder that an index of it has. Documents are left out: only what they quote is parsed.
fn files_of_code(source: &Source, folder: &Path) -> Vec<PathBuf> {
    let built = indexer::build(source, &mut |_| Control::Continue).expect("the folder is there");
    let index = built.expect("nobody cancels");
    let code = index.files.iter().filter(|file| !file.is_document());
    let mut paths: Vec<PathBuf> = code.map(|file| folder.join(&file.path)).collect();
    // The examples of a file are a second file with its path.
    paths.dedup();
    paths
}

fn parser(grammar: impl Into<tree_sitter::Language>) -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&grammar.into()).expect("the grammar fits the parser");
    parser
}

fn parse(files: &[PathBuf]) -> usize {
    let mut python = parser(tree_sitter_python::LANGUAGE);
    let mut typescript = parser(tree_sitter_typescript::LANGUAGE_TYPESCRIPT);
    let mut tsx = parser(tree_sitter_typescript::LANGUAGE_TSX);
    let trees = files.iter().filter_map(|path| {
        let parser = match path.extension()?.to_str()? {
            "py" | "pyi" => &mut python,
            "ts" | "mts" | "cts" => &mut typescript,
            "tsx" | "js" | "jsx" | "mjs" | "cjs" => &mut tsx,
            // A notebook is no text of a language.
            _ => return None,
        };
        parser.parse(fs::read(path).ok()?, None)
    });
    trees.map(|tree| tree.root_node().descendant_count()).sum()
}

fn index(source: &Source) -> usize {
    let built = indexer::build(source, &mut |_| Control::Continue);
    built.expect("the folder is there").map_or(0, |index| index.calls.len())
}

fn compare(criterion: &mut Criterion) {
    allocator::configure();
    let folder = folder();
    let source = Source::Folder(folder.clone());
    let files = files_of_code(&source, &folder);
    // The indexer takes as many threads as RAYON_NUM_THREADS says.
    let mut group = criterion.benchmark_group(format!("threads-{}", rayon::current_num_threads()));
    group.sample_size(10);
    group.bench_function("parse", |bencher| bencher.iter(|| black_box(parse(&files))));
    group.bench_function("index", |bencher| bencher.iter(|| black_box(index(&source))));
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
