//! The usage of an inherited member on one of the classes that inherit it from a public base.
//!
//! The usage of a member of a public base in the index counts the uses on all classes. The stub of one class states the
//! uses on this class alone, because most uses of a much used base are on other classes.

use std::{cmp::Reverse, sync::Arc};

use arcstr::ArcStr;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{
    Definition, Index,
    counts::{self, SiteWeights, UnusedUsages, UseSites},
    inherited::MAX_PER_DEFINITION,
};
use crate::usage::{Ledger, Usage};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{CallId, DefinitionId, ReadId};

/// The greatest number of classes for which one use counts.
const MAX_CLASSES: usize = 64;

/// The usages of members of public bases, by the class that inherits the member and by its declaration.
pub(crate) type UsagesOnClasses = FxHashMap<(DefinitionId, DefinitionId), Arc<Usage>>;

/// Typical calls of members of public bases, by the class that inherits the member and by its declaration.
pub(crate) type TypicalCallsOnClasses = FxHashMap<(DefinitionId, DefinitionId), ArcStr>;

impl Index {
    /// The usage of a member that `class` inherits: its calls and reads whose receiver is known to be an instance of
    /// `class` or of a class derived from it. `None` for an index that was read from a file without usages on classes.
    fn usage_on_class(&self, member: DefinitionId, class: DefinitionId) -> Option<Arc<Usage>> {
        let definition = self.definition(member);
        let Usage { calls, reads, ledger: Ledger { ambiguous, unknown_receiver, .. }, .. } = &*definition.usage;
        let ledger = Ledger { ambiguous: *ambiguous, unknown_receiver: *unknown_receiver, ..Ledger::default() };
        let unused = || UnusedUsages::default().of(definition, ledger, [0; 4]);
        if !self.has_sites() {
            let known = self.usages_on_classes.as_ref()?.get(&(class, self.declaration(member)));
            return Some(known.map_or_else(unused, Arc::clone));
        }
        let is_on_class = |receiver: Option<DefinitionId>| {
            receiver.is_some_and(|receiver| receiver == class || self.definition(receiver).ancestors.contains(&class))
        };
        let sites = UseSites {
            calls: calls.iter().copied().filter(|&id| is_on_class(self.call(id).receiver)).collect(),
            reads: reads.iter().copied().filter(|&id| is_on_class(self.read(id).receiver)).collect(),
        };
        Some(if sites.is_empty() { unused() } else { self.counted_on_class(member, sites) })
    }

    /// The members that `class` inherits from public bases and that are used on some class, most used first, each with
    /// its usage on `class`. If none of the members is used on `class`, for example because users call them on classes
    /// of their own that derive from `class`, each member has its usage on all classes.
    pub fn used_members_of_public_bases(&self, class: DefinitionId) -> Vec<(DefinitionId, Arc<Usage>)> {
        let mut members = self.members_of_public_bases(class);
        members.retain(|&member| self.usage(member).uses() > 0);
        members.shared_sort_by_key(|&member| Reverse(self.usage(member).uses()));
        let on_class = members.iter().map(|&member| Some((member, self.usage_on_class(member, class)?)));
        let on_class: Option<Vec<(DefinitionId, Arc<Usage>)>> = on_class.collect();
        let is_used = |members: &Vec<(DefinitionId, Arc<Usage>)>| members.iter().any(|(_, usage)| usage.uses() > 0);
        let on_all_classes = |&member: &DefinitionId| (member, Arc::clone(&self.definition(member).usage));
        on_class.filter(is_used).unwrap_or_else(|| members.iter().map(on_all_classes).collect())
    }

    /// A member that `class` inherits from a public base, with its usage and its typical call on `class`.
    pub fn member_on_class(&self, member: DefinitionId, class: DefinitionId, usage: Arc<Usage>) -> Definition {
        let definition = self.definition(member).clone();
        let on_class = self.typical_calls_on_classes.get(&(class, self.declaration(member)));
        let typical_call = on_class.cloned().or(definition.typical_call);
        Definition { typical_call, usage, ..definition }
    }

    /// The usages of all members of public bases on the classes that inherit them, class by class. The result is
    /// bounded: a use counts for at most [`MAX_CLASSES`] classes, and the result has at most as many usages as an index
    /// may have inherited members.
    pub(crate) fn usages_on_classes(&self) -> IndexMap<(DefinitionId, DefinitionId), Arc<Usage>, FxBuildHasher> {
        if !self.has_sites() {
            let mut known: Vec<_> = self.usages_on_classes.iter().flat_map(|known| known.iter()).collect();
            known.shared_sort_by_key(|(key, _)| **key);
            return known.into_iter().map(|(&key, usage)| (key, Arc::clone(usage))).collect();
        }
        let usages = self.sites_on_classes().into_iter();
        let usages = usages.map(|(key, sites)| (key, self.counted_on_class(key.1, sites)));
        usages.filter(|(_, usage)| usage.uses() > 0).collect()
    }

    /// The uses of members of public bases on the classes that inherit them, each with the class and the declaration.
    /// Sorted by class and declaration, and bounded as [`Self::usages_on_classes`].
    fn sites_on_classes(&self) -> Vec<((DefinitionId, DefinitionId), UseSites)> {
        let mut sites = self.call_sites_on_classes();
        for (at, read) in self.reads.iter().enumerate() {
            for class in self.classes_of_use(read.attribute, self.inherited_attribute(read), read.receiver) {
                sites.entry((class, read.attribute)).or_default().reads.push(ReadId::new(at));
            }
        }
        self.within_limit(sites.into_iter().collect())
    }

    /// The calls of members of public bases on the classes that inherit them, each list with the class and the
    /// declaration. Sorted by class and declaration, and bounded as [`Self::usages_on_classes`].
    pub(crate) fn calls_on_classes(&self) -> Vec<((DefinitionId, DefinitionId), Vec<CallId>)> {
        let calls = self.call_sites_on_classes().into_iter().map(|(key, sites)| (key, sites.calls));
        self.within_limit(calls.collect())
    }

    /// [`Self::sites_on_classes`] without reads, in any order.
    fn call_sites_on_classes(&self) -> FxHashMap<(DefinitionId, DefinitionId), UseSites> {
        let mut sites: FxHashMap<(DefinitionId, DefinitionId), UseSites> = FxHashMap::default();
        for (at, call) in self.calls.iter().enumerate() {
            let Some(declaration) = call.resolution.definition() else { continue };
            for class in self.classes_of_use(declaration, self.inherited_callee(call), call.receiver) {
                sites.entry((class, declaration)).or_default().calls.push(CallId::new(at));
            }
        }
        sites
    }

    /// Sorts elements by class and declaration, and keeps only the first ones: as many as an index may have inherited
    /// members.
    pub(crate) fn within_limit<T>(
        &self,
        mut of_members: Vec<((DefinitionId, DefinitionId), T)>,
    ) -> Vec<((DefinitionId, DefinitionId), T)> {
        of_members.shared_sort_by_key(|(key, _)| *key);
        of_members.truncate(MAX_PER_DEFINITION * self.definitions.len());
        of_members
    }

    /// The public classes for which a use of a member of a public base counts: the class of the receiver and its
    /// ancestors before the base. If the class that declares the member is not public, `inherited` is the inherited
    /// member for which the use counts, and the base is the class of `inherited`.
    pub(crate) fn classes_of_use(
        &self,
        declaration: DefinitionId,
        inherited: Option<DefinitionId>,
        receiver: Option<DefinitionId>,
    ) -> impl Iterator<Item = DefinitionId> + use<'_> {
        let is_public = |&id: &DefinitionId| self.definition(id).is_public;
        let base = self.definition(inherited.unwrap_or(declaration)).parent.filter(is_public);
        let receiver = receiver.filter(|_| base.is_some());
        let ancestors = receiver.map_or(&[][..], |receiver| &self.definition(receiver).ancestors);
        let classes = receiver.into_iter().chain(ancestors.iter().copied()).take(MAX_CLASSES);
        classes.take_while(move |&class| Some(class) != base).filter(is_public)
    }

    fn has_sites(&self) -> bool {
        !self.calls.is_empty() || !self.reads.is_empty()
    }

    fn counted_on_class(&self, member: DefinitionId, sites: UseSites) -> Arc<Usage> {
        let definition = self.definition(member);
        let weights = SiteWeights { file: self.weight_of_files(&self.weights), source: |_| 1 };
        let mut usage = counts::counted(self, definition, sites, &weights);
        let Ledger { ambiguous, unknown_receiver, .. } = definition.usage.ledger;
        (usage.ledger.ambiguous, usage.ledger.unknown_receiver) = (ambiguous, unknown_receiver);
        Arc::new(usage)
    }
}
