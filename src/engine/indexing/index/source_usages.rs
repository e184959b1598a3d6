//! The usage of every definition in each source. With it, the sources of an index without call sites can be weighed and
//! left out.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Index, counts};
use crate::usage::{Usage, keep_decisive_values};
use apidisc_facts::{program::DefinitionId, source::Origin};

/// The usages of a definition, each with the position of its source in [`Index::sources`], by source. The weights of
/// sources do not apply to them, those of origins do. They have no ranks and no call sites.
pub(crate) type UsagesBySource = Box<[(u32, Arc<Usage>)]>;

/// The usages of every used definition and inherited member.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceUsages(FxHashMap<DefinitionId, UsagesBySource>);

impl SourceUsages {
    /// The usages in an index of several sources with call sites.
    fn of_sites(index: &Index) -> Self {
        let origins = Origin::ALL.map(|origin| u32::from(index.weights.of(origin)));
        let weight = |file| origins[index.file(file).origin as usize];
        let sites = counts::use_sites(index);
        let used = sites.into_par_iter().enumerate().filter(|(_, sites)| !sites.is_empty());
        let usages = used.map(|(at, sites)| {
            let id = DefinitionId::new(at);
            let mut parts = counts::counted_by_source(index, index.definition(id), sites, weight);
            // The weights of origins may leave all uses out.
            parts.retain(|(_, part)| part.uses() > 0);
            for (_, part) in &mut parts {
                (part.calls, part.reads) = (Vec::new(), Vec::new());
            }
            (id, shared(parts))
        });
        Self(usages.filter(|(_, parts): &(_, UsagesBySource)| !parts.is_empty()).collect())
    }

    /// Adds the usages of a definition, ordered by source, with all their values.
    pub(crate) fn add(&mut self, id: DefinitionId, parts: Vec<(u32, Usage)>) {
        self.insert(id, shared(parts));
    }

    /// Adds the usages of a definition, ordered by source.
    pub(super) fn insert(&mut self, id: DefinitionId, parts: UsagesBySource) {
        self.0.insert(id, parts);
    }

    /// The usages of a definition; none if it is not used.
    pub(super) fn of(&self, id: DefinitionId) -> &[(u32, Arc<Usage>)] {
        self.0.get(&id).map_or(&[], |parts| parts)
    }

    /// The uses of all definitions, if those in a source count as often as `weight` returns.
    pub(super) fn uses(&self, weight: impl Fn(u32) -> u32) -> u64 {
        let parts = self.0.values().flatten();
        parts.map(|(source, part)| u64::from(weight(*source)) * u64::from(part.uses())).sum()
    }
}

fn shared(mut parts: Vec<(u32, Usage)>) -> UsagesBySource {
    keep_decisive_values(&mut parts);
    parts.into_iter().map(|(source, part)| (source, Arc::new(part))).collect()
}

impl Index {
    /// The usages in each source; `None` if there is one source, or if the index was read from a file that does not
    /// name the source of each use.
    pub(super) fn usages_by_source(&self) -> Option<Arc<SourceUsages>> {
        let has_sites = !self.calls.is_empty() || !self.reads.is_empty();
        let counted = || (self.sources.len() > 1 && has_sites).then(|| Arc::new(SourceUsages::of_sites(self)));
        self.source_usages.clone().or_else(counted)
    }

    /// The number of resolved calls and of reads in each source, in the order of [`Self::sources`]. In an index without
    /// call sites, a function counts as one read of each attribute that it reads; all numbers are 0 if the index does
    /// not name the source of each use.
    pub fn uses_of_sources(&self) -> Vec<u32> {
        let mut uses = vec![0; self.sources.len()];
        let mut add = |source: u32, number: u32| {
            if let Some(uses) = uses.get_mut(source as usize) {
                *uses += number;
            }
        };
        if let Some(usages) = &self.source_usages {
            for (source, part) in self.definitions_with_ids().flat_map(|(id, _)| usages.of(id)) {
                add(*source, part.uses());
            }
        }
        let calls = self.calls.iter().filter(|call| call.resolution.definition().is_some()).map(|call| call.file);
        for file in calls.chain(self.reads.iter().map(|read| read.file)) {
            add(self.file(file).source, 1);
        }
        uses
    }
}
