//! The most coverage for every budget up to a capacity: an exact knapsack over the tree of a tree.
//!
//! A definition is shown in one of its choices or not at all; a class's first line is paid once, when any of
//! its members is shown, and so is a group's. One pass over the tree gives the best value for every
//! budget at once, so that a larger one can never be worth less.

use super::{choices::Choice, shares::Shares};
use crate::stub::{
    priced_tree::PricedTree,
    selection::{Selection, Shown},
};

/// No solution costs that little.
const NEVER: i32 = i32::MIN / 2;

/// The best value for every budget up to the capacity, and how it is reached.
#[derive(Debug)]
pub(crate) struct Table {
    /// Most calls covered for at most that many tokens; negative where nothing fits.
    best: Vec<i32>,
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    /// Which choice was taken at each budget, from 1; 0: none. What each choice costs.
    Choose { node: usize, taken: Vec<u8>, costs: Vec<usize> },
    /// The first line of a class or group is paid; what was there before it came with the step `before`.
    Open { tokens: usize, before: usize },
    /// Whether everything since the step `opened` was worth it, at each budget.
    Close { opened: usize, taken: Vec<bool> },
}

/// What a table is made from.
pub(crate) struct Problem<'a> {
    pub(crate) tree: &'a PricedTree,
    /// Choices a node; nodes without any are left out.
    pub(crate) choices: &'a [Vec<Choice>],
    /// Nodes that may be shown.
    pub(crate) eligible: &'a [bool],
    /// What naming a type costs.
    pub(crate) shares: &'a Shares,
}

impl Table {
    pub(crate) fn new(problem: &Problem<'_>, capacity: usize) -> Self {
        let mut table = Self { best: vec![0; capacity + 1], steps: Vec::new() };
        let mut best = std::mem::take(&mut table.best);
        for node in problem.tree.children(None) {
            best = table.visit(problem, node, best, false);
        }
        table.best = best;
        table
    }

    fn visit(&mut self, problem: &Problem<'_>, node: usize, before: Vec<i32>, must: bool) -> Vec<i32> {
        let tree = problem.tree;
        let end = tree.nodes[node].end;
        let is_forced = must || (node..end).any(|n| tree.nodes[n].is_forced);
        if !is_forced && !problem.eligible[node..end].contains(&true) {
            return before;
        }
        if !tree.has_body(node) {
            return self.choose(problem, node, before, is_forced);
        }
        let first = self.steps.len();
        let mut best = if is_forced { vec![NEVER; before.len()] } else { before.clone() };
        for form in forms(problem, node) {
            let opened = self.steps.len();
            let named = problem.shares.price(&tree.part(node).needs);
            let mut within = self.open(tree.frame_price(node) + named + form.hidden, first, &before);
            if form.constructor {
                within = self.choose(problem, node, within, true);
            }
            for child in tree.children(Some(node)) {
                within = self.visit(problem, child, within, form.whole);
            }
            best = self.close(opened, &best, within);
        }
        best
    }

    fn open(&mut self, tokens: usize, before: usize, best: &[i32]) -> Vec<i32> {
        self.steps.push(Step::Open { tokens, before });
        let mut within = vec![NEVER; best.len()];
        if tokens < best.len() {
            let affordable = best.len() - tokens;
            within[tokens..].copy_from_slice(&best[..affordable]);
        }
        within
    }

    fn close(&mut self, opened: usize, without: &[i32], mut within: Vec<i32>) -> Vec<i32> {
        let taken: Vec<bool> = within.iter().zip(without).map(|(with, without)| with > without).collect();
        for (with, without) in within.iter_mut().zip(without) {
            *with = (*with).max(*without);
        }
        self.steps.push(Step::Close { opened, taken });
        within
    }

    fn choose(&mut self, problem: &Problem<'_>, node: usize, before: Vec<i32>, is_forced: bool) -> Vec<i32> {
        if !is_forced && (problem.choices[node].is_empty() || !problem.eligible[node]) {
            return before;
        }
        let required;
        let choices = if problem.choices[node].is_empty() {
            let shown = Shown::required(&problem.tree.part(node));
            let tokens = shown.tokens(problem.tree, node);
            required = [Choice { parameters: shown.parameters, tokens, gain: 0, needs: shown.needs }];
            &required[..]
        } else {
            &problem.choices[node]
        };
        let mut after = if is_forced { vec![NEVER; before.len()] } else { before.clone() };
        let mut taken = vec![0_u8; before.len()];
        let head = problem.shares.own_head(problem.tree, node);
        let cost = |choice: &Choice| choice.tokens + head + problem.shares.price(&choice.needs);
        let costs: Vec<usize> = choices.iter().map(cost).collect();
        for ((choice, &cost), number) in choices.iter().zip(&costs).zip(1_u8..) {
            if cost >= before.len() {
                continue;
            }
            let gain = choice.gain.cast_signed();
            let affordable = before.len() - cost;
            let rows = after[cost..].iter_mut().zip(&mut taken[cost..]);
            for ((after, taken), before) in rows.zip(&before[..affordable]) {
                let value = before + gain;
                let better = value > *after;
                *after = if better { value } else { *after };
                *taken = if better { number } else { *taken };
            }
        }
        self.steps.push(Step::Choose { node, taken, costs });
        after
    }

    pub(crate) fn capacity(&self) -> usize {
        self.best.len() - 1
    }

    /// The most calls that a budget covers; `None` where nothing fits.
    pub(crate) fn value(&self, budget: usize) -> Option<u32> {
        u32::try_from(self.best[budget]).ok()
    }

    /// The smallest budget of that value or more.
    pub(crate) fn cheapest(&self, value: u32) -> Option<usize> {
        let budget = self.best.partition_point(|&best| best < value.cast_signed());
        (budget < self.best.len()).then_some(budget)
    }

    /// What is shown for that budget.
    pub(crate) fn selection(&self, tree: &PricedTree, choices: &[Vec<Choice>], mut budget: usize) -> Selection {
        let mut selection = Selection::default();
        let mut step = self.steps.len();
        while step > 0 {
            step -= 1;
            match &self.steps[step] {
                Step::Choose { node, taken, costs } => {
                    if let Some(number) = (taken[budget] as usize).checked_sub(1) {
                        let shown = choices[*node]
                            .get(number)
                            .map_or_else(|| Shown::required(&tree.part(*node)), Choice::shown);
                        budget -= costs[number];
                        selection.show(*node, shown);
                    }
                }
                Step::Open { tokens, before } => {
                    budget -= tokens;
                    step = *before;
                }
                Step::Close { opened, taken } => {
                    if !taken[budget] {
                        step = *opened;
                    }
                }
            }
        }
        selection
    }
}

/// One way to show a class or a group: each has another last line.
struct Form {
    /// The constructor is shown.
    constructor: bool,
    /// Every member is shown.
    whole: bool,
    /// Tokens of the line that says what is hidden.
    hidden: usize,
}

/// The ways that may be worth it. Showing the last members may cost less than saying that they are hidden.
fn forms(problem: &Problem<'_>, node: usize) -> Vec<Form> {
    /// Few members cost less than that line.
    const FEW: usize = 3;
    let tree = problem.tree;
    if !tree.is_class(node) {
        return vec![Form { constructor: false, whole: false, hidden: 0 }];
    }
    let members = tree.children(Some(node)).count();
    let is_uncalled = |&member: &usize| problem.choices[member..tree.nodes[member].end].iter().all(Vec::is_empty);
    let uncalled = || tree.children(Some(node)).filter(is_uncalled);
    let line = |shown: usize, constructor: bool| tree.hidden_price(node, shown, constructor);
    let all_hidden = line(0, false);
    let may_be_whole = uncalled().count() <= FEW
        && tree.nodes[node].unwritable == 0
        && uncalled().map(|member| tree.required_price(member)).sum::<usize>() <= all_hidden;
    let is_called = !problem.choices[node].is_empty();
    let is_short = || tree.required_price(node) <= all_hidden;
    let mut forms = Vec::with_capacity(4);
    for constructor in [true, false] {
        if constructor && !is_called && !is_short() || !constructor && tree.nodes[node].is_forced {
            continue;
        }
        // Where there is no constructor, it is neither shown nor hidden.
        if !constructor && !tree.has_constructor(node) {
            continue;
        }
        forms.push(Form { constructor, whole: false, hidden: line(0, constructor) });
        if may_be_whole && members > 0 {
            forms.push(Form { constructor, whole: true, hidden: line(members, constructor) });
        }
    }
    forms
}

/// Tokens of the first line of a class or group, with the line that says what a class hides, at its longest.
pub(crate) fn opening_price(tree: &PricedTree, node: usize) -> usize {
    tree.frame_price(node) + tree.hidden_price(node, 0, false).max(tree.hidden_price(node, 0, true))
}
