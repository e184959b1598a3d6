//! The weights of the origins (src, tests, examples, docs) and of the sources: the factor by which their calls are
//! multiplied. A group with the weight 0 does not count.

use std::sync::Arc;

use compact_str::CompactString;

use super::{Catalog, Cursor, Model};
use crate::tui::{command::Command, widgets::grouped};
use apidisc::{
    source::{INSTALLED_ROOTS, Origin},
    usage::{Usage, Weights, WeightsError, percent},
};

/// An index whose calls are being counted again with new weights.
#[derive(Debug)]
pub struct PendingCount {
    /// The newest index, with its old counts.
    pub from: Arc<Catalog>,
    /// The ticket of the request, and its weights.
    pub asked: Option<(u64, Weights)>,
}

/// A group of calls and reads that has its own weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallGroup {
    /// The calls and reads in files of an origin.
    Origin(Origin),
    /// The calls and reads in files of the source with this name.
    Source(CompactString),
}

impl CallGroup {
    /// The name of the group in lists: the word of the origin, or the name of the source.
    pub fn name(&self) -> &str {
        match self {
            Self::Origin(origin) => origin.word(),
            Self::Source(name) => name,
        }
    }

    /// The weight of the group: the factor by which its calls are multiplied.
    pub fn weight(&self, weights: &Weights) -> u8 {
        match self {
            Self::Origin(origin) => weights.of(*origin),
            Self::Source(name) => weights.of_source(name),
        }
    }

    /// These weights with another weight for the group.
    ///
    /// # Errors
    /// As for [`Weights::with`] and [`Weights::with_source`].
    pub fn weigh(&self, weights: Weights, weight: u8) -> Result<Weights, WeightsError> {
        match self {
            Self::Origin(origin) => weights.with(*origin, weight),
            Self::Source(name) => weights.with_source(name, weight.into()),
        }
    }

    /// The command that sets the weight of the group to 0, or back to 1. Sources have none.
    pub fn toggle_command(&self) -> Option<Command> {
        let Self::Origin(origin) = self else { return None };
        Some(match origin {
            Origin::Src => Command::CountSrc,
            Origin::Tests => Command::CountTests,
            Origin::Examples => Command::CountExamples,
            Origin::Docs => Command::CountDocs,
        })
    }
}

/// The overlay that lists the origins, and the sources if there are several.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origins {
    /// The selection and the scroll offset in [`Model::call_groups`].
    pub cursor: Cursor,
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
    /// The groups of calls that have weights: every origin, then every source of the index if there are several.
    pub fn call_groups(&self) -> Vec<CallGroup> {
        let sources = self.counted_index().map_or(&[][..], |catalog| &catalog.index.sources);
        // Packages hold no counted calls.
        let sources: Vec<_> =
            sources.iter().filter(|source| !INSTALLED_ROOTS.contains(&source.name.as_str())).collect();
        let sources = if sources.len() > 1 { sources } else { Vec::new() };
        let origins = Origin::ALL.into_iter().map(CallGroup::Origin);
        origins.chain(sources.into_iter().map(|source| CallGroup::Source(source.name.clone()))).collect()
    }

    /// The number of resolved calls and counted reads of a group, each counted once, and the percentage of the group.
    /// The percentage is by weighted numbers: an origin's of all origins, a source's of all sources. It is `None` if
    /// there are no calls and reads. The result is `None` before there is an index.
    pub fn calls_of(&self, group: &CallGroup) -> Option<(u32, Option<u32>)> {
        let catalog = self.counted_index()?;
        let weights = &self.settings.weights;
        let weighed = |calls: u32, weight: u8| calls.saturating_mul(weight.into());
        let (calls, all) = match group {
            CallGroup::Origin(origin) => {
                let calls = catalog.origin_calls();
                let all = Origin::ALL.into_iter().map(|origin| weighed(calls[origin as usize], weights.of(origin)));
                (calls[*origin as usize], all.fold(0, u32::saturating_add))
            }
            CallGroup::Source(name) => {
                let calls = catalog.source_calls();
                let sources = catalog.index.sources.iter().zip(calls);
                let all = sources.clone().map(|(source, calls)| weighed(*calls, weights.of_source(&source.name)));
                let of_source = sources.filter(|(source, _)| source.name == *name).map(|(_, calls)| *calls);
                (of_source.sum(), all.fold(0, u32::saturating_add))
            }
        };
        Some((calls, percent(weighed(calls, group.weight(weights)), all)))
    }

    /// The newest index: the one whose count is pending, or the one that is shown.
    fn counted_index(&self) -> Option<&Arc<Catalog>> {
        self.counting.as_ref().map(|counting| &counting.from).or(self.catalog.as_ref())
    }
}
