//! The same definitions with their calls counted otherwise: by origin, or those of some files only.

use std::iter;

use rayon::prelude::*;

use super::{Index, counts};
use crate::program::{CallId, FileId};
use crate::{
    program::CallSite,
    usage::{self, Usage, Weights},
};

/// An index that was read from a file: how often is known, where is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an index that was read from a file does not say where its calls stand; name the folder instead")]
pub struct NoCallSites;

impl Index {
    /// The same index with the calls of each origin counted as often as `weights` say.
    ///
    /// What is said of calls that could not be counted stays that of all files: [`Index::ledger`], and of a
    /// definition the ambiguous ones and those on receivers of unknown type. [`Usage::origins`] stay, too, so
    /// that what is left out can still be told.
    ///
    /// # Errors
    /// [`NoCallSites`] where this index was read from a file.
    pub fn weighted(&self, weights: Weights) -> Result<Self, NoCallSites> {
        let mut index = self.recounted(|file| weights.of(self.file(file).origin).into())?;
        index.weights = weights;
        Ok(index)
    }

    /// The same index with the calls of each file counted as often as `weight` says.
    ///
    /// # Errors
    /// [`NoCallSites`] where this index was read from a file.
    pub fn recounted(&self, weight: impl Fn(FileId) -> u32 + Sync) -> Result<Self, NoCallSites> {
        if self.calls.is_empty() && self.definitions.iter().any(|definition| definition.usage.total_calls > 0) {
            return Err(NoCallSites);
        }
        // A definition's own list may have been narrowed before: all calls are looked at anew.
        let mut calls: Vec<Vec<CallId>> = vec![Vec::new(); self.definitions.len()];
        for (at, call) in self.calls.iter().enumerate() {
            if let Some(id) = call.resolution.definition() {
                calls[id.index()].push(CallId::new(at));
            }
        }
        let counted = self.definitions.par_iter().zip(calls).map(|(definition, calls)| {
            let ids = calls.into_iter().flat_map(|id| iter::repeat_n(id, weight(self.call(id).file) as usize));
            let origin = |call: &CallSite| counts::origin_place(&self.files, call);
            let mut usage = usage::count(definition.signature.as_deref(), &self.calls, ids, origin);
            let old = &definition.usage;
            usage.origins = old.origins;
            usage.calls.dedup();
            usage.ledger.ambiguous = old.ledger.ambiguous;
            usage.ledger.unknown_receiver = old.ledger.unknown_receiver;
            usage
        });
        let counted: Vec<Usage> = counted.collect();
        let mut index = self.clone();
        counts::set(&mut index, counted);
        counts::rank(&mut index);
        counts::sum(&mut index);
        Ok(index)
    }
}
