//! Held-out coverage: how a stub does on calls that it was not cut from.
//!
//! The calling files are dealt into [`FOLDS`] folds by a hash of their paths. For each fold the calls of all
//! other files are counted, a stub is cut from them, and coverage is measured on the calls of the fold: so every
//! call is measured once, by a stub that has not seen its file.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{
    Delivery, DeliveryError, Format, Packer,
    profile::{RequestError, StubRequest},
    survey,
};
use crate::{
    control::Control,
    hash::Fnv,
    index::Index,
    program::{DefinitionId, FileId},
    strategy::{FilteringStrategy, Naive, Order, Strategy},
    tokens::Tokenizer,
    usage::percent,
};

/// Into so many parts the calling files are dealt.
pub const FOLDS: usize = 5;

/// Orders that look at no call, in the order of [`Row::naive`].
pub const NAIVE: [Order; 3] = [Order::Random(0), Order::Alphabetical, Order::Source];

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Files with a counted call into the scope.
    pub files: usize,
    /// Calls into the scope whose arguments are all known.
    pub calls: u32,
    /// A row a strategy, as they were asked for.
    pub rows: Vec<Row>,
}

/// One strategy, over all folds.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub strategy: Strategy,
    /// What was measured; where the budget is too small in a fold, why there is nothing.
    pub result: Result<Figures, DeliveryError>,
}

/// Calls added up over the folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Tokens of the stubs, added up over the [`FOLDS`] folds.
    pub tokens: usize,
    /// On the calls that the stubs were cut from.
    pub counted: Share,
    /// On the calls that they were not cut from.
    pub held_out: Share,
    /// On the same calls, for stubs of at most the same tokens in each of the orders [`NAIVE`].
    pub naive: [Share; 3],
}

/// Calls covered, of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Calls that can be written from the stub.
    pub covered: u32,
    /// All whose arguments are known.
    pub known: u32,
}

impl Share {
    /// Between 0 and 1; `None` of nothing.
    pub fn value(self) -> Option<f64> {
        (self.known > 0).then(|| f64::from(self.covered) / f64::from(self.known))
    }

    /// As a whole percentage, rounded half up.
    pub fn percent(self) -> Option<u32> {
        percent(self.covered, self.known)
    }

    fn add(&mut self, other: Self) {
        self.covered += other.covered;
        self.known += other.known;
    }
}

impl Figures {
    /// Tokens of a stub, on average.
    pub fn mean_tokens(&self) -> usize {
        (self.tokens + FOLDS / 2) / FOLDS
    }
}

/// Measures `strategies` on the scope of `cut`, with its weights, pins and bans; its own strategy and format are
/// not looked at. `observe` is told how many of all stubs are cut, and may cancel: `Ok(None)`.
///
/// # Errors
/// [`RequestError`] where the scope is not found, a pin or ban cannot be kept, or the index was read from a file.
pub fn evaluate(
    index: &Arc<Index>,
    cut: &StubRequest,
    strategies: &[Strategy],
    observe: &mut dyn FnMut(usize, usize) -> Control,
) -> Result<Option<Evaluation>, RequestError> {
    let scope = index.scope(cut.module.as_deref(), cut.symbol.as_deref())?;
    let tokenizer = Tokenizer::load(cut.encoding);
    let folds: Vec<usize> = index.files.iter().map(|file| fold(&file.path)).collect();
    let weight = |file: FileId| u32::from(cut.weights.of(index.file(file).origin));
    let counted = |fold: usize, within: bool| {
        let weight = |file: FileId| if (folds[file.index()] == fold) == within { weight(file) } else { 0 };
        index.recounted(weight).map(Arc::new)
    };
    let mut rows: Vec<Row> =
        strategies.iter().map(|&strategy| Row { strategy, result: Ok(Figures::default()) }).collect();
    let (mut done, total) = (0, FOLDS * strategies.len() * (1 + NAIVE.len()));
    let mut calls = 0;
    for fold in 0..FOLDS {
        let (seen, unseen) = (counted(fold, false)?, counted(fold, true)?);
        let (_, known) = survey(&unseen, scope, &tokenizer);
        calls += known;
        let packer = Packer::tuned(&seen, scope, &cut.overrides, &tokenizer)?;
        for row in &mut rows {
            let Ok(figures) = &mut row.result else {
                done += 1 + NAIVE.len();
                continue;
            };
            let delivery = match packer.deliver(&row.strategy, Format::Stub) {
                Ok(delivery) => delivery,
                Err(error) => {
                    row.result = Err(error);
                    continue;
                }
            };
            figures.tokens += delivery.tokens;
            figures.counted.add(Share { covered: delivery.covered_calls, known: delivery.known_calls });
            figures.held_out.add(Share { covered: covered(&unseen, &delivery), known });
            done += 1;
            for (order, share) in NAIVE.into_iter().zip(&mut figures.naive) {
                let order = if let Order::Random(_) = order { Order::Random(fold as u64) } else { order };
                let naive = Naive { order, max_tokens: delivery.tokens };
                let strategy: &dyn FilteringStrategy = &naive;
                // What fits is the smallest stub at least, since that is not larger than the other one.
                let covered = packer.deliver(strategy, Format::Stub).map_or(0, |naive| covered(&unseen, &naive));
                share.add(Share { covered, known });
                done += 1;
                if observe(done, total) == Control::Cancel {
                    return Ok(None);
                }
            }
        }
    }
    let (ids, _) = survey(index, scope, &tokenizer);
    Ok(Some(Evaluation { files: calling_files(index, cut, &ids), calls, rows }))
}

/// Which fold the calls of a file belong to: the same on every machine.
fn fold(path: &str) -> usize {
    let mut hash = Fnv::default();
    hash.add(path);
    // FNV's low bits are its weak ones.
    ((hash.value() >> 32) % FOLDS as u64) as usize
}

/// Calls that can be written from a stub, whatever it was cut from.
fn covered(index: &Index, delivery: &Delivery) -> u32 {
    let shown = delivery.symbols.iter().filter_map(|symbol| Some((symbol.id, symbol.visible.as_ref()?)));
    let sets = shown.flat_map(|(id, visible)| index.usage(id).argument_sets.iter().map(move |set| (set, visible)));
    sets.filter(|(set, visible)| !set.open && set.parameters.is_subset(visible)).map(|(set, _)| set.calls).sum()
}

/// Files with a counted call of one of the definitions.
fn calling_files(index: &Index, cut: &StubRequest, ids: &[DefinitionId]) -> usize {
    let mut calls = vec![false; index.files.len()];
    let ids: FxHashSet<DefinitionId> = ids.iter().copied().collect();
    for call in index.calls.iter().filter(|call| call.resolution.definition().is_some_and(|id| ids.contains(&id))) {
        calls[call.file.index()] |= cut.weights.of(index.file(call.file).origin) > 0;
    }
    calls.into_iter().filter(|calls| *calls).count()
}
