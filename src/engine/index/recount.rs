//! Counts the calls and reads of an index again, with a weight per origin and source, or per file.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    Index,
    counts::{self, UnusedUsages},
};
use crate::{
    program::{CallId, DefinitionId, FileId},
    source::Origin,
    usage::{Ledger, Usage, Weights},
};

/// The index was read from a file, which has counts but no call sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an index that was read from a file does not say where its calls stand; name the folder instead")]
pub struct NoCallSites;

impl Index {
    /// This index with each call and read counted as many times as the weights of its origin and of its source say.
    ///
    /// Three things do not change: [`Index::ledger`]; `ambiguous` and `unknown_receiver` in each definition's ledger;
    /// and [`Usage::origins`], which shows how many uses the weights leave out.
    ///
    /// # Errors
    /// [`NoCallSites`] if the index was read from a file.
    pub fn weighted(&self, weights: Weights) -> Result<Self, NoCallSites> {
        let mut index = self.recounted(self.weight_of_files(&weights))?;
        index.weights = weights;
        Ok(index)
    }

    /// The number of times that each call and read in a file counts with these weights.
    pub(crate) fn weight_of_files(&self, weights: &Weights) -> impl Fn(FileId) -> u32 + Sync {
        let sources: Vec<u32> = self.sources.iter().map(|source| weights.of_source(&source.name).into()).collect();
        let origins = Origin::ALL.map(|origin| u32::from(weights.of(origin)));
        move |file| {
            let file = self.file(file);
            origins[file.origin as usize] * sources.get(file.source as usize).copied().unwrap_or(1)
        }
    }

    /// This index with each call and read counted as many times as `weight` returns for its file.
    /// [`Index::weights`] does not change, nor do the numbers that [`Self::weighted`] leaves unchanged.
    ///
    /// # Errors
    /// [`NoCallSites`] if the index was read from a file.
    pub fn recounted(&self, weight: impl Fn(FileId) -> u32 + Sync) -> Result<Self, NoCallSites> {
        let has_sites = !self.calls.is_empty() || !self.reads.is_empty();
        if !has_sites && self.definitions.iter().any(|definition| definition.usage.uses() > 0) {
            return Err(NoCallSites);
        }
        // An earlier recount may have removed calls from `Usage::calls`, so all call sites are grouped again.
        let mut calls: Vec<Vec<CallId>> = vec![Vec::new(); self.definitions.len() + self.inherited.len()];
        for (at, call) in self.calls.iter().enumerate() {
            if let Some(id) = call.resolution.definition() {
                calls[id.index()].push(CallId::new(at));
                if let Some(inherited) = self.inherited_callee(call) {
                    calls[inherited.index()].push(CallId::new(at));
                }
            }
        }
        let ids = (0..calls.len()).into_par_iter().map(DefinitionId::new);
        let sites = calls.into_par_iter().zip(counts::reads_by_attribute(self));
        let counted = ids.zip(sites).map_init(UnusedUsages::default, |unused, (id, (calls, reads))| {
            let definition = self.definition(id);
            let Usage { origins, ledger: Ledger { ambiguous, unknown_receiver, .. }, .. } = *definition.usage;
            if calls.is_empty() && reads.is_empty() {
                return unused.of(definition, Ledger { ambiguous, unknown_receiver, ..Ledger::default() }, origins);
            }
            let mut usage = counts::counted(self, definition, calls.into_iter(), reads, &weight);
            usage.origins = origins;
            (usage.ledger.ambiguous, usage.ledger.unknown_receiver) = (ambiguous, unknown_receiver);
            Arc::new(usage)
        });
        let mut usages: Vec<Arc<Usage>> = counted.collect();
        let inherited = usages.split_off(self.definitions.len());
        let mut index = self.clone();
        counts::set_usages(&mut index, usages, inherited);
        Ok(index)
    }
}
