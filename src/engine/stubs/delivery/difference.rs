//! The difference of two stubs: the members and arguments that only one of them shows, and the real calls that need
//! them.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::Delivery;
use crate::stub::DeliveredSymbol;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{CallId, DefinitionId, ParameterSet};
use apidisc_indexing::{index::Index, usage::Usage};

/// The members and arguments that the first of two stubs shows and the second one hides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Members, most used first; ties are broken by FQN.
    pub members: Vec<DefinitionId>,
    /// Hidden arguments of members that both stubs show: the member and the position of the parameter in its signature.
    /// The argument that most calls pass comes first.
    pub arguments: Vec<(DefinitionId, usize)>,
    /// The number of calls that can be written from the first stub but not from the second.
    pub calls: u32,
    /// The number of reads of the members that the second stub hides.
    pub reads: u32,
    /// The call sites of these calls: grouped by definition, most called first, and within a definition sorted by
    /// typicality. Empty if the index was read from a file.
    pub sites: Vec<CallId>,
}

impl Difference {
    /// True if the second stub shows everything that the first one does. Summaries are not compared.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.arguments.is_empty() && self.calls + self.reads == 0
    }
}

/// Compares two stubs of one index: returns the members and arguments that `with` shows and `without` hides.
pub fn difference(index: &Index, with: &Delivery, without: &Delivery) -> Difference {
    let on_class: FxHashMap<DefinitionId, &Usage> =
        with.symbols.iter().filter_map(|symbol| Some((symbol.id, symbol.on_class.as_deref()?))).collect();
    let usage_of = |id: DefinitionId| on_class.get(&id).copied().unwrap_or_else(|| index.usage(id));
    let shown = |delivery: &Delivery| -> FxHashMap<DefinitionId, ParameterSet> {
        let set = |symbol: &DeliveredSymbol| Some((symbol.id, symbol.visible.clone()?));
        delivery.symbols.iter().filter_map(set).collect()
    };
    let (first, second) = (shown(with), shown(without));
    let mut ids: Vec<DefinitionId> = first.keys().copied().collect();
    ids.shared_sort_by_key(|&id| (Reverse(usage_of(id).uses()), &index.definition(id).fqn, id));
    let mut difference = Difference::default();
    for id in ids {
        let (usage, visible, remaining) = (usage_of(id), &first[&id], second.get(&id));
        match remaining {
            None => {
                difference.members.push(id);
                difference.reads += usage.total_reads;
            }
            Some(remaining) => {
                let hidden = visible.difference(remaining);
                difference.arguments.extend(hidden.iter().map(|position| (id, position)));
            }
        }
        let is_lost = |open: bool, passed: &ParameterSet| {
            !open && passed.is_subset(visible) && remaining.is_none_or(|remaining| !passed.is_subset(remaining))
        };
        let lost = usage.argument_sets.iter().filter(|set| is_lost(set.open, &set.parameters));
        let lost: u32 = lost.map(|set| set.calls).sum();
        difference.calls += lost;
        if lost > 0 {
            let mut evidence = index.call_evidence(id);
            let is_counted = |call| !on_class.contains_key(&id) || usage.calls.binary_search(&call).is_ok();
            evidence.retain(|call| is_lost(call.open, &call.passed) && is_counted(call.call));
            index.sort_by_typicality(id, &mut evidence);
            difference.sites.extend(evidence.iter().map(|call| call.call));
        }
    }
    difference.arguments.shared_sort_by_key(|&(id, position)| {
        let count = usage_of(id).parameters.get(position).map_or(0, |argument| argument.count);
        (Reverse(count), &index.definition(id).fqn, position)
    });
    difference
}
