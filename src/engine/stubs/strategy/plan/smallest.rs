//! The smallest stub of a scope.

use super::{CAPACITIES, Planner, SEARCH_WINDOW, knapsack::opening_price};
use crate::stub::{
    priced_tree::PricedTree,
    selection::{NodeForm, Selection},
};
use apidisc_base::sort::SharedSort as _;

impl Planner {
    /// The smallest selection. It shows the first of these that exists:
    ///
    /// 1. the requested definition and the pinned definitions, with only their required parameters;
    /// 2. the cheapest member that covers a call;
    /// 3. the cheapest member.
    pub(crate) fn smallest(&self, tree: &PricedTree) -> &Selection {
        self.smallest.get_or_init(|| {
            let forced = self.forced(tree);
            let is_forced = !forced.is_empty();
            let mut selections = if is_forced { vec![forced] } else { self.cheapest_members(tree) };
            // A whole class may take fewer tokens than a part of it and the line about its hidden members.
            for capacity in CAPACITIES {
                let table = self.table(tree, capacity);
                let Some(least) = table.cheapest(1).or_else(|| is_forced.then(|| table.cheapest(0)).flatten()) else {
                    continue;
                };
                let window = least..=(least + SEARCH_WINDOW).min(table.capacity());
                selections.extend(window.map(|budget| self.table_selection(tree, &table, budget).selection.clone()));
                break;
            }
            let tokens = |selection: &Selection| tree.tokenizer.count(&selection.render(tree).text);
            selections.into_iter().min_by_key(tokens).unwrap_or_default()
        })
    }

    /// The nodes that are always shown, with only their required parameters.
    pub(super) fn forced(&self, tree: &PricedTree) -> Selection {
        let mut selection = Selection::default();
        for &node in &tree.forced {
            selection.show(node, NodeForm::required(&tree.priced(node), self.detail));
        }
        selection
    }

    /// Selections of one member, the cheapest first.
    fn cheapest_members(&self, tree: &PricedTree) -> Vec<Selection> {
        /// The number of members that are tried, in ascending order of their estimated tokens. The estimates are so
        /// close that the cheapest member is among these.
        const MAX_SELECTIONS: usize = 8;
        let opening = |node: usize| {
            let mut tokens = 0;
            let mut at = Some(node);
            while let Some(frame) = at {
                tokens += if tree.has_frame(frame) { opening_price(tree, frame, self.detail) } else { 0 };
                at = tree.nodes[frame].parent;
            }
            tokens
        };
        let mut members: Vec<(usize, usize, NodeForm)> = Vec::new();
        for &node in &self.by_density {
            if let Some(item) = self.items[node].iter().find(|item| item.gain.is_positive()) {
                members.push((item.tokens + opening(node), node, item.form(self.detail)));
            }
        }
        if members.is_empty() {
            for node in tree.symbol_nodes() {
                let form = NodeForm::required(&tree.priced_uncached(node), self.detail);
                members.push((form.tokens(tree, node) + opening(node), node, form));
            }
        }
        members.shared_sort_by_key(|(tokens, node, _)| (*tokens, *node));
        members.truncate(MAX_SELECTIONS);
        let selection = |(_, node, form): (usize, usize, NodeForm)| {
            let mut selection = Selection::default();
            selection.show(node, form);
            selection
        };
        members.into_iter().map(selection).collect()
    }
}
