//! Held-out evaluation: the coverage of stubs on uses that were not counted for them, by cross-validation.
//!
//! The files are divided into [`FOLDS`] folds by a hash of their paths. For each fold, a stub is made from the uses in
//! the other folds, and its coverage is measured on the uses in the fold. So every use is measured once, with a stub
//! that does not depend on the file of the use.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Delivery, DeliveryError, Format, Packer, RequestError, StubRequest};
use crate::{
    overrides::ResolvedOverrides,
    strategy::{BaselineOrder, BaselineStrategy, FilteringStrategy, Strategy},
    stub::{Layout, priced_tree::PricedTree},
};
use apidisc_base::{control::Control, hash::Fnv};
use apidisc_facts::{
    program::{CallSite, DefinitionId, FileId, ParameterSet, ReadSite},
    source::Origin,
};
use apidisc_indexing::{
    index::{Index, Scope},
    usage::Uses,
};
use apidisc_tokens::Tokenizer;

/// The number of folds.
pub const FOLDS: usize = 5;

/// The orders of the baseline strategies, in the order of [`EvaluationTotals::baselines`].
pub const BASELINES: [BaselineOrder; 3] =
    [BaselineOrder::Random(0), BaselineOrder::Alphabetical, BaselineOrder::Source];

/// The result of an evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Files with a counted use in the scope.
    pub files: usize,
    /// The held-out uses that would be covered by a stub of all definitions and parameters that the other files use. No
    /// strategy that shows only counted definitions and parameters can cover more.
    pub ceiling: CoveredUses,
    /// The results of the strategies, in the order of the request.
    pub strategies: Vec<StrategyEvaluation>,
}

/// The result of one strategy over all folds.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyEvaluation {
    /// The strategy.
    pub strategy: Strategy,
    /// The totals, or the error if the budget is too small in a fold.
    pub result: Result<EvaluationTotals, DeliveryError>,
}

/// Sums over the folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvaluationTotals {
    /// Tokens of the stubs.
    pub tokens: usize,
    /// Coverage of the uses that the stubs were made from.
    pub counted: CoveredUses,
    /// Coverage of the held-out uses.
    pub held_out: CoveredUses,
    /// Coverage of the held-out uses in tests, examples and documents: those that are written as the users of an API
    /// write theirs. Each use counts once, whatever the weights.
    pub outside: CoveredUses,
    /// Coverage of the held-out uses by baseline stubs with at most as many tokens, for each order in [`BASELINES`].
    pub baselines: [CoveredUses; 3],
}

/// The number of known uses that are covered, calls and reads apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoveredUses {
    /// Uses that can be written from the stub.
    pub covered: Uses,
    /// All reads, and all calls whose arguments are known.
    pub known: Uses,
}

impl CoveredUses {
    /// The share of calls between 0 and 1; `None` if no call is known.
    pub fn calls(self) -> Option<f64> {
        share(self.covered.calls, self.known.calls)
    }

    /// The share of reads between 0 and 1; `None` if there is no read.
    pub fn reads(self) -> Option<f64> {
        share(self.covered.reads, self.known.reads)
    }

    fn add(&mut self, covered: Uses, known: Uses) {
        self.covered += covered;
        self.known += known;
    }
}

fn share(part: u32, whole: u32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

impl EvaluationTotals {
    /// The mean number of tokens of a stub.
    pub fn mean_tokens(&self) -> usize {
        (self.tokens + FOLDS / 2) / FOLDS
    }
}

/// Evaluates `strategies` on the scope of `request`, with the wording, documentation, weights, pins and bans of
/// `request`. Its strategy and format are ignored. `observe` is called with the number of finished stubs and the total
/// number of stubs. If `observe` cancels, the result is `Ok(None)`.
///
/// # Errors
/// [`RequestError`] if the scope is not found, there is nothing to show, a pin or ban cannot be kept, or the index was
/// read from a file.
pub fn evaluate(
    index: &Arc<Index>,
    request: &StubRequest,
    strategies: &[Strategy],
    observe: &mut dyn FnMut(usize, usize) -> Control,
) -> Result<Option<Evaluation>, RequestError> {
    let (scope, _) = index.scope_meant(request.module.as_deref(), request.symbol.as_deref())?;
    let tokenizer = Tokenizer::load(request.encoding);
    let folds: Vec<usize> = index.files.iter().map(|file| fold(&file.path)).collect();
    let weight = index.weight_of_files(&request.weights);
    let is_outside = |file: FileId| index.file(file).origin != Origin::Src;
    let mut results: Vec<StrategyEvaluation> = strategies
        .iter()
        .map(|&strategy| StrategyEvaluation { strategy, result: Ok(EvaluationTotals::default()) })
        .collect();
    let (mut done, total) = (0, FOLDS * strategies.len() * (1 + BASELINES.len()));
    let mut ceiling = CoveredUses::default();
    for fold in 0..FOLDS {
        let is_within = |file: FileId| folds[file.index()] == fold;
        let seen = Arc::new(index.recounted(|file| if is_within(file) { 0 } else { weight(file) })?);
        let held_out_by = |weight: &(dyn Fn(FileId) -> u32 + Sync)| {
            let unseen = index.recounted(|file| if is_within(file) { weight(file) } else { 0 })?;
            Ok::<_, RequestError>(HeldOutUses::new(&Arc::new(unseen), scope, &tokenizer))
        };
        let held_out = held_out_by(&weight)?;
        let outside = held_out_by(&|file| u32::from(is_outside(file)))?;
        ceiling.add(held_out.known_from(&seen), held_out.known());
        let packer = Packer::with_overrides(&seen, scope, &request.overrides, &tokenizer)?;
        for evaluation in &mut results {
            let Ok(totals) = &mut evaluation.result else {
                done += 1 + BASELINES.len();
                continue;
            };
            let delivery = match packer.deliver_in(request.style(), &evaluation.strategy, Format::Stub) {
                Ok(delivery) => delivery,
                Err(error) => {
                    evaluation.result = Err(error);
                    done += 1 + BASELINES.len();
                    continue;
                }
            };
            totals.tokens += delivery.tokens;
            totals.counted.add(delivery.covered(), delivery.known());
            totals.held_out.add(held_out.covered(&delivery), held_out.known());
            totals.outside.add(outside.covered(&delivery), outside.known());
            done += 1;
            for (order, share) in BASELINES.into_iter().zip(&mut totals.baselines) {
                let order =
                    if let BaselineOrder::Random(_) = order { BaselineOrder::Random(fold as u64) } else { order };
                let baseline = BaselineStrategy { order, max_tokens: delivery.tokens };
                let strategy: &dyn FilteringStrategy = &baseline;
                // A baseline always has a stub, since the smallest one is no larger than the delivery.
                let baseline = packer.deliver(strategy, Format::Stub);
                share.add(
                    baseline.map_or_else(|_| Uses::default(), |baseline| held_out.covered(&baseline)),
                    held_out.known(),
                );
                done += 1;
                if observe(done, total) == Control::Cancel {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(Evaluation { files: using_files(index, scope, request, &tokenizer), ceiling, strategies: results }))
}

/// The uses of one fold.
struct HeldOutUses {
    /// The scope, with the usage of the fold alone.
    tree: PricedTree,
    nodes: FxHashMap<DefinitionId, usize>,
}

impl HeldOutUses {
    fn new(index: &Arc<Index>, scope: Scope, tokenizer: &Arc<Tokenizer>) -> Self {
        let tree = PricedTree::new(index, scope, ResolvedOverrides::default(), tokenizer, Layout::Wide);
        let nodes = tree.definitions().collect();
        Self { tree, nodes }
    }

    /// All reads, and the calls whose arguments are all known.
    fn known(&self) -> Uses {
        self.tree.known
    }

    /// The uses that can be written from a stub of another index.
    fn covered(&self, delivery: &Delivery) -> Uses {
        let shown = delivery.symbols.iter().filter_map(|symbol| Some((symbol.id, symbol.visible.as_ref()?)));
        shown.filter_map(|(id, visible)| Some(self.tree.covered(*self.nodes.get(&id)?, visible))).sum()
    }

    /// The uses that a stub of the used definitions of `index` covers, with every parameter that some call passes.
    /// `index` has the same definitions.
    fn known_from(&self, index: &Index) -> Uses {
        let is_used = |&(&id, &node): &(&DefinitionId, &usize)| {
            self.tree.index.usage(id).uses() > 0 && index.usage(id).uses() > 0 && !self.tree.nodes[node].is_named_type
        };
        let covered = |(&id, &node): (&DefinitionId, &usize)| {
            let mut passed = ParameterSet::new();
            index.usage(id).argument_sets.iter().for_each(|set| passed.extend_with(&set.parameters));
            self.tree.covered(node, &self.tree.priced_uncached(node).complete(&passed))
        };
        self.nodes.iter().filter(is_used).map(covered).sum()
    }
}

/// The fold of a file, the same on every machine.
fn fold(path: &str) -> usize {
    let mut hash = Fnv::default();
    hash.add(path);
    // The low bits of FNV hashes are badly distributed.
    ((hash.value() >> 32) % FOLDS as u64) as usize
}

/// Number of files with a counted use of a definition of the scope.
fn using_files(index: &Arc<Index>, scope: Scope, request: &StubRequest, tokenizer: &Arc<Tokenizer>) -> usize {
    let tree = PricedTree::new(index, scope, ResolvedOverrides::default(), tokenizer, Layout::Wide);
    let ids: FxHashSet<DefinitionId> = tree.definitions().map(|(id, _)| id).collect();
    let is_within = |id: &DefinitionId| ids.contains(id);
    let is_counted = |call: &&CallSite| index.counted_for(call).any(|id| is_within(&id));
    let calls = index.calls.iter().filter(is_counted).map(|call| call.file);
    let attributes = |read: &ReadSite| [Some(read.attribute), index.inherited_attribute(read)];
    let reads = index.reads.iter().filter(|read| attributes(read).iter().flatten().any(is_within));
    let files: FxHashSet<FileId> = calls.chain(reads.map(|read| read.file)).collect();
    let weight = index.weight_of_files(&request.weights);
    // The examples in a file are a part of their own in the index.
    let paths: FxHashSet<&str> =
        files.into_iter().filter(|&file| weight(file) > 0).map(|file| index.file(file).path.as_str()).collect();
    paths.len()
}
