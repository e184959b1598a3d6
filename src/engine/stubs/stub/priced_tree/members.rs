//! The members of a definition in the order of a stub: its own members, and the inherited members that the stub shows
//! in no other definition.

use std::cmp::Reverse;

use super::PricedTree;
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::{Definition, Index, Scope};

/// A member of a class.
#[derive(Clone, Debug)]
pub(super) struct HeldMember {
    pub(super) id: DefinitionId,
    /// True for a member of a public base of the class.
    pub(super) is_inherited: bool,
    /// See [`Node::on_class`](super::Node).
    pub(super) on_class: Option<Box<Definition>>,
}

impl HeldMember {
    /// A member of the class itself, with the usage that it has in the index.
    pub(super) fn new(id: DefinitionId) -> Self {
        Self { id, is_inherited: false, on_class: None }
    }

    fn uses(&self, index: &Index) -> u32 {
        self.on_class.as_deref().unwrap_or_else(|| index.definition(self.id)).usage.uses()
    }
}

impl PricedTree {
    /// The public members of a definition in the order of a stub. The members of the requested class include the used
    /// members of its public bases, which no other part of the stub shows. So do the members of a type that a requested
    /// function names, because callers use the inherited members of the returned object. The members of the requested
    /// class also include those that it leaves to its subclasses.
    pub(super) fn members_within(&mut self, index: &Index, id: DefinitionId, node: usize) -> Vec<HeldMember> {
        let is_requested = self.scope == Scope::Definition(id);
        let for_subclasses = || protected_members(index, id).filter(|_| is_requested);
        let own = || self.renderer.members(index, id).into_iter().chain(for_subclasses()).map(HeldMember::new);
        let Scope::Definition(requested) = self.scope else { return own().collect() };
        let is_named_type = || self.nodes[node].parent.is_none() && !self.renderer.holds_members(index, requested);
        if id != requested && !is_named_type() {
            return own().collect();
        }
        let mut inherited = index.used_members_of_public_bases(id);
        inherited.retain(|&(member, _)| self.overrides.banned_ancestor(index, member).is_none());
        if inherited.is_empty() {
            return own().collect();
        }
        let inherited = inherited.into_iter().map(|(member, usage)| {
            let on_class = Box::new(index.member_on_class(member, id, usage));
            HeldMember { id: member, is_inherited: true, on_class: Some(on_class) }
        });
        let inherited: Vec<HeldMember> = inherited.collect();
        let members = if id == requested {
            members_of_class(index, own().collect(), inherited)
        } else {
            // Such a type is often shown in part. Its own members and its inherited members alternate, because its own
            // members distinguish the type, and its inherited members often have more uses.
            let (used, unused): (Vec<HeldMember>, Vec<HeldMember>) = own().partition(|member| member.uses(index) > 0);
            [alternating(used, inherited), unused].concat()
        };
        self.nodes[node].holds_inherited = true;
        members
    }
}

/// The members of a class of Python that are not public, but used by subclasses, most used first. In TypeScript such
/// members are public.
fn protected_members(index: &Index, id: DefinitionId) -> impl Iterator<Item = DefinitionId> {
    let is_protected = |member: &Definition| member.modifiers.is_protected && member.language == Language::Python;
    let members = index.definition(id).members.iter().copied();
    let mut protected: Vec<DefinitionId> = members.filter(|&id| is_protected(index.definition(id))).collect();
    protected.shared_sort_by_key(|&id| Reverse(index.definition(id).usage.uses()));
    protected.into_iter()
}

/// The members of the requested class: those that are used on it, most used first, then its own and the inherited ones
/// in turn. `inherited` is sorted by the uses of all classes.
fn members_of_class(index: &Index, own: Vec<HeldMember>, inherited: Vec<HeldMember>) -> Vec<HeldMember> {
    let is_used = |member: &HeldMember| member.uses(index) > 0;
    let (mut used, own): (Vec<HeldMember>, Vec<HeldMember>) = own.into_iter().partition(is_used);
    let (used_inherited, inherited): (Vec<HeldMember>, Vec<HeldMember>) = inherited.into_iter().partition(is_used);
    used.extend(used_inherited);
    used.shared_sort_by_key(|member| Reverse(member.uses(index)));
    [used, alternating(own, inherited)].concat()
}

/// The elements of two lists in turn, and then the rest of the longer one.
fn alternating(first: Vec<HeldMember>, second: Vec<HeldMember>) -> Vec<HeldMember> {
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    let mut all = Vec::with_capacity(first.len() + second.len());
    while first.len() + second.len() > 0 {
        all.extend(first.next());
        all.extend(second.next());
    }
    all
}
