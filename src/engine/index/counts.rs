//! Sets the usage of every definition, and the numbers that are derived from usages.

use std::sync::Arc;

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Definition, File, Index};
use crate::{
    control::StepCounter,
    program::{CallId, CallSite, DefinitionKind, FileId, ReadId, Resolution},
    source::Origin,
    usage::{self, Ledger, Usage},
};

/// The number of calls on receivers of unknown type, by method name.
pub(crate) type UnknownReceiverCalls = FxHashMap<CompactString, u32>;

/// The uses of one definition.
struct UseSites {
    calls: Vec<CallId>,
    reads: Vec<ReadId>,
}

/// Counts all calls and reads of the index: usages, ranks, totals of modules, and the ledger. The counts are incomplete if
/// `steps` is cancelled.
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
    let origin = |file: FileId| origin_position(files, file);
    let count = |steps: &mut StepCounter,
                 (definition, (UseSites { calls, reads }, ambiguous)): (&Definition, (UseSites, u32))| {
        let calls = calls.into_iter().take_while(|_| steps.step());
        let (signature, overloads) = (definition.signature.as_deref(), definition.overloads.len());
        let origin_of_call = |call: &CallSite| origin(call.file);
        let mut usage = usage::count(signature, overloads, &index.calls, calls, origin_of_call);
        usage::count_reads(&mut usage, &index.reads, reads, |_| 1, origin);
        usage.ledger.ambiguous = ambiguous;
        if definition.kind.is_callable() && definition.kind != DefinitionKind::Function {
            let unknown = unknown_receiver_calls.get(definition.name.as_str());
            usage.ledger.unknown_receiver = unknown.copied().unwrap_or_default();
        }
        usage
    };
    let mut reads = reads_by_attribute(index);
    let inherited_reads = reads.split_off(index.definitions.len());
    let counted = calls.into_par_iter().zip(reads).map(|(calls, reads)| UseSites { calls, reads }).zip(ambiguous);
    let usages: Vec<Usage> = index.definitions.par_iter().zip(counted).map_init(|| steps.clone(), count).collect();
    let sites = inherited_calls.into_iter().zip(inherited_reads);
    let inherited = index.inherited_with_ids().zip(sites).map(|((id, definition), (calls, reads))| {
        let (signature, overloads) = (definition.signature.as_deref(), definition.overloads.len());
        let origin_of_call = |call: &CallSite| origin(call.file);
        let mut usage = usage::count(signature, overloads, &index.calls, calls.into_iter(), origin_of_call);
        usage::count_reads(&mut usage, &index.reads, reads, |_| 1, origin);
        let declared = usages[index.declaration(id).index()].ledger;
        usage.ledger.ambiguous = declared.ambiguous;
        usage.ledger.unknown_receiver = declared.unknown_receiver;
        usage
    });
    let inherited = inherited.collect();
    set_usages(index, usages, inherited);
}

/// The reads of each definition and of each inherited member, in the order of [`Index::reads`].
pub(super) fn reads_by_attribute(index: &Index) -> Vec<Vec<ReadId>> {
    let mut reads: Vec<Vec<ReadId>> = vec![Vec::new(); index.definitions.len() + index.inherited.len()];
    for (at, read) in index.reads.iter().enumerate() {
        for attribute in [read.attribute].into_iter().chain(index.inherited_attribute(read)) {
            reads[attribute.index()].push(ReadId::new(at));
        }
    }
    reads
}

/// Gives every definition its usage, in the order of [`Index::definitions`], and every inherited member; then computes
/// ranks and the totals of modules. Equal usages of unused definitions are shared, because most definitions are never used.
pub(crate) fn set_usages(index: &mut Index, usages: Vec<Usage>, inherited: Vec<Usage>) {
    let mut unused: FxHashMap<(usize, usize, Ledger, [u32; 4]), Arc<Usage>> = FxHashMap::default();
    let definitions = index.definitions.iter_mut().chain(index.inherited.definitions_mut());
    for (definition, usage) in definitions.zip(usages.into_iter().chain(inherited)) {
        definition.usage = if usage.uses() == 0 {
            let content = (usage.parameters.len(), usage.overloads.len(), usage.ledger, usage.origins);
            Arc::clone(unused.entry(content).or_insert_with(|| Arc::new(usage)))
        } else {
            Arc::new(usage)
        };
    }
    rank_definitions(index);
    total_modules(index);
}

/// The origin of a file, as a position in [`Origin::ALL`].
pub(crate) fn origin_position(files: &[File], file: FileId) -> usize {
    let origin = files[file.index()].origin;
    Origin::ALL.iter().position(|o| *o == origin).unwrap_or(0)
}

/// Ranks the used definitions by their number of uses; ties by FQN.
fn rank_definitions(index: &mut Index) {
    let is_ranked = |definition: &Definition| {
        (definition.kind.is_callable() || definition.kind.is_readable()) && definition.usage.uses() > 0
    };
    let mut ranked: Vec<usize> = (0..index.definitions.len()).filter(|&i| is_ranked(&index.definitions[i])).collect();
    ranked.sort_by(|&a, &b| {
        let (a, b) = (&index.definitions[a], &index.definitions[b]);
        b.usage.uses().cmp(&a.usage.uses()).then_with(|| a.fqn.cmp(&b.fqn))
    });
    for (rank, i) in ranked.into_iter().enumerate() {
        index.definitions[i].usage_mut().rank = rank as u32 + 1;
    }
}

/// Adds the uses of every definition to its module and to all packages above.
pub(super) fn total_modules(index: &mut Index) {
    index.modules.iter_mut().for_each(|module| (module.total_calls, module.total_reads) = (0, 0));
    for definition in &index.definitions {
        let mut next = Some(definition.module);
        while let Some(id) = next {
            let module = &mut index.modules[id.index()];
            module.total_calls += definition.usage.total_calls;
            module.total_reads += definition.usage.total_reads;
            next = module.parent;
        }
    }
}
