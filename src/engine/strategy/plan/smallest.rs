//! What no budget can go below.

use super::{CAPACITIES, Planner, WINDOW, knapsack::opening_price};
use crate::stub::{
    selection::{Selection, Shown},
    sheet::Sheet,
};

impl Planner {
    /// The smallest stub: of what was asked for by name and of what is pinned, the required form; else the
    /// cheapest member that covers a call; where there is none, the cheapest one.
    pub(crate) fn smallest(&self, sheet: &Sheet) -> &Selection {
        self.smallest.get_or_init(|| {
            let forced = Self::forced(sheet);
            let is_forced = !forced.is_empty();
            let mut selections = if is_forced { vec![forced] } else { self.alone(sheet) };
            // A class shown whole may be smaller than a part of it with what it hides.
            for capacity in CAPACITIES {
                let table = self.table(sheet, capacity);
                let Some(least) = table.cheapest(1).or_else(|| is_forced.then(|| table.cheapest(0)).flatten()) else {
                    continue;
                };
                let more = least..=(least + WINDOW).min(table.capacity());
                selections.extend(more.map(|paid| self.solution(sheet, &table, paid).selection.clone()));
                break;
            }
            let tokens = |selection: &Selection| sheet.tokenizer.count(&selection.stub(sheet).text);
            selections.into_iter().min_by_key(tokens).unwrap_or_default()
        })
    }

    /// What is never left out, in its required form.
    pub(super) fn forced(sheet: &Sheet) -> Selection {
        let mut selection = Selection::default();
        for &node in &sheet.forced {
            selection.show(node, Shown::required(&sheet.part(node)));
        }
        selection
    }

    /// The cheapest ways to show one member alone.
    fn alone(&self, sheet: &Sheet) -> Vec<Selection> {
        /// So many are worth being counted exactly.
        const CHEAPEST: usize = 8;
        let opening = |node: usize| {
            let mut tokens = 0;
            let mut at = Some(node);
            while let Some(frame) = at {
                tokens += if sheet.has_body(frame) { opening_price(sheet, frame) } else { 0 };
                at = sheet.nodes[frame].parent;
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
            for node in sheet.symbol_nodes() {
                let shown = Shown::required(&sheet.part_once(node));
                alone.push((shown.tokens(sheet, node) + opening(node), node, shown));
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
