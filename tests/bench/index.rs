//! Indexing against parsing alone, on the same files in the same run: a ratio, since seconds differ by machine.
//!
//! `APIDISC_BENCH` names the folder to read, the demo project without it; `tests/bench/index.sh` prints the ratios.

use std::{env, fs, hint::black_box, path::PathBuf};

use apidisc::{control::Control, indexer, source::Source};
use criterion::{Criterion, criterion_group, criterion_main};
use ignore::WalkBuilder;
use tree_sitter::Parser;

fn folder() -> PathBuf {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo");
    env::var_os("APIDISC_BENCH").map_or_else(|| demo.into(), PathBuf::from)
}

fn python_files(folder: &PathBuf) -> Vec<PathBuf> {
    let files = WalkBuilder::new(folder).build().filter_map(|entry| Some(entry.ok()?.into_path()));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "py" || extension == "pyi")).collect()
}

fn parse(files: &[PathBuf]) -> usize {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).expect("the grammar fits the parser");
    let trees = files.iter().filter_map(|path| parser.parse(fs::read(path).ok()?, None));
    trees.map(|tree| tree.root_node().descendant_count()).sum()
}

fn index(source: &Source) -> usize {
    let built = indexer::build(source, &mut |_| Control::Continue);
    built.expect("the folder is there").map_or(0, |index| index.calls.len())
}

fn compare(criterion: &mut Criterion) {
    let folder = folder();
    let files = python_files(&folder);
    let source = Source::Folder(folder);
    // The indexer takes as many threads as RAYON_NUM_THREADS says.
    let mut group = criterion.benchmark_group(format!("threads-{}", rayon::current_num_threads()));
    group.sample_size(10);
    group.bench_function("parse", |bencher| bencher.iter(|| black_box(parse(&files))));
    group.bench_function("index", |bencher| bencher.iter(|| black_box(index(&source))));
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
