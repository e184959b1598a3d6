//! What one stub shows and another one does not, and the real calls that need it.

use super::Delivery;
use crate::stub::DeliveredSymbol;
use crate::{
    index::Index,
    program::{CallId, DefinitionId, ParameterSet},
};
use rustc_hash::FxHashMap;

/// What the first of two stubs has and the second one lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Members, most called first; ties by FQN.
    pub members: Vec<DefinitionId>,
    /// Arguments of members that stay, by the calls that pass them.
    pub arguments: Vec<(DefinitionId, usize)>,
    /// How many calls can be written from the first stub and not from the second.
    pub calls: u32,
    /// Where those stand, most typical first of the most called definitions; none where the index was read from
    /// a file.
    pub sites: Vec<CallId>,
}

impl Difference {
    /// True where the second stub shows everything that the first one does, but for summaries.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.arguments.is_empty() && self.calls == 0
    }
}

/// What `with` shows and `without` does not; both are stubs of `index`.
pub fn difference(index: &Index, with: &Delivery, without: &Delivery) -> Difference {
    let shown = |delivery: &Delivery| -> FxHashMap<DefinitionId, ParameterSet> {
        let set = |symbol: &DeliveredSymbol| Some((symbol.id, symbol.visible.clone()?));
        delivery.symbols.iter().filter_map(set).collect()
    };
    let (before, after) = (shown(with), shown(without));
    let mut ids: Vec<DefinitionId> = before.keys().copied().collect();
    ids.sort_by_key(|&id| {
        let definition = index.definition(id);
        (std::cmp::Reverse(definition.usage.total_calls), &definition.fqn, id)
    });
    let mut difference = Difference::default();
    for id in ids {
        let (usage, visible, left) = (index.usage(id), &before[&id], after.get(&id));
        match left {
            None => difference.members.push(id),
            Some(left) => difference.arguments.extend(visible.difference(left).iter().map(|position| (id, position))),
        }
        let is_lost = |open: bool, passed: &ParameterSet| {
            !open && passed.is_subset(visible) && left.is_none_or(|left| !passed.is_subset(left))
        };
        let lost = usage.argument_sets.iter().filter(|set| is_lost(set.open, &set.parameters));
        let lost: u32 = lost.map(|set| set.calls).sum();
        difference.calls += lost;
        if lost > 0 {
            let mut witnesses = index.call_evidence(id);
            witnesses.retain(|witness| is_lost(witness.open, &witness.passed));
            index.sort_by_typicality(id, &mut witnesses);
            difference.sites.extend(witnesses.iter().map(|witness| witness.call));
        }
    }
    difference.arguments.sort_by_key(|&(id, position)| {
        let count = index.usage(id).parameters.get(position).map_or(0, |row| row.count);
        (std::cmp::Reverse(count), &index.definition(id).fqn, position)
    });
    difference
}
