//! Held-out evaluation: the coverage of stubs on calls that were not counted for them, by cross-validation.
//!
//! The calling files are divided into [`FOLDS`] folds by a hash of their paths. For each fold, a stub is made from the
//! calls of the other folds, and its coverage is measured on the calls of the fold. So every call is measured once,
//! with a stub that does not depend on the file of the call.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Delivery, DeliveryError, Format, Packer, RequestError, StubRequest, packer::scope_totals};
use crate::{
    control::Control,
    hash::Fnv,
    index::Index,
    program::{CallSite, DefinitionId, FileId},
    strategy::{BaselineOrder, BaselineStrategy, FilteringStrategy, Strategy},
    tokens::Tokenizer,
    usage::percent,
};

/// The number of folds.
pub const FOLDS: usize = 5;

/// The orders of the baseline strategies, in the order of [`EvaluationTotals::baselines`].
pub const BASELINES: [BaselineOrder; 3] =
    [BaselineOrder::Random(0), BaselineOrder::Alphabetical, BaselineOrder::Source];

/// The result of an evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Files with a counted call into the scope.
    pub files: usize,
    /// Calls into the scope whose arguments are all known.
    pub calls: u32,
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
    /// Coverage of the calls that the stubs were made from.
    pub counted: CoveredCalls,
    /// Coverage of the held-out calls.
    pub held_out: CoveredCalls,
    /// Coverage of the held-out calls by baseline stubs with at most as many tokens, for each order in [`BASELINES`].
    pub baselines: [CoveredCalls; 3],
}

/// A number of covered calls out of the known ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoveredCalls {
    /// Calls that can be written from the stub.
    pub covered: u32,
    /// All calls whose arguments are known.
    pub known: u32,
}

impl CoveredCalls {
    /// The share between 0 and 1; `None` if no call is known.
    pub fn value(self) -> Option<f64> {
        (self.known > 0).then(|| f64::from(self.covered) / f64::from(self.known))
    }

    /// The share as a whole percentage, rounded half up.
    pub fn percent(self) -> Option<u32> {
        percent(self.covered, self.known)
    }

    fn add(&mut self, other: Self) {
        self.covered += other.covered;
        self.known += other.known;
    }
}

impl EvaluationTotals {
    /// The mean number of tokens of a stub.
    pub fn mean_tokens(&self) -> usize {
        (self.tokens + FOLDS / 2) / FOLDS
    }
}

/// Evaluates `strategies` on the scope of `request`, with the wording, documentation, weights, pins and bans of `request`. Its strategy and
/// format are ignored. `observe` is called with the number of finished stubs and the total number of stubs. If
/// `observe` cancels, the result is `Ok(None)`.
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
    let scope = index.scope(request.module.as_deref(), request.symbol.as_deref())?;
    let tokenizer = Tokenizer::load(request.encoding);
    let folds: Vec<usize> = index.files.iter().map(|file| fold(&file.path)).collect();
    let weight = index.weight_of_files(&request.weights);
    let counted = |fold: usize, is_within: bool| {
        let weight = |file: FileId| if (folds[file.index()] == fold) == is_within { weight(file) } else { 0 };
        index.recounted(weight).map(Arc::new)
    };
    let mut results: Vec<StrategyEvaluation> = strategies
        .iter()
        .map(|&strategy| StrategyEvaluation { strategy, result: Ok(EvaluationTotals::default()) })
        .collect();
    let (mut done, total) = (0, FOLDS * strategies.len() * (1 + BASELINES.len()));
    let mut calls = 0;
    for fold in 0..FOLDS {
        let (seen, unseen) = (counted(fold, false)?, counted(fold, true)?);
        let (_, known) = scope_totals(&unseen, scope, &tokenizer);
        calls += known;
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
            totals.counted.add(CoveredCalls { covered: delivery.covered_calls, known: delivery.known_calls });
            totals.held_out.add(CoveredCalls { covered: covered(&unseen, &delivery), known });
            done += 1;
            for (order, share) in BASELINES.into_iter().zip(&mut totals.baselines) {
                let order =
                    if let BaselineOrder::Random(_) = order { BaselineOrder::Random(fold as u64) } else { order };
                let baseline = BaselineStrategy { order, max_tokens: delivery.tokens };
                let strategy: &dyn FilteringStrategy = &baseline;
                // A baseline always has a stub, since the smallest one is no larger than the delivery.
                let covered = packer.deliver(strategy, Format::Stub).map_or(0, |delivery| covered(&unseen, &delivery));
                share.add(CoveredCalls { covered, known });
                done += 1;
                if observe(done, total) == Control::Cancel {
                    return Ok(None);
                }
            }
        }
    }
    let (ids, _) = scope_totals(index, scope, &tokenizer);
    Ok(Some(Evaluation { files: calling_files(index, request, &ids), calls, strategies: results }))
}

/// The fold of a file, the same on every machine.
fn fold(path: &str) -> usize {
    let mut hash = Fnv::default();
    hash.add(path);
    // The low bits of FNV hashes are badly distributed.
    ((hash.value() >> 32) % FOLDS as u64) as usize
}

/// Calls of `index` that can be written from a stub of another index.
fn covered(index: &Index, delivery: &Delivery) -> u32 {
    let shown = delivery.symbols.iter().filter_map(|symbol| Some((symbol.id, symbol.visible.as_ref()?)));
    let sets = shown.flat_map(|(id, visible)| index.usage(id).argument_sets.iter().map(move |set| (set, visible)));
    sets.filter(|(set, visible)| !set.open && set.parameters.is_subset(visible)).map(|(set, _)| set.calls).sum()
}

/// Number of files with a counted call of one of the definitions.
fn calling_files(index: &Index, request: &StubRequest, ids: &[DefinitionId]) -> usize {
    // The examples in a file are a part of their own in the index.
    let mut paths: FxHashSet<&str> = FxHashSet::default();
    let ids: FxHashSet<DefinitionId> = ids.iter().copied().collect();
    let counts_for = |call: &CallSite| [call.resolution.definition(), index.inherited_callee(call)];
    let weight = index.weight_of_files(&request.weights);
    for call in index.calls.iter().filter(|call| counts_for(call).into_iter().flatten().any(|id| ids.contains(&id))) {
        if weight(call.file) > 0 {
            paths.insert(&index.file(call.file).path);
        }
    }
    paths.len()
}
