//! Indexing against parsing alone, on the same files in the same run: a ratio, since seconds differ by machine.
//!
//! `APIDISC_BENCH` names the folder to read, the demo project without it; `tests/bench/index.sh` prints the ratios.

use std::{env, fs, hint::black_box, path::PathBuf};

use apidisc::engine::{
    index::{self, Control},
    source::Source,
};
use criterion::{Criterion, criterion_group, criterion_main};
use ignore::WalkBuilder;
use rayon::{ThreadPool, ThreadPoolBuilder};
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

fn index(source: &Source, threads: &ThreadPool) -> usize {
    let built = threads.install(|| index::build(source, &mut |_| Control::Continue));
    built.expect("the folder is there").map_or(0, |index| index.calls.len())
}

fn threads(count: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(count).build().expect("threads can be made")
}

fn compare(criterion: &mut Criterion) {
    let folder = folder();
    let files = python_files(&folder);
    let source = Source::Folder(folder);
    let mut group = criterion.benchmark_group("index");
    group.sample_size(10);
    group.bench_function("parse", |bencher| bencher.iter(|| black_box(parse(&files))));
    for count in [1, 2] {
        let threads = threads(count);
        let name = format!("threads-{count}");
        group.bench_function(name, |bencher| bencher.iter(|| black_box(index(&source, &threads))));
    }
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
