//! Counts the calls and reads of an index again, with a weight per origin and source, or per file.

use std::iter;

use rayon::prelude::*;

use super::{Index, counts};
use crate::{
    program::{CallId, CallSite, DefinitionId, FileId},
    source::Origin,
    usage::{self, Usage, Weights},
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
        let counted = ids.zip(sites).map(|(id, (calls, reads))| {
            let definition = self.definition(id);
            let ids = calls.into_iter().flat_map(|id| iter::repeat_n(id, weight(self.call(id).file) as usize));
            let origin = |file: FileId| counts::origin_position(&self.files, file);
            let (signature, overloads) = (definition.signature.as_deref(), definition.overloads.len());
            let origin_of_call = |call: &CallSite| origin(call.file);
            let mut usage = usage::count(signature, overloads, &self.calls, ids, origin_of_call);
            usage::count_reads(&mut usage, &self.reads, reads, &weight, origin);
            let old = &definition.usage;
            usage.origins = old.origins;
            usage.calls.dedup();
            usage.ledger.ambiguous = old.ledger.ambiguous;
            usage.ledger.unknown_receiver = old.ledger.unknown_receiver;
            usage
        });
        let mut usages: Vec<Usage> = counted.collect();
        let inherited = usages.split_off(self.definitions.len());
        let mut index = self.clone();
        counts::set_usages(&mut index, usages, inherited);
        Ok(index)
    }
}
