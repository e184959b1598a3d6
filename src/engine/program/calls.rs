//! Every call of an index in one table, without a box of its own for any.

use std::ops::Deref;

use arcstr::ArcStr;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Argument, CallSite, Resolution};
use super::{CallId, DefinitionId};
use crate::ids::id;

id! {
    /// Arguments that one or more calls of [`Calls`] pass.
    pub struct ArgumentsId;
    /// Definitions of which one or more calls of [`Calls`] mean one.
    pub struct CandidatesId;
}

/// Call sites with what they pass and may mean. What many of them pass alike is kept once.
#[derive(Debug, Default)]
pub struct Calls {
    sites: Vec<CallSite>,
    arguments: Lists<Argument>,
    candidates: Lists<DefinitionId>,
}

impl Calls {
    /// The call site of that id.
    pub fn site(&self, id: CallId) -> &CallSite {
        &self.sites[id.index()]
    }

    /// The explicit arguments of one of these call sites, in source order.
    pub fn arguments(&self, call: &CallSite) -> &[Argument] {
        self.arguments.get(call.arguments.index())
    }

    /// The definitions that one of these call sites may mean, in source order: one where it is resolved, several
    /// where it is ambiguous.
    pub fn candidates<'c>(&'c self, call: &'c CallSite) -> &'c [DefinitionId] {
        match &call.resolution {
            Resolution::Resolved(id) => std::slice::from_ref(id),
            Resolution::Ambiguous(candidates) => self.candidates.get(candidates.index()),
            Resolution::Unresolved(_) => &[],
        }
    }
}

/// The call sites, by path, line and column.
impl Deref for Calls {
    type Target = [CallSite];

    fn deref(&self) -> &[CallSite] {
        &self.sites
    }
}

/// Lists, one after the other.
#[derive(Debug)]
struct Lists<T> {
    items: Box<[T]>,
    /// Where each list ends.
    ends: Box<[u32]>,
}

impl<T> Lists<T> {
    fn get(&self, at: usize) -> &[T] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.items[start as usize..self.ends[at] as usize]
    }
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Box::default(), ends: Box::default() }
    }
}

impl<T> FromIterator<Box<[T]>> for Lists<T> {
    fn from_iter<I: IntoIterator<Item = Box<[T]>>>(lists: I) -> Self {
        let (mut items, mut ends) = (Vec::new(), Vec::new());
        for list in lists {
            items.extend(list);
            ends.push(items.len() as u32);
        }
        Self { items: items.into(), ends: ends.into() }
    }
}

/// Calls that are being gathered.
#[derive(Debug, Default)]
pub(crate) struct CallsBuilder {
    sites: Vec<CallSite>,
    arguments: IndexSet<Box<[Argument]>, FxBuildHasher>,
    candidates: IndexSet<Box<[DefinitionId]>, FxBuildHasher>,
}

impl CallsBuilder {
    /// Nothing yet, and room for so many call sites.
    pub(crate) fn with_capacity(sites: usize) -> Self {
        Self { sites: Vec::with_capacity(sites), ..Self::default() }
    }

    /// What stands for these arguments.
    pub(crate) fn arguments(&mut self, arguments: &[Argument]) -> ArgumentsId {
        let known = self.arguments.get_index_of(arguments);
        ArgumentsId::new(known.unwrap_or_else(|| self.arguments.insert_full(arguments.into()).0))
    }

    /// What stands for these definitions.
    pub(crate) fn candidates(&mut self, candidates: Box<[DefinitionId]>) -> CandidatesId {
        CandidatesId::new(self.candidates.insert_full(candidates).0)
    }

    /// Adds the next call site.
    pub(crate) fn push(&mut self, site: CallSite) {
        self.sites.push(site);
    }

    /// All of them; `share` makes their texts those of the index.
    pub(crate) fn finish(self, mut share: impl FnMut(&str) -> ArcStr) -> Calls {
        let mut arguments: Lists<Argument> = self.arguments.into_iter().collect();
        for argument in &mut arguments.items {
            argument.share_texts(&mut share);
        }
        Calls { sites: self.sites, arguments, candidates: self.candidates.into_iter().collect() }
    }
}
