//! Counts the calls and reads of an index again, with a weight per origin and source, or per file.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    Index,
    counts::{self, SiteWeights, UnusedUsages, UseSites},
    instances,
    source_usages::SourceUsages,
};
use crate::usage::{self, Ledger, Usage, Weights};
use apidisc_facts::{
    program::{DefinitionId, FileId},
    source::Origin,
};

/// The greatest number of uses that an index without call sites may state. A planner adds up the worth of all uses, at
/// most 16 for each, which is below 2^30 for this number and so cannot overflow.
pub(super) const MAX_USES: u64 = 50_000_000;

/// Why an index cannot be counted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecountError {
    /// The index was read from a file, which has counts but no call sites.
    #[error("an index that was read from a file does not say where its calls stand; name the folder instead")]
    NoCallSites,
    /// The index was read from a file, which has the counts of each source, but not of each origin.
    #[error("an index from a file counts by source, not by origin; name the folders instead")]
    NoOrigins,
    /// The weights would give an index without call sites more uses than it can hold.
    #[error("with these weights there are more than 50 million uses; choose lower weights")]
    TooManyUses,
}

impl Index {
    /// A copy of this index in which each call and read counts as many times as the weights of its origin and of its
    /// source say. In an index without call sites only weights of sources can change, and only if it has the counts of
    /// each source.
    ///
    /// These numbers do not change: [`Index::ledger`]; `ambiguous` and `unknown_receiver` in each definition's ledger;
    /// and [`Usage::origins`], which shows how many uses the weights leave out.
    ///
    /// # Errors
    /// [`RecountError`] if the index was read from a file that does not have these counts.
    pub fn weighted(&self, weights: Weights) -> Result<Self, RecountError> {
        let sources: Vec<u32> = self.sources.iter().map(|source| weights.of_source(&source.name).into()).collect();
        let of_source = |source: u32| sources.get(source as usize).copied().unwrap_or(1);
        let mut index = match &self.source_usages {
            Some(_) if Origin::ALL.into_iter().any(|origin| weights.of(origin) != self.weights.of(origin)) => {
                return Err(RecountError::NoOrigins);
            }
            Some(usages) => self.summed(usages, of_source)?,
            None => {
                let origins = Origin::ALL.map(|origin| u32::from(weights.of(origin)));
                let file = |file| origins[self.file(file).origin as usize];
                self.recounted_by(&SiteWeights { file, source: of_source })?
            }
        };
        index.weights = weights;
        Ok(index)
    }

    /// The number of times that each call and read in a file counts with these weights.
    pub fn weight_of_files(&self, weights: &Weights) -> impl Fn(FileId) -> u32 + Sync {
        let sources: Vec<u32> = self.sources.iter().map(|source| weights.of_source(&source.name).into()).collect();
        let origins = Origin::ALL.map(|origin| u32::from(weights.of(origin)));
        move |file| {
            let file = self.file(file);
            origins[file.origin as usize] * sources.get(file.source as usize).copied().unwrap_or(1)
        }
    }

    /// A copy of this index in which each call and read counts as many times as `weight` returns for its file.
    /// [`Index::weights`] does not change, nor do the numbers that [`Self::weighted`] leaves unchanged.
    ///
    /// # Errors
    /// [`RecountError::NoCallSites`] if the index was read from a file.
    pub fn recounted(&self, weight: impl Fn(FileId) -> u32 + Sync) -> Result<Self, RecountError> {
        self.recounted_by(&SiteWeights { file: weight, source: |_| 1 })
    }

    fn recounted_by(
        &self,
        weights: &SiteWeights<impl Fn(FileId) -> u32 + Sync, impl Fn(u32) -> u32 + Sync>,
    ) -> Result<Self, RecountError> {
        let has_sites = !self.calls.is_empty() || !self.reads.is_empty();
        if !has_sites && self.definitions.iter().any(|definition| definition.usage.uses() > 0) {
            return Err(RecountError::NoCallSites);
        }
        // An earlier recount may have removed calls from `Usage::calls`, so all call sites are grouped again.
        let sites = counts::use_sites(self);
        let ids = (0..sites.len()).into_par_iter().map(DefinitionId::new);
        let counted = ids.zip(sites).map_init(UnusedUsages::default, |unused, (id, sites): (_, UseSites)| {
            let definition = self.definition(id);
            let Usage { origins, ledger: Ledger { ambiguous, unknown_receiver, .. }, .. } = *definition.usage;
            if sites.is_empty() {
                return unused.of(definition, Ledger { ambiguous, unknown_receiver, ..Ledger::default() }, origins);
            }
            let mut usage = counts::counted(self, definition, sites, weights);
            usage.origins = origins;
            (usage.ledger.ambiguous, usage.ledger.unknown_receiver) = (ambiguous, unknown_receiver);
            Arc::new(usage)
        });
        let mut index = self.with_usages(counted.collect());
        instances::note_used_members(&mut index, |file| {
            (weights.file)(file) * (weights.source)(self.file(file).source)
        });
        Ok(index)
    }

    /// A copy of this index in which each usage is the weighted sum of the usages in the sources.
    fn summed(&self, usages: &SourceUsages, weight: impl Fn(u32) -> u32 + Sync) -> Result<Self, RecountError> {
        if usages.uses(&weight) > MAX_USES {
            return Err(RecountError::TooManyUses);
        }
        let ids = (0..self.definitions.len() + self.inherited.len()).into_par_iter().map(DefinitionId::new);
        let summed = ids.map(|id| {
            let old = &self.definition(id).usage;
            let parts = usages.of(id);
            if parts.is_empty() {
                return Arc::clone(old);
            }
            let mut usage = usage::sum(parts.iter().map(|(source, part)| (weight(*source), &**part)));
            usage.origins = old.origins;
            (usage.ledger.ambiguous, usage.ledger.unknown_receiver) =
                (old.ledger.ambiguous, old.ledger.unknown_receiver);
            Arc::new(usage)
        });
        Ok(self.with_usages(summed.collect()))
    }

    /// A copy of this index with other usages: those of all definitions, followed by those of all inherited members.
    fn with_usages(&self, mut usages: Vec<Arc<Usage>>) -> Self {
        let inherited = usages.split_off(self.definitions.len());
        let mut index = self.clone();
        counts::set_usages(&mut index, usages, inherited);
        index
    }
}
