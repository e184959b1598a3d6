//! The uses of public definitions that are not covered even by the stub that shows everything, with the reasons.

use rustc_hash::FxHashSet;

use super::PricedTree;
use crate::stub::{selection::Selection, text::pluralized};
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterSet};
use apidisc_indexing::{
    index::{Definition, Scope},
    usage::Uses,
};

/// The reason for which the stub that shows everything does not show some uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnshownReason {
    /// A constructor that is called by its own name, as in `super().__init__()`: the class shows its signature.
    Constructor,
    /// The definition is a property of an options object or type alias, and the stub does not write the type of that
    /// object or alias out.
    WithinType,
    /// The name of the definition is taken by another declaration, cannot be written, or is nested too deep.
    Name,
    /// The call passes an argument that no overload declares.
    Argument,
}

/// Uses that the stub that shows everything does not show, for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unshown {
    /// Why these uses are not shown.
    pub reason: UnshownReason,
    /// The number of these uses.
    pub uses: Uses,
}

impl UnshownReason {
    /// Every reason, in the order of display.
    const ALL: [Self; 4] = [Self::Constructor, Self::WithinType, Self::Name, Self::Argument];

    /// The reason as the end of a sentence that begins with a number of calls and reads.
    pub fn words(self) -> &'static str {
        match self {
            Self::Constructor => "of constructors by their own names",
            Self::WithinType => "of properties within options and type aliases",
            Self::Name => "of names that are taken or cannot be written",
            Self::Argument => "with arguments that no overload declares",
        }
    }
}

impl PricedTree {
    /// The uses of public definitions of the scope that are not covered by the stub that shows everything: each reason
    /// with its uses. `selection` is that of the stub.
    pub(crate) fn unshown(&self, selection: &Selection) -> Vec<Unshown> {
        let shown: FxHashSet<DefinitionId> = self.definitions().map(|(id, _)| id).collect();
        let mut uses = [Uses::default(); UnshownReason::ALL.len()];
        let mut worklist = self.index.members(self.scope);
        worklist.retain(|&id| self.index.definition(id).language == self.language);
        let mut seen: FxHashSet<DefinitionId> = worklist.iter().copied().collect();
        // The definitions whose types, as the stub writes them, describe their members. A definition precedes its
        // members.
        let mut described: FxHashSet<DefinitionId> = FxHashSet::default();
        while let Some(id) = worklist.pop() {
            let definition = self.index.definition(id);
            let is_banned = self.overrides.of(id).is_some_and(|overrides| overrides.is_banned);
            if !definition.is_public || is_banned {
                continue;
            }
            let is_within_type = definition.parent.is_some_and(|parent| described.contains(&parent));
            if !shown.contains(&id) {
                let total = Uses { calls: definition.usage.total_calls, reads: definition.usage.total_reads };
                let covered = if is_within_type { Self::known_uses(definition) } else { Uses::default() };
                uses[reason(self, definition) as usize] +=
                    Uses { calls: total.calls - covered.calls, reads: total.reads - covered.reads };
            }
            let is_written = shown.contains(&id) && definition.annotation.is_some();
            if self.is_described_by_type(id) && (is_written || is_within_type) {
                described.insert(id);
            }
            worklist.extend(self.index.members_of(id).filter(|&member| seen.insert(member)));
        }
        uses[UnshownReason::Argument as usize].calls += self.calls_without_signature(selection);
        let reasons = UnshownReason::ALL.into_iter().zip(uses);
        reasons.filter(|(_, uses)| uses.total() > 0).map(|(reason, uses)| Unshown { reason, uses }).collect()
    }

    /// The known calls of shown definitions that pass an argument which no shown signature can declare.
    fn calls_without_signature(&self, selection: &Selection) -> u32 {
        let of_node = |(id, node): (DefinitionId, usize)| {
            let form = selection.get(node).filter(|_| !self.nodes[node].is_named_type)?;
            let usage = &self.definition_at(node, id).usage;
            let missed = |parameters: &ParameterSet| -> u32 {
                let sets = usage.argument_sets.iter().filter(|set| !set.open && !set.parameters.is_subset(parameters));
                sets.map(|set| set.calls).sum()
            };
            if missed(&form.parameters) == 0 {
                return None;
            }
            let priced = self.priced_uncached(node);
            let declarable = (0..priced.parameter_count()).filter(|&position| priced.is_showable(position)).collect();
            Some(missed(&declarable))
        };
        self.definitions().filter_map(of_node).sum()
    }

    /// True for a definition of the scope whose calls or reads are counted.
    pub(super) fn is_counted(&self, node: usize) -> bool {
        let definition = self.definition(node).filter(|_| !self.nodes[node].is_named_type);
        definition.is_some_and(|(id, definition)| {
            let kind = definition.kind;
            let has_members = !definition.members.is_empty() && self.is_described_by_type(id);
            kind.is_callable() || kind.is_readable() || definition.has_call_signatures() || has_members
        })
    }

    /// True if calls were found that may call a definition of the scope, but that count for none.
    pub(super) fn finds_uncertain_calls(&self) -> bool {
        let may_be_called = |(id, node): (DefinitionId, usize)| {
            let ledger = self.definition_at(node, id).usage.ledger;
            ledger.ambiguous + ledger.unknown_receiver > 0
        };
        self.definitions().filter(|&(_, node)| !self.nodes[node].is_named_type).any(may_be_called)
    }

    /// The number of uses that code makes through the constants of the scope, which count for the members used.
    pub(super) fn count_uses_through(&self) -> u32 {
        let in_scope = self.definitions().filter(|&(_, node)| !self.nodes[node].is_named_type);
        in_scope.map(|(id, node)| self.definition_at(node, id).uses_through()).sum()
    }

    /// The number of calls of the subclasses of the requested class, if nobody calls the class itself: they stand on
    /// the subclasses. 0 in any other scope.
    pub(super) fn count_calls_of_subclasses(&self) -> u32 {
        let Scope::Definition(id) = self.scope else { return 0 };
        let class = self.index.definition(id);
        if class.kind != DefinitionKind::Class || class.usage.total_calls > 0 {
            return 0;
        }
        let subclasses = self.index.definitions.iter().filter(|definition| definition.ancestors.contains(&id));
        subclasses.map(|definition| definition.usage.total_calls).sum()
    }

    /// The last line of a stub that shows everything. It says how many uses are not shown, and why. Empty if all are
    /// shown.
    pub(crate) fn unshown_line(&self, unshown: &[Unshown]) -> String {
        let part = |Unshown { reason, uses }: &Unshown| {
            let counts = [(uses.calls, "call"), (uses.reads, "read")];
            let counts = counts.into_iter().filter(|&(count, _)| count > 0);
            let counts: Vec<String> = counts.map(|(count, noun)| pluralized(count, noun)).collect();
            format!("{} {}", counts.join(" and "), reason.words())
        };
        let parts: Vec<String> = unshown.iter().map(part).collect();
        if parts.is_empty() {
            return String::new();
        }
        format!("{} not shown: {}\n", self.comment_prefix(), parts.join(", "))
    }
}

/// The reason for which a public definition has no node.
fn reason(tree: &PricedTree, definition: &Definition) -> UnshownReason {
    if definition.is_constructor() && definition.parent.is_some() {
        return UnshownReason::Constructor;
    }
    match definition.parent {
        Some(parent) if !tree.renderer.holds_members(&tree.index, parent) => UnshownReason::WithinType,
        _ => UnshownReason::Name,
    }
}
