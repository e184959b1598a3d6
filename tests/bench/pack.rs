//! Stubs of one large module: preparing it, and a budget step once it is prepared.

use std::{hint::black_box, sync::Arc};

use apidisc::{
    delivery::{Format, Packer},
    index::{Index, Scope},
    program::{DefinitionKind, ModuleId, ParameterSet},
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};
use criterion::{Criterion, criterion_group, criterion_main};

#[path = "../support/sample.rs"]
#[allow(dead_code)]
mod sample;

const DEFINITIONS: usize = 3_000;
const CALLS: u32 = 20_000;

/// A module of classes and functions whose calls fall off as real ones do: few with many, many with few.
fn large() -> Arc<Index> {
    let mut sample = sample::Sample::default();
    let module = sample.module("large");
    let mut state = 42_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let mut class = None;
    for i in 0..DEFINITIONS {
        let names = ["name", "timeout", "retries", "session", "headers", "strict", "encoding", "on_error", "limit"];
        let parameters: Vec<String> = (0..random(14))
            .map(|p| {
                let name = format!("{}_{p}", names[random(names.len())]);
                if p == 0 { format!("{name}: str") } else { format!("{name}: str | None = None") }
            })
            .collect();
        let signature = format!("self; {} -> Result", parameters.join(", "));
        let (kind, parent) = match i % 6 {
            0 => (DefinitionKind::Class, None),
            1 => (DefinitionKind::Function, None),
            _ => (DefinitionKind::Method, class),
        };
        let id = sample.callable(module, parent, kind, &format!("member_{i}"), &signature);
        sample.edit(id).summary = Some(format!("Does the work number {i} with what it is given.").into());
        if kind == DefinitionKind::Class {
            class = Some(id);
        }
        let mut calls = CALLS / (1 + i as u32) / 9;
        calls += u32::from(random(3) > 0) * (1 + random(8) as u32);
        while calls > 0 {
            let random_count = random(5);
            let required = usize::from(!parameters.is_empty());
            let optional = (0..random_count).map(|_| random(14).min(random(14)));
            let optional: Vec<usize> = optional.filter(|&p| p < parameters.len()).collect();
            let set: ParameterSet = (0..required).chain(optional).collect();
            let part = 1 + random(calls as usize) as u32;
            sample.calls_with(id, set, false, part);
            calls -= part;
        }
    }
    sample.build()
}

fn pack(criterion: &mut Criterion) {
    let index = large();
    let scope = Scope::Module(ModuleId::new(0));
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let packer = Packer::new(&index, scope, &tokenizer).expect("members");
    let mut group = criterion.benchmark_group("pack");
    group.sample_size(20);
    group.bench_function("prepare", |b| {
        b.iter(|| Packer::new(black_box(&index), scope, &tokenizer).map(|p| p.smallest_budget(Format::Stub)));
    });
    for base in [500, 1_000, 2_000, 4_000, 8_000, 16_000] {
        // Every step is another budget, as when a key is held.
        let mut step = 0;
        group.bench_function(format!("step at {base}"), |b| {
            b.iter(|| {
                step = (step + 1) % 50;
                packer.deliver(&Strategy::TokenBudget { max_tokens: base - step }, Format::Stub)
            });
        });
    }
    for (name, strategy) in [
        ("coverage", Strategy::Coverage { target: 0.5 }),
        ("threshold", Strategy::Threshold { min_frequency: 0.2 }),
        ("exhaustive", Strategy::Exhaustive),
    ] {
        group.bench_function(name, |b| b.iter(|| packer.deliver(black_box(&strategy), Format::Stub)));
    }
    group.finish();
}

criterion_group!(benches, pack);
criterion_main!(benches);
