//! Sets the usage of every definition, and the numbers that are derived from usages.

use std::sync::Arc;

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Definition, File, Index};
use crate::{
    control::StepCounter,
    program::{CallId, CallSite, DefinitionKind, Resolution},
    source::Origin,
    usage::{self, Ledger, Usage},
};

/// The number of calls on receivers of unknown type, by method name.
pub(crate) type UnknownReceiverCalls = FxHashMap<CompactString, u32>;

/// Counts all calls of the index: usages, ranks, totals of modules, and the ledger. The counts are incomplete if `steps` is
/// cancelled.
pub(crate) fn count(index: &mut Index, unknown_receiver_calls: &UnknownReceiverCalls, steps: &StepCounter) {
    let mut calls: Vec<Vec<CallId>> = vec![Vec::new(); index.definitions.len()];
    let mut inherited_calls: Vec<Vec<CallId>> = vec![Vec::new(); index.inherited.len()];
    let mut ambiguous = vec![0u32; index.definitions.len()];
    let mut ledger = Ledger::default();
    for (at, call) in index.calls.iter().enumerate() {
        ledger.add(&index.calls, call);
        let candidates = index.calls.candidates(call);
        match call.resolution {
            Resolution::Resolved(id) => {
                calls[id.index()].push(CallId::new(at));
                if let Some(inherited) = index.inherited_callee(call) {
                    inherited_calls[inherited.index() - calls.len()].push(CallId::new(at));
                }
            }
            _ => candidates.iter().for_each(|id| ambiguous[id.index()] += 1),
        }
    }
    index.ledger = ledger;
    let files = &index.files;
    let origin = |call: &CallSite| origin_position(files, call);
    let count = |steps: &mut StepCounter, (definition, (calls, ambiguous)): (&Definition, (Vec<CallId>, u32))| {
        let calls = calls.into_iter().take_while(|_| steps.step());
        let (signature, overloads) = (definition.signature.as_deref(), definition.overloads.len());
        let mut usage = usage::count(signature, overloads, &index.calls, calls, origin);
        usage.ledger.ambiguous = ambiguous;
        if definition.kind.is_callable() && definition.kind != DefinitionKind::Function {
            let unknown = unknown_receiver_calls.get(definition.name.as_str());
            usage.ledger.unknown_receiver = unknown.copied().unwrap_or_default();
        }
        usage
    };
    let counted = calls.into_par_iter().zip(ambiguous);
    let usages: Vec<Usage> = index.definitions.par_iter().zip(counted).map_init(|| steps.clone(), count).collect();
    let inherited = index.inherited_with_ids().zip(inherited_calls).map(|((id, definition), calls)| {
        let (signature, overloads) = (definition.signature.as_deref(), definition.overloads.len());
        let mut usage = usage::count(signature, overloads, &index.calls, calls.into_iter(), origin);
        let declared = usages[index.declaration(id).index()].ledger;
        usage.ledger.ambiguous = declared.ambiguous;
        usage.ledger.unknown_receiver = declared.unknown_receiver;
        usage
    });
    let inherited = inherited.collect();
    set_usages(index, usages, inherited);
}

/// Gives every definition its usage, in the order of [`Index::definitions`], and every inherited member; then computes
/// ranks and the totals of modules. Equal usages of uncalled definitions are shared, because most definitions are never called.
pub(crate) fn set_usages(index: &mut Index, usages: Vec<Usage>, inherited: Vec<Usage>) {
    let mut uncalled: FxHashMap<(usize, usize, Ledger, [u32; 4]), Arc<Usage>> = FxHashMap::default();
    let definitions = index.definitions.iter_mut().chain(index.inherited.definitions_mut());
    for (definition, usage) in definitions.zip(usages.into_iter().chain(inherited)) {
        definition.usage = if usage.total_calls == 0 {
            let content = (usage.parameters.len(), usage.overloads.len(), usage.ledger, usage.origins);
            Arc::clone(uncalled.entry(content).or_insert_with(|| Arc::new(usage)))
        } else {
            Arc::new(usage)
        };
    }
    rank_definitions(index);
    total_modules(index);
}

/// The origin of the file that holds a call, as a position in [`Origin::ALL`].
pub(crate) fn origin_position(files: &[File], call: &CallSite) -> usize {
    let origin = files[call.file.index()].origin;
    Origin::ALL.iter().position(|o| *o == origin).unwrap_or(0)
}

/// Ranks the called definitions by their number of calls; ties by FQN.
fn rank_definitions(index: &mut Index) {
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

/// Adds the calls of every definition to its module and to all packages above.
pub(super) fn total_modules(index: &mut Index) {
    index.modules.iter_mut().for_each(|module| module.total_calls = 0);
    for definition in &index.definitions {
        let mut next = Some(definition.module);
        while let Some(id) = next {
            let module = &mut index.modules[id.index()];
            module.total_calls += definition.usage.total_calls;
            next = module.parent;
        }
    }
}
