//! Sets the usage of every definition, and the numbers that are derived from usages.

use std::{collections::BTreeMap, iter, sync::Arc};

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Definition, File, Index};
use crate::usage::{self, Ledger, OverloadUsage, ParameterUsage, Usage};
use apidisc_base::{
    control::StepCounter,
    packed::{PackReader, PackWriter, Packed},
    sort::SharedSort as _,
};
use apidisc_facts::{
    program::{CallId, CallSite, DefinitionId, DefinitionKind, FileId, ParameterSet, ReadId, Resolution},
    source::Origin,
};

/// The number of calls on receivers of unknown type, by method name and source.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnknownReceiverCalls(FxHashMap<CompactString, SmallVec<[(u32, u32); 1]>>);

impl UnknownReceiverCalls {
    /// Adds calls of a method in the source at the position `source`.
    pub(crate) fn add(&mut self, name: &str, source: u32, calls: u32) {
        if !self.0.contains_key(name) {
            self.0.insert(name.into(), SmallVec::new());
        }
        let Some(sources) = self.0.get_mut(name) else { return };
        match sources.iter_mut().find(|(other, _)| *other == source) {
            Some((_, sum)) => *sum += calls,
            None => sources.push((source, calls)),
        }
    }

    /// The number of calls on receivers of unknown type that may call `definition`: the calls of methods with the same
    /// name. 0 if `definition` is no method.
    pub(crate) fn of(&self, definition: &Definition) -> u32 {
        let is_method = definition.kind.is_callable() && definition.kind != DefinitionKind::Function;
        let sources = self.0.get(definition.name.as_str()).filter(|_| is_method);
        sources.into_iter().flatten().map(|(_, calls)| calls).sum()
    }

    /// The names of the methods that are called in a source, sorted, each with its calls.
    pub(crate) fn of_source(&self, source: u32) -> Vec<(&CompactString, u32)> {
        let calls =
            |sources: &[(u32, u32)]| sources.iter().find(|(other, _)| *other == source).map(|(_, calls)| *calls);
        let mut names: Vec<_> = self.0.iter().filter_map(|(name, sources)| Some((name, calls(sources)?))).collect();
        names.sort_unstable();
        names
    }
}

/// The uses of one definition.
#[derive(Default)]
pub(super) struct UseSites {
    pub(super) calls: Vec<CallId>,
    pub(super) reads: Vec<ReadId>,
}

impl UseSites {
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.reads.is_empty()
    }

    /// Divides these sites by the sources of their files.
    fn by_source(self, index: &Index) -> BTreeMap<u32, Self> {
        if index.sources.len() < 2 {
            return BTreeMap::from([(0, self)]);
        }
        let mut sources: BTreeMap<u32, Self> = BTreeMap::new();
        for id in self.calls {
            sources.entry(index.file(index.call(id).file).source).or_default().calls.push(id);
        }
        for id in self.reads {
            sources.entry(index.file(index.read(id).file).source).or_default().reads.push(id);
        }
        sources
    }
}

/// The weight of a use: the weight of its file, times the weight of its source.
pub(super) struct SiteWeights<F, S> {
    pub(super) file: F,
    pub(super) source: S,
}

/// The usages of definitions without uses. Equal usages are shared, because most definitions have no uses.
#[derive(Default)]
pub(crate) struct UnusedUsages(FxHashMap<(usize, usize, Ledger, [u32; 4]), Arc<Usage>>);

impl UnusedUsages {
    /// The usage of a definition that is never used.
    pub(crate) fn of(&mut self, definition: &Definition, ledger: Ledger, origins: [u32; 4]) -> Arc<Usage> {
        let parameters = definition.signature.as_ref().map_or(0, |signature| signature.parameters.len());
        let overloads = definition.overloads.len();
        let unused = || Usage {
            parameters: vec![ParameterUsage::default(); parameters],
            overloads: vec![OverloadUsage::default(); overloads],
            origins,
            ledger,
            ..Usage::default()
        };
        let shared = self.0.entry((parameters, overloads, ledger, origins)).or_insert_with(|| Arc::new(unused()));
        Arc::clone(shared)
    }

    /// The shared usage that equals `usage`, if `usage` has no calls and no reads; else `usage` itself.
    fn share(&mut self, usage: Arc<Usage>) -> Arc<Usage> {
        if usage.uses() > 0 {
            return usage;
        }
        let content = (usage.parameters.len(), usage.overloads.len(), usage.ledger, usage.origins);
        Arc::clone(self.0.entry(content).or_insert(usage))
    }
}

impl Index {
    /// A copy of this index in which definitions and inherited members have no uses and no typical calls.
    pub(crate) fn without_uses(&self) -> Self {
        let mut index = self.clone();
        let mut unused = UnusedUsages::default();
        for definition in index.definitions.iter_mut().chain(index.inherited.definitions_mut()) {
            definition.usage = unused.of(definition, Ledger::default(), [0; 4]);
            definition.typical_call = None;
            definition.used_members.clear();
        }
        index.typical_calls_on_classes = Arc::default();
        index
    }
}

/// Counts all calls and reads of the index: usages, ranks, totals of modules, and the ledger. The counts are incomplete
/// if `steps` is cancelled.
pub(crate) fn count(index: &mut Index, steps: &StepCounter) {
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
                if let Some(constant) = index.called_constant(call) {
                    calls[constant.index()].push(CallId::new(at));
                }
            }
            _ => candidates.iter().for_each(|id| ambiguous[id.index()] += 1),
        }
    }
    index.ledger = ledger;
    let mut reads = reads_by_attribute(index);
    let inherited_reads = reads.split_off(index.definitions.len());
    let state = || (steps.clone(), UnusedUsages::default());
    // Counts the uses of one definition. `ledger` has the numbers of uncounted calls that may be calls of the
    // definition.
    let count = |(steps, unused): &mut (StepCounter, UnusedUsages),
                 definition: &Definition,
                 UseSites { calls, reads }: UseSites,
                 ledger: Ledger| {
        if calls.is_empty() && reads.is_empty() {
            return unused.of(definition, ledger, [0; 4]);
        }
        let calls = calls.into_iter().take_while(|_| steps.step()).collect();
        let weights = SiteWeights { file: |_| 1, source: |_| 1 };
        let mut usage = counted(index, definition, UseSites { calls, reads }, &weights);
        (usage.ledger.ambiguous, usage.ledger.unknown_receiver) = (ledger.ambiguous, ledger.unknown_receiver);
        Arc::new(usage)
    };
    let sites = calls.into_par_iter().zip(reads).map(|(calls, reads)| UseSites { calls, reads }).zip(ambiguous);
    let usages = index.definitions.par_iter().zip(sites).map_init(state, |state, (definition, (sites, ambiguous))| {
        let unknown_receiver = index.unknown_receiver_calls.of(definition);
        count(state, definition, sites, Ledger { ambiguous, unknown_receiver, ..Ledger::default() })
    });
    let usages: Vec<Arc<Usage>> = usages.collect();
    let ids: Vec<DefinitionId> = index.inherited_with_ids().map(|(id, _)| id).collect();
    let sites = inherited_calls.into_par_iter().zip(inherited_reads).map(|(calls, reads)| UseSites { calls, reads });
    let inherited = ids.into_par_iter().zip(sites).map_init(state, |state, (id, sites)| {
        let Ledger { ambiguous, unknown_receiver, .. } = usages[index.declaration(id).index()].ledger;
        count(state, index.definition(id), sites, Ledger { ambiguous, unknown_receiver, ..Ledger::default() })
    });
    let inherited: Vec<Arc<Usage>> = inherited.collect();
    set_usages(index, usages, inherited);
}

/// The usage of a definition with these calls and reads. The calls of a file must follow each other.
pub(super) fn counted(
    index: &Index,
    definition: &Definition,
    sites: UseSites,
    weights: &SiteWeights<impl Fn(FileId) -> u32, impl Fn(u32) -> u32>,
) -> Usage {
    let mut parts = counted_by_source(index, definition, sites, &weights.file);
    if let [(source, usage)] = &mut parts[..]
        && (weights.source)(*source) == 1
    {
        return std::mem::take(usage).with_most_frequent_values();
    }
    usage::sum(parts.iter().map(|(source, usage)| ((weights.source)(*source), usage)))
}

/// The usages of a definition with these calls and reads in each source that has any, with all values. A use counts as
/// often as `weight` returns for its file. The calls of a file must follow each other.
pub(super) fn counted_by_source(
    index: &Index,
    definition: &Definition,
    sites: UseSites,
    weight: impl Fn(FileId) -> u32,
) -> Vec<(u32, Usage)> {
    let (signature, overloads) = (definition.signature.as_deref(), definition.overloads.len());
    let origin = |file: FileId| origin_position(&index.files, file);
    let counted = |(source, UseSites { calls, reads }): (u32, UseSites)| {
        let calls = calls.into_iter().flat_map(|id| iter::repeat_n(id, weight(index.call(id).file) as usize));
        let (none, of_call) = (ParameterSet::new(), |call: &CallSite| origin(call.file));
        let mut usage = usage::count(signature, overloads, &index.calls, calls, none, of_call);
        usage.calls.dedup();
        usage::count_reads(&mut usage, &index.reads, reads, &weight, origin);
        (source, usage)
    };
    sites.by_source(index).into_iter().map(counted).collect()
}

/// The calls and reads of each definition and of each inherited member, in the order of the index.
pub(super) fn use_sites(index: &Index) -> Vec<UseSites> {
    let mut calls: Vec<Vec<CallId>> = vec![Vec::new(); index.definitions.len() + index.inherited.len()];
    for (at, call) in index.calls.iter().enumerate() {
        index.counted_for(call).for_each(|id| calls[id.index()].push(CallId::new(at)));
    }
    calls.into_iter().zip(reads_by_attribute(index)).map(|(calls, reads)| UseSites { calls, reads }).collect()
}

/// The reads of each definition and of each inherited member, in the order of [`Index::reads`].
fn reads_by_attribute(index: &Index) -> Vec<Vec<ReadId>> {
    let mut reads: Vec<Vec<ReadId>> = vec![Vec::new(); index.definitions.len() + index.inherited.len()];
    for (at, read) in index.reads.iter().enumerate() {
        for attribute in [read.attribute].into_iter().chain(index.inherited_attribute(read)) {
            reads[attribute.index()].push(ReadId::new(at));
        }
    }
    reads
}

/// Sets the usage of every definition, in the order of [`Index::definitions`], and of every inherited member. Then
/// computes the ranks and the totals of modules. Drops [`Index::usages_on_classes`], which belong to the replaced
/// usages.
pub(crate) fn set_usages(index: &mut Index, usages: Vec<Arc<Usage>>, inherited: Vec<Arc<Usage>>) {
    index.usages_on_classes = None;
    let mut unused = UnusedUsages::default();
    let definitions = index.definitions.iter_mut().chain(index.inherited.definitions_mut());
    for (definition, usage) in definitions.zip(usages.into_iter().chain(inherited)) {
        definition.usage = unused.share(usage);
    }
    rank_definitions(index);
    total_modules(index);
}

/// The origin of a file, as a position in [`Origin::ALL`].
pub(crate) fn origin_position(files: &[File], file: FileId) -> usize {
    let origin = files[file.index()].origin;
    Origin::ALL.iter().position(|o| *o == origin).unwrap_or(0)
}

/// Ranks the used definitions by their number of uses; ties by FQN. In an index of packages those of the packages.
pub(super) fn rank_definitions(index: &mut Index) {
    let is_ranked = |definition: &Definition| {
        (definition.kind.is_callable() || definition.kind.is_readable())
            && definition.usage.uses() > 0
            && index.describes(definition)
    };
    let mut ranked: Vec<usize> = (0..index.definitions.len()).filter(|&i| is_ranked(&index.definitions[i])).collect();
    ranked.shared_sort_by(|&a, &b| {
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

impl Packed for UnknownReceiverCalls {
    fn pack(&self, to: &mut PackWriter) {
        self.0.pack(to);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        FxHashMap::unpack(from).map(Self)
    }
}
