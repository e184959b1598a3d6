//! Search among 200,000 names: collecting them once, then queries as they are typed.

use std::{hint::black_box, sync::Arc};

use apidisc::{
    index::Index,
    program::DefinitionKind,
    search::{Catalog, Query, Searcher},
};
use criterion::{Criterion, criterion_group, criterion_main};

#[path = "../support/sample.rs"]
#[allow(dead_code)]
mod sample;

const SYMBOLS: usize = 200_000;
/// The number of hits that the explorer asks for.
const LIMIT: usize = 1_000;

/// An index whose names are combined from a small vocabulary, as in a large repository. Each parameter is a
/// name, too.
fn large() -> Index {
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let words = [
        "agent", "session", "model", "request", "response", "tool", "config", "runner", "event", "storage", "http",
        "client", "server", "token", "parser", "index", "query", "field", "schema", "stream", "async", "test", "cache",
    ];
    let mut sample = sample::Sample::default();
    let mut modules = Vec::new();
    for i in 0..1_000 {
        let (a, b) = (words[random(words.len())], words[random(words.len())]);
        modules.push(sample.module(&format!("library.{a}_{i}.{b}")));
    }
    let mut names = modules.len();
    let mut class = None;
    while names < SYMBOLS {
        let module = modules[random(modules.len())];
        let [a, b, c] = [0; 3].map(|_| words[random(words.len())]);
        let parameters: Vec<String> = (0..random(5)).map(|p| format!("{}_{p}=1", words[random(words.len())])).collect();
        let signature = format!("self; {}", parameters.join(", "));
        let (kind, parent, name) = match names % 4 {
            0 => (DefinitionKind::Class, None, format!("{a}{b}{names}")),
            1 => (DefinitionKind::Function, None, format!("{a}_{b}_{c}_{names}")),
            _ => (DefinitionKind::Method, class, format!("{a}_{b}_{names}")),
        };
        let id = sample.callable(module, parent, kind, &name, &signature);
        if kind == DefinitionKind::Class {
            class = Some(id);
        }
        sample.edit(id).usage_mut().total_calls = random(1_000) as u32;
        names += 1 + parameters.len();
    }
    Arc::into_inner(sample.build()).expect("the only one")
}

fn find(criterion: &mut Criterion) {
    let catalog = Catalog::new(Arc::new(large()), 1);
    let mut searcher = Searcher::new(&catalog);
    println!("{} names", searcher.len());
    let mut group = criterion.benchmark_group("find");
    group.sample_size(20);
    group.bench_function("gather", |b| b.iter(|| black_box(Searcher::new(&catalog)).len()));
    for typed in ["a", "ag", "age", "agent", "agent mod", "kind:class ses", "in:library.agent run", "unused", "xq"] {
        let query = Query::parse(typed);
        // The query before it has no name in common with it, so the searcher reuses nothing.
        let mut first = || {
            let _ = searcher.search(&catalog, &Query::parse("unused in:nowhere"), LIMIT, &mut |_| true);
            searcher.search(&catalog, &query, LIMIT, &mut |_| true)
        };
        group.bench_function(typed, |b| b.iter(|| black_box(first())));
    }
    group.finish();
}

criterion_group!(benches, find);
criterion_main!(benches);
