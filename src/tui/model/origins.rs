//! The weights of origins: how often the calls in src, tests, examples and docs count, 0 for not at all.

use std::sync::Arc;

use super::{Catalog, Model};
use crate::tui::{command::Command, widgets::grouped};
use apidisc::{
    source::Origin,
    usage::{Usage, Weights, percent},
};

/// An index whose calls are being counted again with new weights.
#[derive(Debug)]
pub struct PendingCount {
    /// The newest index, with its old counts.
    pub from: Arc<Catalog>,
    /// The ticket of the request, and its weights.
    pub asked: Option<(u64, Weights)>,
}

/// The overlay that lists the origins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// The selected row, an index into [`Origin::ALL`].
    pub selected: usize,
}

impl Origins {
    /// The selected origin.
    pub fn origin(self) -> Origin {
        Origin::ALL[self.selected.min(Origin::ALL.len() - 1)]
    }
}

/// The command that sets the weight of an origin to 0, or back to 1.
pub fn toggle_command(origin: Origin) -> Command {
    match origin {
        Origin::Src => Command::CountSrc,
        Origin::Tests => Command::CountTests,
        Origin::Examples => Command::CountExamples,
        Origin::Docs => Command::CountDocs,
    }
}

/// The calls and reads of a definition by origin: `src 12`, `examples 4 ×3`, `tests 400 left out`.
pub fn calls_by_origin(usage: &Usage, weights: &Weights) -> Vec<String> {
    let stand = |origin: Origin| {
        let calls = usage.origins[origin as usize];
        let words = format!("{} {}", origin.word(), grouped(calls as usize));
        let words = match weights.of(origin) {
            0 => format!("{words} left out"),
            1 => words,
            n => format!("{words} ×{n}"),
        };
        (calls > 0).then_some(words)
    };
    Origin::ALL.into_iter().filter_map(stand).collect()
}

impl Model {
    /// The number of resolved calls and counted reads of an origin, each counted once, and the origin's share of all
    /// weighted ones in percent. `None` before there is an index. The share is `None` if there are none.
    pub fn calls_of(&self, origin: Origin) -> Option<(u32, Option<u32>)> {
        let calls = self.counting.as_ref().map(|counting| &counting.from).or(self.catalog.as_ref())?.origin_calls();
        let weighed = |origin: Origin| calls[origin as usize].saturating_mul(self.settings.weights.of(origin).into());
        let all = Origin::ALL.into_iter().map(weighed).fold(0, u32::saturating_add);
        Some((calls[origin as usize], percent(weighed(origin), all)))
    }
}
