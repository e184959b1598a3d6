//! The table of all call sites of an index. Equal argument lists and candidate lists are stored once.

use std::ops::Deref;

use arcstr::ArcStr;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Argument, CallId, CallSite, DefinitionId, PassedKeys, ReceiverValue, Resolution, TakenMembers};
use apidisc_base::{
    ids::id,
    packed::{PackReader, PackWriter, Packed},
};

id! {
    /// An argument list in [`Calls`], shared by all call sites that pass equal arguments.
    pub struct ArgumentsId;
    /// A list of candidate definitions in [`Calls`], shared by all call sites with equal candidates.
    pub struct CandidatesId;
}

/// All call sites, with their arguments and candidates. Dereferences to the call sites, ordered by path, line and
/// column.
#[derive(Debug, Default)]
pub struct Calls {
    sites: Vec<CallSite>,
    arguments: ListArena<Argument>,
    candidates: ListArena<DefinitionId>,
    overloads: FxHashMap<CallId, OverloadChoice>,
    taken: FxHashMap<CallId, TakenMembers>,
    passed_keys: FxHashMap<CallId, Box<[PassedKeys]>>,
}

/// The overload that a call takes, by its position in the overloads of the definition that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverloadChoice {
    /// The overload that certainly accepts the arguments, and no overload before it may.
    Taken(u16),
    /// The first of several overloads that may accept the arguments, because types of arguments are not known.
    Open(u16),
}

impl OverloadChoice {
    /// The position of the overload.
    pub fn position(self) -> usize {
        let (Self::Taken(position) | Self::Open(position)) = self;
        position.into()
    }
}

impl Calls {
    /// The overload that a call takes. `None` if the definition is not overloaded, or if no overload accepts the
    /// arguments.
    pub fn overload(&self, id: CallId) -> Option<OverloadChoice> {
        self.overloads.get(&id).copied()
    }

    /// The members that the code around a call takes of the returned object. `None` if nothing is known of them.
    pub fn taken(&self, id: CallId) -> Option<&TakenMembers> {
        self.taken.get(&id)
    }

    /// The keys of the objects that a call passes, as far as [`Argument::keys`] does not say them.
    pub fn passed_keys(&self, id: CallId) -> &[PassedKeys] {
        self.passed_keys.get(&id).map_or(&[], |keys| keys)
    }

    /// The call site with this id.
    pub fn site(&self, id: CallId) -> &CallSite {
        &self.sites[id.index()]
    }

    /// The origin of the receiver of a call; `None` if the file of the call does not show it.
    pub fn receiver_value(&self, id: CallId) -> Option<ReceiverValue> {
        self.site(id).receiver_link.value(id)
    }

    /// The explicit arguments of a call site of this table, in source order.
    pub fn arguments(&self, call: &CallSite) -> &[Argument] {
        self.arguments.get(call.arguments.index())
    }

    /// The definitions that a call site of this table may call, in source order: one if it is resolved, at least two
    /// if it is ambiguous, none if it is unresolved.
    pub fn candidates<'c>(&'c self, call: &'c CallSite) -> &'c [DefinitionId] {
        match &call.resolution {
            Resolution::Resolved(id) => std::slice::from_ref(id),
            Resolution::Ambiguous(candidates) => self.candidates.get(candidates.index()),
            Resolution::Unresolved(_) => &[],
        }
    }
}

impl Deref for Calls {
    type Target = [CallSite];

    fn deref(&self) -> &[CallSite] {
        &self.sites
    }
}

/// An arena of lists: the elements of all lists in one allocation.
#[derive(Debug)]
struct ListArena<T> {
    items: Box<[T]>,
    /// The end of each list in `items`; a list starts at the end of the list before it.
    ends: Box<[u32]>,
}

impl<T> ListArena<T> {
    fn get(&self, list: usize) -> &[T] {
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        &self.items[start as usize..self.ends[list] as usize]
    }
}

impl<T> Default for ListArena<T> {
    fn default() -> Self {
        Self { items: Box::default(), ends: Box::default() }
    }
}

impl<T> FromIterator<Box<[T]>> for ListArena<T> {
    fn from_iter<I: IntoIterator<Item = Box<[T]>>>(lists: I) -> Self {
        let (mut items, mut ends) = (Vec::new(), Vec::new());
        for list in lists {
            items.extend(list);
            ends.push(items.len() as u32);
        }
        Self { items: items.into(), ends: ends.into() }
    }
}

/// Builds [`Calls`] and interns their lists.
#[derive(Debug, Default)]
pub struct CallsBuilder {
    sites: Vec<CallSite>,
    arguments: IndexSet<Box<[Argument]>, FxBuildHasher>,
    candidates: IndexSet<Box<[DefinitionId]>, FxBuildHasher>,
    overloads: FxHashMap<CallId, OverloadChoice>,
    taken: FxHashMap<CallId, TakenMembers>,
    passed_keys: FxHashMap<CallId, Box<[PassedKeys]>>,
}

impl CallsBuilder {
    /// An empty table with room for `sites` call sites.
    pub fn with_capacity(sites: usize) -> Self {
        Self { sites: Vec::with_capacity(sites), ..Self::default() }
    }

    /// Interns an argument list.
    pub fn intern_arguments(&mut self, arguments: &[Argument]) -> ArgumentsId {
        let known = self.arguments.get_index_of(arguments);
        ArgumentsId::new(known.unwrap_or_else(|| self.arguments.insert_full(arguments.into()).0))
    }

    /// Interns a list of at least two candidates.
    pub fn intern_candidates(&mut self, candidates: Box<[DefinitionId]>) -> CandidatesId {
        CandidatesId::new(self.candidates.insert_full(candidates).0)
    }

    /// Adds a call site, with the overload that it takes. Callers must add call sites in the order of path, line and
    /// column.
    pub fn push(&mut self, site: CallSite, overload: Option<OverloadChoice>) {
        if let Some(overload) = overload {
            self.overloads.insert(CallId::new(self.sites.len()), overload);
        }
        self.sites.push(site);
    }

    /// Sets the members that the code around the call added last takes of the returned object.
    pub fn set_taken(&mut self, taken: TakenMembers) {
        if let Some(last) = self.sites.len().checked_sub(1) {
            self.taken.insert(CallId::new(last), taken);
        }
    }

    /// Sets the keys that the call added last passes.
    pub fn set_passed_keys(&mut self, keys: Box<[PassedKeys]>) {
        if let Some(last) = self.sites.len().checked_sub(1) {
            self.passed_keys.insert(CallId::new(last), keys);
        }
    }

    /// The table, with every text of its arguments interned by `intern`.
    pub fn finish(mut self, mut intern: impl FnMut(&str) -> ArcStr) -> Calls {
        let mut arguments: ListArena<Argument> = self.arguments.into_iter().collect();
        for argument in &mut arguments.items {
            argument.intern_texts(&mut intern);
        }
        for key in self.passed_keys.values_mut().flatten().flat_map(|passed| &mut passed.keys) {
            key.name = intern(&key.name);
            key.value = key.value.as_deref().map(&mut intern);
        }
        let Self { sites, candidates, overloads, taken, passed_keys, .. } = self;
        Calls { sites, arguments, candidates: candidates.into_iter().collect(), overloads, taken, passed_keys }
    }
}

apidisc_base::packed::packed_structs! {
    Calls { sites, arguments, candidates, overloads, taken, passed_keys }
}

apidisc_base::packed::packed_enums! {
    OverloadChoice { Taken(position), Open(position) }
}

impl<T: Packed> Packed for ListArena<T> {
    fn pack(&self, to: &mut PackWriter) {
        let Self { items, ends } = self;
        items.pack(to);
        ends.pack(to);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        let (items, ends) = <(Box<[T]>, Box<[u32]>)>::unpack(from)?;
        let is_valid = ends.is_sorted() && ends.last().is_none_or(|&end| end as usize <= items.len());
        is_valid.then_some(Self { items, ends })
    }
}
