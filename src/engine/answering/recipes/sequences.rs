//! The frequent sequences of calls on one value.
//!
//! Each call on a value ends a sequence: before it comes the last call of another definition on the same receiver, or
//! else the call that makes the receiver, and so on, up to four calls. A sequence that is nearly always a part of a
//! longer frequent one is left out.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    ABSORBING_SHARE, MIN_FILES, Recipe, RecipeUses, is_api,
    values::{ValueCall, calls_on_values},
};
use apidisc_facts::program::{CallId, DefinitionId, FileId, ReceiverValue};
use apidisc_indexing::index::Index;

/// The greatest number of calls of a sequence.
const MAX_CALLS: usize = 4;

/// The definitions that are called, in order.
type Symbols = SmallVec<[DefinitionId; MAX_CALLS]>;

/// The recipes of all files.
pub(super) fn mine(index: &Index) -> Vec<Recipe> {
    if index.calls.is_empty() {
        return Vec::new();
    }
    let files: Vec<FileId> = (0..index.files.len()).map(FileId::new).collect();
    let runs: Vec<Vec<(Symbols, Vec<CallId>)>> = files.into_par_iter().map(|file| runs_of_file(index, file)).collect();
    let mut found: FxHashMap<Symbols, RecipeUses> = FxHashMap::default();
    for (symbols, calls) in runs.into_iter().flatten() {
        found.entry(symbols).or_default().add(index, &calls);
    }
    found.retain(|_, uses| uses.files >= MIN_FILES);
    let absorbed = absorbed(&found);
    found.retain(|symbols, _| !absorbed.contains(symbols));
    found.into_iter().map(|(symbols, uses)| uses.recipe(index, symbols.into_vec(), Vec::new())).collect()
}

/// The sequences whose uses are nearly always parts of the uses of a longer sequence.
fn absorbed(found: &FxHashMap<Symbols, RecipeUses>) -> FxHashSet<Symbols> {
    let mut absorbed = FxHashSet::default();
    for (symbols, uses) in found {
        for part in [&symbols[1..], &symbols[..symbols.len() - 1]] {
            if found.get(part).is_some_and(|shorter| uses.count * 100 >= shorter.count * ABSORBING_SHARE) {
                absorbed.insert(part.into());
            }
        }
    }
    absorbed
}

/// The sequences of a file, each once for each value.
fn runs_of_file(index: &Index, file: FileId) -> Vec<(Symbols, Vec<CallId>)> {
    let mut runs = Vec::new();
    for calls in calls_on_values(index, file, |id| is_api(index, id)) {
        let mut known: FxHashSet<Symbols> = FxHashSet::default();
        for at in 1..calls.len() {
            let chain = chain(&calls, at);
            for length in 2..=chain.len() {
                let run = &chain[chain.len() - length..];
                let symbols: Symbols = run.iter().map(|call| call.definition).collect();
                if known.insert(symbols.clone()) {
                    runs.push((symbols, run.iter().map(|call| call.call).collect()));
                }
            }
        }
    }
    runs
}

/// The sequence that ends with the call at a position. It contains no definition twice.
fn chain(calls: &[ValueCall], last: usize) -> SmallVec<[ValueCall; MAX_CALLS]> {
    let mut chain: SmallVec<[ValueCall; MAX_CALLS]> = SmallVec::new();
    chain.push(calls[last]);
    let mut at = last;
    while let Some(earlier) = before(calls, at)
        && chain.len() < MAX_CALLS
    {
        let is_repeated = chain.last().is_some_and(|call| call.definition == calls[earlier].definition);
        if !is_repeated && chain.iter().any(|call| call.definition == calls[earlier].definition) {
            break;
        }
        if !is_repeated {
            chain.push(calls[earlier]);
        }
        at = earlier;
    }
    chain.reverse();
    chain
}

/// The position of the predecessor of the call at a position: the last earlier call on the same receiver, else the call
/// that makes the receiver.
fn before(calls: &[ValueCall], at: usize) -> Option<usize> {
    let receiver = calls[at].receiver?;
    let (ReceiverValue::ResultOf(origin) | ReceiverValue::SharedWith(origin)) = receiver;
    let earlier = calls[..at].iter().rposition(|call| call.receiver == Some(receiver));
    earlier.or_else(|| calls[..at].iter().position(|call| call.call == origin))
}
