//! What no budget can go below.

use super::{CAPACITIES, Planner, WINDOW, knapsack::opening_price};
use crate::stub::{
    priced_tree::PricedTree,
    selection::{Selection, Shown},
};

impl Planner {
    /// The smallest stub: of what was asked for by name and of what is pinned, the required form; else the
    /// cheapest member that covers a call; where there is none, the cheapest one.
    pub(crate) fn smallest(&self, tree: &PricedTree) -> &Selection {
        self.smallest.get_or_init(|| {
            let forced = Self::forced(tree);
            let is_forced = !forced.is_empty();
            let mut selections = if is_forced { vec![forced] } else { self.alone(tree) };
            // A class shown whole may be smaller than a part of it with what it hides.
            for capacity in CAPACITIES {
                let table = self.table(tree, capacity);
                let Some(least) = table.cheapest(1).or_else(|| is_forced.then(|| table.cheapest(0)).flatten()) else {
                    continue;
                };
                let more = least..=(least + WINDOW).min(table.capacity());
                selections.extend(more.map(|paid| self.solution(tree, &table, paid).selection.clone()));
                break;
            }
            let tokens = |selection: &Selection| tree.tokenizer.count(&selection.stub(tree).text);
            selections.into_iter().min_by_key(tokens).unwrap_or_default()
        })
    }

    /// What is never left out, in its required form.
    pub(super) fn forced(tree: &PricedTree) -> Selection {
        let mut selection = Selection::default();
        for &node in &tree.forced {
            selection.show(node, Shown::required(&tree.part(node)));
        }
        selection
    }

    /// The cheapest ways to show one member alone.
    fn alone(&self, tree: &PricedTree) -> Vec<Selection> {
        /// So many are worth being counted exactly.
        const CHEAPEST: usize = 8;
        let opening = |node: usize| {
            let mut tokens = 0;
            let mut at = Some(node);
            while let Some(frame) = at {
                tokens += if tree.has_body(frame) { opening_price(tree, frame) } else { 0 };
                at = tree.nodes[frame].parent;
            }
            tokens
        };
        let mut alone: Vec<(usize, usize, Shown)> = Vec::new();
        for &node in &self.by_density {
            if let Some(choice) = self.choices[node].iter().find(|choice| choice.gain > 0) {
                alone.push((choice.tokens + opening(node), node, choice.shown()));
            }
        }
        if alone.is_empty() {
            for node in tree.symbol_nodes() {
                let shown = Shown::required(&tree.part_once(node));
                alone.push((shown.tokens(tree, node) + opening(node), node, shown));
            }
        }
        alone.sort_by_key(|(tokens, node, _)| (*tokens, *node));
        alone.truncate(CHEAPEST);
        let selection = |(_, node, shown): (usize, usize, Shown)| {
            let mut selection = Selection::default();
            selection.show(node, shown);
            selection
        };
        alone.into_iter().map(selection).collect()
    }
}
