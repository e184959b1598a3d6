//! The greatest gain that a stub can have, for every budget up to a capacity.
//!
//! The problem is a multiple-choice knapsack with tree dependencies: at most one item of each definition is chosen, and
//! the frame of a class or import group is paid once, when any of its members is shown. Dynamic programming over the
//! priced tree solves it in one pass for all budgets at once, so that a larger budget never gains less. A larger gain
//! may cover fewer uses; [`KnapsackTable::most_uses`] avoids that.

use super::{gain::Gain, items::KnapsackItem, type_costs::AmortizedTypeCosts};
use crate::stub::{
    Detail,
    priced_tree::PricedTree,
    selection::{NodeForm, Selection},
};

/// The best value for every budget up to the capacity, with the steps to reconstruct its selection.
#[derive(Debug)]
pub(crate) struct KnapsackTable {
    /// The greatest gain, by budget in tokens.
    best: Vec<Gain>,
    /// For each budget, the smallest budget up to it whose selection covers the most uses; of equal numbers of uses,
    /// the one with the greatest gain.
    most_uses: Vec<u32>,
    steps: Vec<KnapsackStep>,
}

/// A step of the dynamic program, with its decision for every budget.
#[derive(Debug)]
enum KnapsackStep {
    /// One item or none of a definition is chosen.
    ///
    /// - `chosen`: for each budget, the number of the item, from 1; 0 for none.
    /// - `costs`: the price of each item.
    Choose { node: usize, chosen: Vec<u8>, costs: Vec<usize> },
    /// The frame of a class or import group is paid. `before` is the number of steps before the node.
    Open { tokens: usize, before: usize },
    /// For each budget, whether the container form whose steps begin at `opened` is chosen.
    Close { opened: usize, chosen: Vec<bool> },
}

/// The input of a table.
pub(crate) struct KnapsackProblem<'a> {
    pub(crate) tree: &'a PricedTree,
    /// The items of each node; a node without items is never shown.
    pub(crate) items: &'a [Vec<KnapsackItem>],
    /// The nodes that may be shown.
    pub(crate) eligible: &'a [bool],
    /// The detail in which every node is written.
    pub(crate) detail: Detail,
    /// The costs of naming types.
    pub(crate) type_costs: &'a AmortizedTypeCosts,
}

impl KnapsackTable {
    /// Solves the problem for every budget up to `capacity` tokens.
    pub(crate) fn new(problem: &KnapsackProblem<'_>, capacity: usize) -> Self {
        let mut table = Self { best: Vec::new(), most_uses: Vec::new(), steps: Vec::new() };
        let mut best = vec![Gain::default(); capacity + 1];
        for node in problem.tree.children(None) {
            best = table.visit(problem, node, best, false);
        }
        let mut most = 0;
        for budget in 0..best.len() {
            let rank = |budget: usize| (best[budget].is_feasible(), best[budget].uses(), best[budget]);
            most = if rank(budget) > rank(most) { budget } else { most };
            table.most_uses.push(most as u32);
        }
        table.best = best;
        table
    }

    /// Adds the subtree of `node`: takes the best gains without the subtree (`before`), and returns the best gains with
    /// it. `is_required` is true if the whole subtree has to be shown.
    fn visit(&mut self, problem: &KnapsackProblem<'_>, node: usize, before: Vec<Gain>, is_required: bool) -> Vec<Gain> {
        let tree = problem.tree;
        let end = tree.nodes[node].end;
        let is_forced = is_required || (node..end).any(|n| tree.nodes[n].is_forced);
        if !is_forced && !problem.eligible[node..end].contains(&true) {
            return before;
        }
        if !tree.has_frame(node) {
            return self.choose(problem, node, before, is_forced);
        }
        let first = self.steps.len();
        let mut best = if is_forced { vec![Gain::INFEASIBLE; before.len()] } else { before.clone() };
        let may_stand_alone = !is_required && (node + 1..end).all(|member| !tree.nodes[member].is_forced);
        if may_stand_alone && problem.items[node].iter().any(|item| item.tokens_alone.is_some()) {
            let opened = self.steps.len();
            let within = self.open(0, first, &before);
            let within = self.choose_at(problem, node, within, true, |item| item.tokens_alone);
            best = self.close(opened, &best, within);
        }
        for container_form in container_forms(problem, node) {
            let opened = self.steps.len();
            let type_tokens = problem.type_costs.price(tree.priced(node).head_references(problem.detail));
            let mut within =
                self.open(tree.frame_price(node) + type_tokens + container_form.hidden_line_tokens, first, &before);
            if container_form.shows_constructor {
                within = self.choose(problem, node, within, true);
            }
            for child in tree.children(Some(node)) {
                within = self.visit(problem, child, within, container_form.shows_all_members);
            }
            best = self.close(opened, &best, within);
        }
        best
    }

    fn open(&mut self, tokens: usize, before: usize, best: &[Gain]) -> Vec<Gain> {
        self.steps.push(KnapsackStep::Open { tokens, before });
        let mut within = vec![Gain::INFEASIBLE; best.len()];
        if tokens < best.len() {
            let affordable = best.len() - tokens;
            within[tokens..].copy_from_slice(&best[..affordable]);
        }
        within
    }

    fn close(&mut self, opened: usize, without: &[Gain], mut within: Vec<Gain>) -> Vec<Gain> {
        let chosen: Vec<bool> = within.iter().zip(without).map(|(with, without)| with > without).collect();
        for (with, without) in within.iter_mut().zip(without) {
            *with = (*with).max(*without);
        }
        self.steps.push(KnapsackStep::Close { opened, chosen });
        within
    }

    fn choose(&mut self, problem: &KnapsackProblem<'_>, node: usize, before: Vec<Gain>, is_forced: bool) -> Vec<Gain> {
        let head = problem.type_costs.head_price(problem.tree, node, problem.detail);
        self.choose_at(problem, node, before, is_forced, |item| Some(item.tokens + head))
    }

    /// As [`Self::choose`]. `tokens` returns the price of an item, without the types that the item names; `None` if the
    /// item cannot be chosen.
    fn choose_at(
        &mut self,
        problem: &KnapsackProblem<'_>,
        node: usize,
        before: Vec<Gain>,
        is_forced: bool,
        tokens: impl Fn(&KnapsackItem) -> Option<usize>,
    ) -> Vec<Gain> {
        if !is_forced && (problem.items[node].is_empty() || !problem.eligible[node]) {
            return before;
        }
        let required;
        let items = if problem.items[node].is_empty() {
            let form = NodeForm::required(&problem.tree.priced(node), problem.detail);
            required = [KnapsackItem::new(problem.tree, node, form, Gain::default())];
            &required[..]
        } else {
            &problem.items[node]
        };
        let mut after = if is_forced { vec![Gain::INFEASIBLE; before.len()] } else { before.clone() };
        let mut chosen = vec![0_u8; before.len()];
        let cost = |item: &KnapsackItem| {
            tokens(item).map_or(usize::MAX, |tokens| tokens + problem.type_costs.price(&item.references))
        };
        let costs: Vec<usize> = items.iter().map(cost).collect();
        for ((item, &cost), number) in items.iter().zip(&costs).zip(1_u8..) {
            if cost >= before.len() {
                continue;
            }
            let gain = item.gain;
            let affordable = before.len() - cost;
            let rows = after[cost..].iter_mut().zip(&mut chosen[cost..]);
            for ((after, chosen), before) in rows.zip(&before[..affordable]) {
                let value = *before + gain;
                let better = value > *after;
                *after = if better { value } else { *after };
                *chosen = if better { number } else { *chosen };
            }
        }
        self.steps.push(KnapsackStep::Choose { node, chosen, costs });
        after
    }

    /// The largest budget of the table.
    pub(crate) fn capacity(&self) -> usize {
        self.best.len() - 1
    }

    /// The smallest budget up to `budget` whose selection covers the most uses, with the number of these uses. `None`
    /// if no selection fits.
    pub(crate) fn most_uses(&self, budget: usize) -> Option<(usize, u32)> {
        let budget = self.most_uses[budget] as usize;
        self.best[budget].is_feasible().then(|| (budget, self.best[budget].uses()))
    }

    /// The smallest budget in tokens whose selection covers at least `uses` uses. `None` if no budget up to the
    /// capacity has such a selection.
    pub(crate) fn cheapest(&self, uses: u32) -> Option<usize> {
        let covers_less = |&budget: &u32| {
            let best = self.best[budget as usize];
            !best.is_feasible() || best.uses() < uses
        };
        let budget = self.most_uses.partition_point(covers_less);
        (budget < self.best.len()).then_some(budget)
    }

    /// Reconstructs the selection of a budget from the steps.
    pub(crate) fn selection(
        &self,
        tree: &PricedTree,
        items: &[Vec<KnapsackItem>],
        detail: Detail,
        mut budget: usize,
    ) -> Selection {
        let mut selection = Selection::default();
        let mut step = self.steps.len();
        while step > 0 {
            step -= 1;
            match &self.steps[step] {
                KnapsackStep::Choose { node, chosen, costs } => {
                    if let Some(number) = (chosen[budget] as usize).checked_sub(1) {
                        let form = match items[*node].get(number) {
                            Some(item) => item.form(detail),
                            None => NodeForm::required(&tree.priced(*node), detail),
                        };
                        budget -= costs[number];
                        selection.show(*node, form);
                    }
                }
                KnapsackStep::Open { tokens, before } => {
                    budget -= tokens;
                    step = *before;
                }
                KnapsackStep::Close { opened, chosen } => {
                    if !chosen[budget] {
                        step = *opened;
                    }
                }
            }
        }
        selection
    }
}

/// One way to show a class or import group. The forms differ in the line about hidden members.
struct ContainerForm {
    shows_constructor: bool,
    shows_all_members: bool,
    /// The number of tokens of the line about hidden members.
    hidden_line_tokens: usize,
}

/// The forms that may be optimal. Showing the last few members may cost less than the line that says they are hidden.
fn container_forms(problem: &KnapsackProblem<'_>, node: usize) -> Vec<ContainerForm> {
    /// The largest number of uncalled members that may cost less than the line.
    const MAX_UNCALLED: usize = 3;
    let tree = problem.tree;
    if !tree.holds_members(node) {
        return vec![ContainerForm { shows_constructor: false, shows_all_members: false, hidden_line_tokens: 0 }];
    }
    let members = tree.children(Some(node)).count();
    let is_uncalled = |&member: &usize| problem.items[member..tree.nodes[member].end].iter().all(Vec::is_empty);
    let uncalled = || tree.children(Some(node)).filter(is_uncalled);
    let hidden_tokens = |shown: usize, shows_constructor: bool| {
        tree.hidden_price(node, shown, shows_constructor, problem.detail) + list_price(problem, node)
    };
    let all_hidden = hidden_tokens(0, false);
    let may_show_all = uncalled().count() <= MAX_UNCALLED
        && tree.nodes[node].unwritable_members == 0
        && uncalled().map(|member| tree.required_price(member, problem.detail)).sum::<usize>() <= all_hidden;
    let is_called = !problem.items[node].is_empty();
    let is_short = || tree.required_price(node, problem.detail) <= all_hidden;
    let mut container_forms = Vec::with_capacity(4);
    for shows_constructor in [true, false] {
        if shows_constructor && !is_called && !is_short() || !shows_constructor && tree.nodes[node].is_forced {
            continue;
        }
        if !shows_constructor && !tree.has_constructor(node) {
            continue;
        }
        container_forms.push(ContainerForm {
            shows_constructor,
            shows_all_members: false,
            hidden_line_tokens: hidden_tokens(0, shows_constructor),
        });
        if may_show_all && members > 0 {
            container_forms.push(ContainerForm {
                shows_constructor,
                shows_all_members: true,
                hidden_line_tokens: hidden_tokens(members, shows_constructor),
            });
        }
    }
    container_forms
}

/// The tokens of a list of names without the names, if members of a node may be listed.
fn list_price(problem: &KnapsackProblem<'_>, node: usize) -> usize {
    let tree = problem.tree;
    let is_listed = |member: usize| problem.items[member].iter().any(|item| item.is_listed);
    let listed = tree.children(Some(node)).find(|&member| is_listed(member));
    listed.map_or(0, |member| tree.tokenizer.count_line(&tree.list_names(&["a"], member)).saturating_sub(2))
}

/// The number of tokens of the frame of a class or import group. It includes the longest possible line about the hidden
/// members of a class.
pub(crate) fn opening_price(tree: &PricedTree, node: usize, detail: Detail) -> usize {
    let hidden = |shows_constructor| tree.hidden_price(node, 0, shows_constructor, detail);
    tree.frame_price(node) + hidden(false).max(hidden(true))
}
