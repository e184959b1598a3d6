//! The usage of every definition, and what follows from it.

use std::sync::Arc;

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Definition, File, Index};
use crate::program::{CallId, DefinitionKind};
use crate::{
    program::{CallSite, Resolution},
    source::Origin,
    usage::{self, Ledger, Usage},
};

/// Calls on receivers of unknown type, by the method's name.
pub(crate) type UnknownMethods = FxHashMap<CompactString, u32>;

/// Counts the calls of an index whose definitions are named.
pub(crate) fn count(index: &mut Index, unknown_methods: &UnknownMethods) {
    let mut calls: Vec<Vec<CallId>> = vec![Vec::new(); index.definitions.len()];
    let mut ambiguous = vec![0u32; index.definitions.len()];
    let mut ledger = Ledger::default();
    for (i, call) in index.calls.iter().enumerate() {
        ledger.add(&index.calls, call);
        let candidates = index.calls.candidates(call);
        match call.resolution {
            Resolution::Resolved(id) => calls[id.index()].push(CallId::new(i)),
            _ => candidates.iter().for_each(|id| ambiguous[id.index()] += 1),
        }
    }
    index.ledger = ledger;
    let files = &index.files;
    let origin = |call: &CallSite| origin_place(files, call);
    let count = |(definition, (own, ambiguous)): (&Definition, (Vec<CallId>, u32))| {
        let mut usage = usage::count(definition.signature.as_deref(), &index.calls, own.into_iter(), origin);
        usage.ledger.ambiguous = ambiguous;
        if definition.kind.is_callable() && definition.kind != DefinitionKind::Function {
            let unknown = unknown_methods.get(definition.name.as_str());
            usage.ledger.unknown_receiver = unknown.copied().unwrap_or_default();
        }
        usage
    };
    let counted = calls.into_par_iter().zip(ambiguous);
    let counted: Vec<Usage> = index.definitions.par_iter().zip(counted).map(count).collect();
    set(index, counted);
    rank(index);
    sum(index);
}

/// Gives every definition its usage. What is said of all that nobody calls is kept once.
pub(crate) fn set(index: &mut Index, counted: Vec<Usage>) {
    let mut uncalled: FxHashMap<(usize, Ledger, [u32; 4]), Arc<Usage>> = FxHashMap::default();
    for (definition, usage) in index.definitions.iter_mut().zip(counted) {
        definition.usage = if usage.total_calls == 0 {
            let alike = (usage.parameters.len(), usage.ledger, usage.origins);
            Arc::clone(uncalled.entry(alike).or_insert_with(|| Arc::new(usage)))
        } else {
            Arc::new(usage)
        };
    }
}

/// The place of a call's file in [`Origin::ALL`].
pub(crate) fn origin_place(files: &[File], call: &CallSite) -> usize {
    let origin = files[call.file.index()].origin;
    Origin::ALL.iter().position(|o| *o == origin).unwrap_or(0)
}

/// Gives every called definition its place among all of them.
pub(crate) fn rank(index: &mut Index) {
    let mut ranked: Vec<usize> = (0..index.definitions.len())
        .filter(|&i| index.definitions[i].kind.is_callable() && index.definitions[i].usage.total_calls > 0)
        .collect();
    ranked.sort_by(|&a, &b| {
        let (a, b) = (&index.definitions[a], &index.definitions[b]);
        b.usage.total_calls.cmp(&a.usage.total_calls).then_with(|| a.fqn.cmp(&b.fqn))
    });
    for (rank, i) in ranked.into_iter().enumerate() {
        index.definitions[i].usage_mut().rank = rank as u32 + 1;
    }
}

/// Calls of modules are those of everything below them.
pub(crate) fn sum(index: &mut Index) {
    index.modules.iter_mut().for_each(|module| module.total_calls = 0);
    for definition in &index.definitions {
        let mut at = Some(definition.module);
        while let Some(module) = at {
            let row = &mut index.modules[module.index()];
            row.total_calls += definition.usage.total_calls;
            at = row.parent;
        }
    }
}
