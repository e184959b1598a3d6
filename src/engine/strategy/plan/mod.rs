//! The choice of what to show under a budget or towards a target, over the prices of a tree.
//!
//! **Invariant.** What a budget is answered with is the best of a set of solutions that only grows with the
//! budget: so a larger budget never covers less.

mod choices;
mod fill;
mod knapsack;
mod search;
mod shares;
mod smallest;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::stub::{
    needs::Need,
    priced_tree::PricedTree,
    selection::{Selection, Shown, title},
};
use choices::{Choice, choices, gain};
use knapsack::{Problem, Table, opening_price};
use shares::Shares;

/// Budgets up to these are solved exactly.
const CAPACITIES: [usize; 5] = [512, 1024, 2048, 4096, 8192];
/// Prices in a table are upper bounds; solutions for budgets that much larger are tried, too.
const WINDOW: usize = 40;
/// Solutions that are kept before that starts anew. Each has a row a definition that it shows.
const SOLUTIONS: usize = 128;
/// A table looks at definitions that would fill its capacity that many times over, best ones first.
const CORE: usize = 2;

/// What plans for one tree share.
#[derive(Debug)]
pub(crate) struct Planner {
    /// A row a node, empty where nothing is known to call it.
    choices: Vec<Vec<Choice>>,
    /// Nodes with calls to cover, those with the most calls a token first.
    by_density: Vec<usize>,
    /// Nodes whose required form covers no call: called ones first, then in the order of the text.
    fillers: Vec<usize>,
    chain: OnceLock<Vec<Link>>,
    tables: Mutex<BTreeMap<usize, Arc<Table>>>,
    /// The best solution at each capacity.
    floors: Mutex<BTreeMap<usize, Arc<Solution>>>,
    /// By the capacity of a table and a budget within it.
    solutions: Mutex<FxHashMap<(usize, usize), Arc<Solution>>>,
    everything: OnceLock<Arc<Solution>>,
    smallest: OnceLock<Selection>,
    smallest_solution: OnceLock<Arc<Solution>>,
}

/// A selection with its figures.
#[derive(Clone, Debug)]
struct Solution {
    selection: Selection,
    /// Calls covered, where argument sets are not known as they are assumed.
    covered: u32,
    price: usize,
}

/// One step of the greedy chain: a node moves on to a further choice.
#[derive(Debug)]
struct Link {
    node: usize,
    choice: usize,
    /// Tokens of the chain up to here, at most.
    tokens: usize,
}

impl Solution {
    fn new(tree: &PricedTree, selection: Selection) -> Self {
        let covered = selection.iter().map(|(node, row)| worth(tree, node, row)).sum();
        Self { covered, price: selection.price(tree), selection }
    }

    /// More calls, then fewer tokens.
    fn is_better_than(&self, other: &Self) -> bool {
        (self.covered, Reverse(self.price)) > (other.covered, Reverse(other.price))
    }
}

/// Tokens of a title at its longest.
fn title_tokens(tree: &PricedTree) -> usize {
    tree.tokenizer.count_line(&title(tree, tree.symbols, tree.known_calls))
}

fn worth(tree: &PricedTree, node: usize, row: &Shown) -> u32 {
    if tree.nodes[node].is_named_type {
        return 0;
    }
    tree.definition(node).map_or(0, |(_, definition)| gain(&definition.usage, &row.parameters))
}

impl Planner {
    pub(crate) fn new(tree: &PricedTree) -> Self {
        let choices: Vec<Vec<Choice>> = (0..tree.nodes.len())
            .into_par_iter()
            .map(|node| {
                let is_called = tree.definition(node).is_some_and(|(_, d)| d.usage.total_calls > 0);
                let is_called = is_called && !tree.nodes[node].is_named_type;
                if is_called || tree.nodes[node].is_forced { choices(tree, node) } else { Vec::new() }
            })
            .collect();
        let density =
            |node: usize| choices[node].iter().map(|c| f64::from(c.gain) / c.tokens.max(1) as f64).fold(0.0, f64::max);
        let mut by_density: Vec<usize> =
            (0..choices.len()).filter(|&node| choices[node].iter().any(|choice| choice.gain > 0)).collect();
        by_density.sort_by(|&a, &b| density(b).total_cmp(&density(a)).then(a.cmp(&b)));
        let mut fillers: Vec<usize> = (0..choices.len())
            .filter(|&node| tree.definition(node).is_some() && !tree.nodes[node].is_named_type)
            .filter(|&node| choices[node].first().is_none_or(|c| c.gain == 0))
            .collect();
        fillers.sort_by_key(|&node| {
            (Reverse(tree.definition(node).map_or(0, |(_, definition)| definition.usage.total_calls)), node)
        });
        Self {
            choices,
            by_density,
            fillers,
            chain: OnceLock::new(),
            tables: Mutex::default(),
            floors: Mutex::default(),
            solutions: Mutex::default(),
            everything: OnceLock::new(),
            smallest: OnceLock::new(),
            smallest_solution: OnceLock::new(),
        }
    }

    /// The most coverage for at most `budget` tokens, filled up. Where nothing fits: the smallest form.
    pub(crate) fn within(&self, tree: &PricedTree, budget: usize) -> Selection {
        let Some(best) = self.best(tree, budget) else { return self.smallest(tree).clone() };
        let mut selection = best.selection.clone();
        fill::fill(tree, &self.fillers, &mut selection, budget);
        selection
    }

    /// The smallest selection that covers `target` of all calls that are known.
    pub(crate) fn reaching(&self, tree: &PricedTree, target: f64) -> Selection {
        let everything = self.everything(tree);
        let known = if tree.known_calls > 0 { tree.known_calls } else { everything.covered };
        let wanted = (target.clamp(0.0, 1.0) * f64::from(known) - 1e-9).ceil().max(0.0) as u32;
        let wanted = wanted.min(everything.covered);
        let reaches = |solution: &Solution| solution.covered >= wanted;
        let mut best = Arc::clone(everything);
        let keep_smaller = |best: &mut Arc<Solution>, solution: Arc<Solution>| {
            if reaches(&solution) && solution.price < best.price {
                *best = solution;
            }
        };
        keep_smaller(&mut best, self.smallest_solution(tree));
        for capacity in CAPACITIES {
            let table = self.table(tree, capacity);
            let Some(budget) = table.cheapest(wanted.max(1)) else { continue };
            for budget in budget..=(budget + WINDOW).min(table.capacity()) {
                keep_smaller(&mut best, self.solution(tree, &table, budget));
            }
            break;
        }
        self.trim(tree, best.selection.clone(), wanted)
    }

    /// The best solution for a budget, not filled up.
    fn best(&self, tree: &PricedTree, budget: usize) -> Option<Arc<Solution>> {
        let mut best: Option<Arc<Solution>> = None;
        let keep_better = |best: &mut Option<Arc<Solution>>, solution: Arc<Solution>| {
            if solution.price <= budget && best.as_ref().is_none_or(|best| solution.is_better_than(best)) {
                *best = Some(solution);
            }
        };
        let everything = self.everything(tree);
        if everything.price <= budget {
            return Some(Arc::clone(everything));
        }
        keep_better(&mut best, self.smallest_solution(tree));
        let last = CAPACITIES.len() - 1;
        let at = CAPACITIES.iter().position(|&capacity| budget <= capacity).unwrap_or(last);
        let smaller = if budget > CAPACITIES[last] { Some(last) } else { at.checked_sub(1) };
        if let Some(floor) = smaller.and_then(|at| self.floor(tree, at)) {
            keep_better(&mut best, floor);
        }
        if budget > CAPACITIES[last] {
            keep_better(&mut best, Arc::new(self.prefix(tree, budget)));
        } else {
            let capacity = CAPACITIES[at];
            let table = self.table(tree, capacity);
            // What types cost that several pieces name is known only of a whole.
            let window = if tree.declares_types() { WINDOW + budget / 8 } else { WINDOW };
            let most = (budget + window).saturating_sub(title_tokens(tree)).min(capacity);
            let mut value = table.value(most);
            while let Some(calls) = value.filter(|&calls| calls > 0) {
                // The least budget of that value: what it leaves goes to other things.
                let paid = table.cheapest(calls).unwrap_or(most);
                let solution = self.solution(tree, &table, paid);
                let fits = solution.price <= budget;
                keep_better(&mut best, solution);
                if fits {
                    break;
                }
                value = paid.checked_sub(1).and_then(|less| table.value(less));
            }
        }
        best
    }

    /// What a table has for a budget, remembered.
    fn solution(&self, tree: &PricedTree, table: &Table, paid: usize) -> Arc<Solution> {
        let key = (table.capacity(), paid);
        if let Some(solution) = self.solutions.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(solution);
        }
        let selection = table.selection(tree, &self.choices, paid);
        let solution = Arc::new(Solution::new(tree, selection));
        let mut solutions = self.solutions.lock().unwrap_or_else(PoisonError::into_inner);
        if solutions.len() == SOLUTIONS {
            solutions.clear();
        }
        solutions.insert(key, Arc::clone(&solution));
        solution
    }

    /// The best solution at a capacity, remembered.
    fn floor(&self, tree: &PricedTree, at: usize) -> Option<Arc<Solution>> {
        let capacity = CAPACITIES[at];
        if let Some(floor) = self.floors.lock().unwrap_or_else(PoisonError::into_inner).get(&capacity) {
            return Some(Arc::clone(floor));
        }
        let floor = self.best(tree, capacity)?;
        self.floors.lock().unwrap_or_else(PoisonError::into_inner).insert(capacity, Arc::clone(&floor));
        Some(floor)
    }

    fn table(&self, tree: &PricedTree, capacity: usize) -> Arc<Table> {
        if let Some(table) = self.tables.lock().unwrap_or_else(PoisonError::into_inner).get(&capacity) {
            return Arc::clone(table);
        }
        let table = Arc::new(self.with_eligible(tree, capacity, |problem| Table::new(problem, capacity)));
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).insert(capacity, Arc::clone(&table));
        table
    }

    /// Calls `then` with the problem of a capacity: the definitions that can matter for it. Those of a smaller
    /// capacity are among those of a larger one.
    fn with_eligible<T>(&self, tree: &PricedTree, capacity: usize, then: impl FnOnce(&Problem<'_>) -> T) -> T {
        let mut eligible = vec![false; tree.nodes.len()];
        let mut tokens = 0;
        for &node in &self.by_density {
            eligible[node] = true;
            tokens += self.choices[node].iter().find(|choice| choice.gain > 0).map_or(0, |choice| choice.tokens);
            if tokens > CORE * capacity {
                break;
            }
        }
        let shares = Shares::new(tree, &self.choices, &self.by_density, capacity);
        then(&Problem { tree, choices: &self.choices, eligible: &eligible, shares: &shares })
    }

    /// Everything that covers a call, in the form that covers most.
    fn everything(&self, tree: &PricedTree) -> &Arc<Solution> {
        self.everything.get_or_init(|| {
            let mut selection = Selection::default();
            for (node, choices) in self.choices.iter().enumerate() {
                let worth = |choice: &&Choice| choice.gain > 0 || tree.nodes[node].is_forced;
                if let Some(choice) = choices.last().filter(worth) {
                    selection.show(node, choice.shown());
                }
            }
            if selection.is_empty() {
                selection = self.smallest(tree).clone();
            }
            Arc::new(Solution::new(tree, selection))
        })
    }

    fn smallest_solution(&self, tree: &PricedTree) -> Arc<Solution> {
        let solution = || Arc::new(Solution::new(tree, self.smallest(tree).clone()));
        Arc::clone(self.smallest_solution.get_or_init(solution))
    }

    /// The longest prefix of the greedy chain that fits.
    fn prefix(&self, tree: &PricedTree, budget: usize) -> Solution {
        let chain = self.chain.get_or_init(|| self.greedy_chain(tree));
        let mut selection = Self::forced(tree);
        for link in &chain[..chain.partition_point(|link| link.tokens <= budget)] {
            selection.show(link.node, self.choices[link.node][link.choice].shown());
        }
        Solution::new(tree, selection)
    }

    /// Every step that gains calls, the most calls a token first.
    fn greedy_chain(&self, tree: &PricedTree) -> Vec<Link> {
        let forced = Self::forced(tree);
        let mut steps: Vec<(f64, usize, usize, usize)> = Vec::new();
        for &node in &self.by_density {
            let choices = &self.choices[node];
            let (mut tokens, mut gain, mut next) = (0, 0, 0);
            if let Some(row) = forced.get(node) {
                (tokens, gain) = (row.tokens(tree, node), worth(tree, node, row));
            }
            while next < choices.len() {
                let density = |i: usize| {
                    f64::from(choices[i].gain.saturating_sub(gain))
                        / choices[i].tokens.saturating_sub(tokens).max(1) as f64
                };
                let Some(best) =
                    (next..choices.len()).max_by(|&a, &b| density(a).total_cmp(&density(b)).then(b.cmp(&a)))
                else {
                    break;
                };
                if choices[best].gain > gain {
                    steps.push((density(best), node, best, choices[best].tokens.saturating_sub(tokens)));
                }
                (tokens, gain, next) = (choices[best].tokens, choices[best].gain, best + 1);
            }
        }
        steps.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut total = title_tokens(tree);
        let mut open = vec![false; tree.nodes.len()];
        let mut opening = |node: usize| {
            let (mut tokens, mut at) = (0, Some(node));
            while let Some(frame) = at.filter(|&frame| !open[frame]) {
                open[frame] = true;
                tokens += if tree.has_body(frame) { opening_price(tree, frame) } else { 0 };
                at = tree.nodes[frame].parent;
            }
            tokens
        };
        let mut named = FxHashSet::default();
        let mut declaring = |node: usize, needs: &[Need]| {
            let part = tree.part_once(node);
            let needs = needs.iter().chain(&part.needs).filter(|need| named.insert(need.ty));
            needs.map(|need| tree.tokenizer.count_line(&tree.short(need))).sum::<usize>()
        };
        for (node, row) in forced.iter() {
            total += row.tokens(tree, node) + opening(node) + declaring(node, &row.needs);
        }
        let mut chain = Vec::with_capacity(steps.len());
        for (_, node, choice, tokens) in steps {
            total += tokens + opening(node) + declaring(node, &self.choices[node][choice].needs);
            chain.push(Link { node, choice, tokens: total });
        }
        chain
    }

    /// Takes out what is not needed for the wanted coverage, the most tokens for the fewest calls first.
    fn trim(&self, tree: &PricedTree, mut selection: Selection, wanted: u32) -> Selection {
        let value = |selection: &Selection, node: usize| selection.get(node).map_or(0, |row| worth(tree, node, row));
        let mut shown: Vec<usize> = selection.iter().map(|(node, _)| node).collect();
        let mut spare = shown.iter().map(|&node| value(&selection, node)).sum::<u32>().saturating_sub(wanted);
        shown.sort_by_key(|&node| (value(&selection, node), Reverse(node)));
        let mut left = shown.len();
        for node in shown {
            let Some(row) = selection.get(node) else { continue };
            let covered = worth(tree, node, row);
            let floor = covered.saturating_sub(spare);
            let is_needed = tree.nodes[node].is_forced || left == 1;
            if floor == 0 && !is_needed {
                selection.hide(node);
                spare -= covered;
                left -= 1;
                continue;
            }
            let smaller = self.choices[node].iter().find(|choice| choice.gain >= floor);
            if let Some(choice) = smaller.filter(|choice| choice.tokens < row.tokens(tree, node)) {
                let kept = choice.gain;
                if covered.saturating_sub(kept) <= spare {
                    spare -= covered.saturating_sub(kept);
                    selection.show(node, choice.shown());
                }
            }
        }
        selection
    }
}
