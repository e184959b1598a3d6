//! The selection of [`Wording::Auto`](crate::stub::Wording::Auto) within a budget: call shapes, of which the most used
//! ones are written with types and documentation, or everything in full.

use super::{Planner, Planners, PricedSelection, fill::FillKind, gain::Objective};
use crate::stub::{
    Detail, Docs, ShownDocs, Wording,
    priced_tree::{PricedTree, PricedTrees},
    selection::{NodeForm, Selection},
};
use apidisc_base::sort::SharedSort as _;

/// The number of tokens of a budget that are spent on coverage alone: on the call shapes that cover the most uses.
const COVERING_TOKENS: usize = 300;
/// The share of the tokens above [`COVERING_TOKENS`] that is spent on the types and the documentation of the most used
/// definitions. The other tokens are spent on coverage, too.
const DETAIL_SHARE: f64 = 0.08;
/// The share of a budget that may be spent on describing what an intent names.
const SHARE_OF_ASKED: f64 = 0.6;
/// The most tokens that are spent on describing what an intent names.
const MOST_TOKENS_OF_ASKED: usize = 400;

impl Planners {
    /// The selection that covers more uses of two: call shapes for a part of the budget, with types and documentation
    /// for the rest; or everything in full.
    ///
    /// A larger budget covers no fewer uses in either selection, so the better one covers no fewer uses either. If both
    /// cover as many uses, the selection that declares more is taken: a future call may pass an argument that no
    /// counted call passes.
    pub(super) fn in_auto_wording(&self, trees: &PricedTrees, docs: Docs, budget: usize) -> Selection {
        let (planner, tree) = self.within(trees, Wording::Auto);
        let full_tree = trees.of(Detail::Full);
        let full = self.get(full_tree, Detail::Full, Objective::Worth);
        let covering_budget = planner.covering_budget(tree, budget);
        let shapes = planner.best(tree, covering_budget);
        // The full form is compared with the call shapes of the whole budget: the shapes that follow cover less only
        // because the description of what an intent names takes the rest.
        let covered = shapes.as_ref().map_or(0, |shapes| shapes.covered());
        let (covering_budget, shapes) = match planner.besides_asked(tree, covering_budget, budget, docs) {
            Some(less) => (less, planner.best(tree, less)),
            None => (covering_budget, shapes),
        };
        let full_budget = full.besides_asked(full_tree, budget, budget, docs).unwrap_or(budget);
        match (full.best(full_tree, full_budget), shapes) {
            (None, None) => self.smallest(trees, Wording::Auto).clone(),
            (Some(in_full), None) => full.filled(full_tree, &in_full, budget, docs),
            (Some(in_full), Some(_)) if in_full.covered() > covered => full.filled(full_tree, &in_full, budget, docs),
            (in_full, Some(shapes)) => {
                let enriched = planner.enriched(trees, &shapes, covering_budget, budget, docs);
                let in_full = in_full.filter(|in_full| in_full.covered() == covered);
                let in_full = in_full.map(|in_full| full.filled(full_tree, &in_full, budget, docs));
                let declares_more = |in_full: &Selection| {
                    let is_as_helpful = !tree.names_something() || said(in_full) >= said(&enriched);
                    is_as_helpful && declared(tree, in_full) >= declared(tree, &enriched)
                };
                in_full.filter(declares_more).unwrap_or(enriched)
            }
        }
    }
}

/// The number of parameters of which a selection says what to pass, without leaving out further values.
fn said(selection: &Selection) -> usize {
    let whole = |docs: &ShownDocs| docs.values.iter().filter(|position| !docs.cut_values.contains(*position)).count();
    selection.iter().map(|(_, form)| whole(&form.docs)).sum()
}

impl Planner {
    /// The best selection for `covering_budget`, a part of `budget`, filled with parameters and members that no counted
    /// call needs. The rest of the budget is spent on more detail and documentation for the most used definitions, and
    /// then filled (see [`fill`](super::fill)).
    fn enriched(
        &self,
        trees: &PricedTrees,
        best: &PricedSelection,
        covering_budget: usize,
        budget: usize,
        docs: Docs,
    ) -> Selection {
        let tree = trees.of(self.detail);
        let mut selection = best.selection.clone();
        self.describe(tree, &mut selection, covering_budget, budget, docs);
        self.fill(tree, &mut selection, covering_budget, FillKind::Coverage, Docs::None);
        self.fill(tree, &mut selection, budget, FillKind::MoreDetail, docs);
        keep_layout(trees, &mut selection, budget);
        selection
    }

    /// The part of `covering_budget` that is left for coverage besides the description of what an intent names. `None`
    /// if an intent names nothing.
    fn besides_asked(&self, tree: &PricedTree, covering_budget: usize, budget: usize, docs: Docs) -> Option<usize> {
        if !tree.names_something() {
            return None;
        }
        let most = MOST_TOKENS_OF_ASKED.min((budget as f64 * SHARE_OF_ASKED) as usize);
        let least = budget.min(self.priced_smallest(tree).price);
        let shapes = self.best(tree, budget.saturating_sub(most).max(least))?;
        let mut described = shapes.selection.clone();
        self.describe_asked(tree, &mut described, budget.min(shapes.price + most), docs);
        let tokens = described.price(tree).saturating_sub(shapes.price);
        Some(covering_budget.min(budget - tokens.min(budget)).max(least))
    }

    /// The part of a budget that is spent on coverage. The part grows with the budget, and some selection fits into the
    /// part if one fits into the budget.
    fn covering_budget(&self, tree: &PricedTree, budget: usize) -> usize {
        let detail_tokens = (budget.saturating_sub(COVERING_TOKENS) as f64 * DETAIL_SHARE) as usize;
        (budget - detail_tokens).max(budget.min(self.priced_smallest(tree).price))
    }
}

/// The number of definitions and parameters of the scope that a selection declares.
fn declared(tree: &PricedTree, selection: &Selection) -> usize {
    let of_scope = selection.iter().filter(|&(node, _)| !tree.nodes[node].is_named_type);
    of_scope.map(|(_, form)| 1 + form.parameters.len()).sum()
}

/// Shortens a selection that shows everything in full, and therefore has the wide layout, until it fits into `budget`
/// tokens: writes the least used definitions lean, and then as call shapes.
fn keep_layout(trees: &PricedTrees, selection: &mut Selection, budget: usize) {
    let wide = trees.of(Detail::Full);
    if selection.detail() != Detail::Full || selection.repriced(wide).price(wide) <= budget {
        return;
    }
    let narrow = trees.of(Detail::Calls);
    let shown = selection.iter().map(|(node, _)| node).filter(|&node| !narrow.nodes[node].is_named_type);
    let mut shown: Vec<usize> = shown.collect();
    shown.shared_sort_by_key(|&node| (narrow.definition(node).map_or(0, |(_, d)| d.usage.uses()), node));
    for (detail, node) in
        [Detail::Lean, Detail::Calls].into_iter().flat_map(|detail| shown.iter().map(move |&n| (detail, n)))
    {
        let Some(form) = selection.get(node) else { continue };
        let docs = if detail == Detail::Lean { form.docs.clone() } else { ShownDocs::default() };
        let shorter = NodeForm::new(&narrow.priced(node), form.parameters.clone(), detail, docs);
        selection.show(node, shorter);
        if selection.price(narrow) <= budget {
            return;
        }
    }
}
