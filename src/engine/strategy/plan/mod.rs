//! Chooses the selection for a budget or for a coverage target, from the prices of a tree.
//!
//! **Invariant.** A larger budget never covers fewer calls. The answer for a budget is the best of a set of selections,
//! and a larger budget only adds selections to this set.

mod argument_bundles;
mod fill;
mod greedy;
mod item_search;
mod items;
mod knapsack;
mod smallest;
mod type_costs;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::stub::{
    priced_tree::PricedTree,
    selection::{NodeForm, Selection, title},
};
use greedy::GreedyStep;
use items::{KnapsackItem, known_gain, undominated_items};
use knapsack::{KnapsackProblem, KnapsackTable};
use type_costs::AmortizedTypeCosts;

/// The capacities of the knapsack tables, in tokens. Larger budgets are solved by the greedy chain.
const CAPACITIES: [usize; 5] = [512, 1024, 2048, 4096, 8192];
/// The number of tokens by which the price of a selection in a table may exceed the budget. Prices in a table are upper
/// bounds, so the exact price may still be within the budget.
const SEARCH_WINDOW: usize = 40;
/// The number of cached selections at which the cache is emptied.
const MAX_CACHED_SELECTIONS: usize = 128;
/// A table considers the best definitions that together fill this multiple of its capacity (the core of a knapsack
/// problem).
const CORE_FACTOR: usize = 2;

/// The state that all selections of one tree share: items, and caches of tables and selections.
#[derive(Debug)]
pub(crate) struct Planner {
    /// The items of each node; empty for a node that is neither called nor always shown, and for types outside of the
    /// scope.
    items: Vec<Vec<KnapsackItem>>,
    /// Nodes with items that gain calls, in descending order of calls per token.
    by_density: Vec<usize>,
    /// Nodes that cover no call with only their required parameters, in descending order of calls, then in the order of
    /// the text.
    fill_candidates: Vec<usize>,
    /// The steps of the greedy chain.
    greedy_steps: OnceLock<Vec<GreedyStep>>,
    /// Tables by capacity.
    tables: Mutex<BTreeMap<usize, Arc<KnapsackTable>>>,
    /// The best selection for each capacity.
    best_at_capacity: Mutex<BTreeMap<usize, Arc<PricedSelection>>>,
    /// Selections of tables, by the capacity of the table and the budget.
    table_selections: Mutex<FxHashMap<(usize, usize), Arc<PricedSelection>>>,
    /// The cached result of [`Planner::everything`].
    everything: OnceLock<Arc<PricedSelection>>,
    /// The cached result of [`Planner::smallest`].
    smallest: OnceLock<Selection>,
    priced_smallest: OnceLock<Arc<PricedSelection>>,
}

/// A selection with its price in tokens and its coverage.
#[derive(Clone, Debug)]
struct PricedSelection {
    selection: Selection,
    /// Calls covered, by the known or assumed argument sets.
    covered: u32,
    price: usize,
}

impl PricedSelection {
    fn new(tree: &PricedTree, selection: Selection) -> Self {
        let covered = selection.iter().map(|(node, form)| node_gain(tree, node, form)).sum();
        Self { covered, price: selection.price(tree), selection }
    }

    /// True if this selection covers more calls than `other`, or as many in fewer tokens.
    fn is_better_than(&self, other: &Self) -> bool {
        (self.covered, Reverse(self.price)) > (other.covered, Reverse(other.price))
    }
}

/// Tokens of the longest title line.
fn title_tokens(tree: &PricedTree) -> usize {
    tree.tokenizer.count_line(&title(tree, tree.symbols, tree.known_calls))
}

/// Calls that a node covers in a form, by the known or assumed argument sets.
fn node_gain(tree: &PricedTree, node: usize, form: &NodeForm) -> u32 {
    if tree.nodes[node].is_named_type {
        return 0;
    }
    tree.definition(node).map_or(0, |(_, definition)| known_gain(&definition.usage, &form.parameters))
}

impl Planner {
    /// Finds the items of every node.
    pub(crate) fn new(tree: &PricedTree) -> Self {
        let items: Vec<Vec<KnapsackItem>> = (0..tree.nodes.len())
            .into_par_iter()
            .map(|node| {
                let is_called = tree.definition(node).is_some_and(|(_, d)| d.usage.total_calls > 0);
                let is_called = is_called && !tree.nodes[node].is_named_type;
                if is_called || tree.nodes[node].is_forced { undominated_items(tree, node) } else { Vec::new() }
            })
            .collect();
        let density = |node: usize| {
            items[node].iter().map(|item| f64::from(item.gain) / item.tokens.max(1) as f64).fold(0.0, f64::max)
        };
        let mut by_density: Vec<usize> =
            (0..items.len()).filter(|&node| items[node].iter().any(|item| item.gain > 0)).collect();
        by_density.sort_by(|&a, &b| density(b).total_cmp(&density(a)).then(a.cmp(&b)));
        let mut fill_candidates: Vec<usize> = (0..items.len())
            .filter(|&node| tree.definition(node).is_some() && !tree.nodes[node].is_named_type)
            .filter(|&node| items[node].first().is_none_or(|item| item.gain == 0))
            .collect();
        fill_candidates.sort_by_key(|&node| {
            (Reverse(tree.definition(node).map_or(0, |(_, definition)| definition.usage.total_calls)), node)
        });
        Self {
            items,
            by_density,
            fill_candidates,
            greedy_steps: OnceLock::new(),
            tables: Mutex::default(),
            best_at_capacity: Mutex::default(),
            table_selections: Mutex::default(),
            everything: OnceLock::new(),
            smallest: OnceLock::new(),
            priced_smallest: OnceLock::new(),
        }
    }

    /// The selection with the most coverage for at most `budget` tokens, with the rest of the budget filled (see
    /// [`fill`]). If nothing fits, the smallest selection.
    pub(crate) fn within_budget(&self, tree: &PricedTree, budget: usize) -> Selection {
        let Some(best) = self.best(tree, budget) else { return self.smallest(tree).clone() };
        let mut selection = best.selection.clone();
        fill::fill(tree, &self.fill_candidates, &mut selection, budget);
        selection
    }

    /// The smallest selection that covers the share `target` of all known calls, or all that can be covered.
    pub(crate) fn reaching_target(&self, tree: &PricedTree, target: f64) -> Selection {
        let everything = self.everything(tree);
        let known = if tree.known_calls > 0 { tree.known_calls } else { everything.covered };
        let wanted = (target.clamp(0.0, 1.0) * f64::from(known) - 1e-9).ceil().max(0.0) as u32;
        let wanted = wanted.min(everything.covered);
        let reaches = |candidate: &PricedSelection| candidate.covered >= wanted;
        let mut best = Arc::clone(everything);
        let keep_smaller = |best: &mut Arc<PricedSelection>, candidate: Arc<PricedSelection>| {
            if reaches(&candidate) && candidate.price < best.price {
                *best = candidate;
            }
        };
        keep_smaller(&mut best, self.priced_smallest(tree));
        for capacity in CAPACITIES {
            let table = self.table(tree, capacity);
            let Some(budget) = table.cheapest(wanted.max(1)) else { continue };
            for budget in budget..=(budget + SEARCH_WINDOW).min(table.capacity()) {
                keep_smaller(&mut best, self.table_selection(tree, &table, budget));
            }
            break;
        }
        self.trim(tree, best.selection.clone(), wanted)
    }

    /// The best selection for a budget, before the rest of the budget is filled. `None` if nothing fits.
    fn best(&self, tree: &PricedTree, budget: usize) -> Option<Arc<PricedSelection>> {
        let mut best: Option<Arc<PricedSelection>> = None;
        let keep_better = |best: &mut Option<Arc<PricedSelection>>, candidate: Arc<PricedSelection>| {
            if candidate.price <= budget && best.as_ref().is_none_or(|best| candidate.is_better_than(best)) {
                *best = Some(candidate);
            }
        };
        let everything = self.everything(tree);
        if everything.price <= budget {
            return Some(Arc::clone(everything));
        }
        keep_better(&mut best, self.priced_smallest(tree));
        let last = CAPACITIES.len() - 1;
        let at = CAPACITIES.iter().position(|&capacity| budget <= capacity).unwrap_or(last);
        let smaller = if budget > CAPACITIES[last] { Some(last) } else { at.checked_sub(1) };
        if let Some(smaller) = smaller.and_then(|at| self.best_at_capacity(tree, at)) {
            keep_better(&mut best, smaller);
        }
        if budget > CAPACITIES[last] {
            keep_better(&mut best, Arc::new(self.greedy_selection(tree, budget)));
        } else {
            let capacity = CAPACITIES[at];
            let table = self.table(tree, capacity);
            // If several items name a type, its exact cost is known only for a whole selection: the window is larger.
            let window = if tree.declares_types() { SEARCH_WINDOW + budget / 8 } else { SEARCH_WINDOW };
            let most = (budget + window).saturating_sub(title_tokens(tree)).min(capacity);
            let mut value = table.value(most);
            while let Some(calls) = value.filter(|&calls| calls > 0) {
                // The smallest budget with this value, because the rest of the budget is filled later.
                let cheapest = table.cheapest(calls).unwrap_or(most);
                let candidate = self.table_selection(tree, &table, cheapest);
                let fits = candidate.price <= budget;
                keep_better(&mut best, candidate);
                if fits {
                    break;
                }
                value = cheapest.checked_sub(1).and_then(|less| table.value(less));
            }
        }
        best
    }

    /// The selection of a table for a budget, cached.
    fn table_selection(&self, tree: &PricedTree, table: &KnapsackTable, budget: usize) -> Arc<PricedSelection> {
        let key = (table.capacity(), budget);
        if let Some(candidate) = self.table_selections.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(candidate);
        }
        let selection = table.selection(tree, &self.items, budget);
        let candidate = Arc::new(PricedSelection::new(tree, selection));
        let mut cache = self.table_selections.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.len() == MAX_CACHED_SELECTIONS {
            cache.clear();
        }
        cache.insert(key, Arc::clone(&candidate));
        candidate
    }

    /// The best selection for the capacity `CAPACITIES[at]`, cached.
    fn best_at_capacity(&self, tree: &PricedTree, at: usize) -> Option<Arc<PricedSelection>> {
        let capacity = CAPACITIES[at];
        if let Some(best) = self.best_at_capacity.lock().unwrap_or_else(PoisonError::into_inner).get(&capacity) {
            return Some(Arc::clone(best));
        }
        let best = self.best(tree, capacity)?;
        self.best_at_capacity.lock().unwrap_or_else(PoisonError::into_inner).insert(capacity, Arc::clone(&best));
        Some(best)
    }

    /// The table of a capacity, cached.
    fn table(&self, tree: &PricedTree, capacity: usize) -> Arc<KnapsackTable> {
        if let Some(table) = self.tables.lock().unwrap_or_else(PoisonError::into_inner).get(&capacity) {
            return Arc::clone(table);
        }
        let table = Arc::new(self.solve(tree, capacity));
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).insert(capacity, Arc::clone(&table));
        table
    }

    /// Solves the knapsack problem of a capacity over the definitions with the most calls per token. A larger capacity
    /// considers all definitions that a smaller one considers.
    fn solve(&self, tree: &PricedTree, capacity: usize) -> KnapsackTable {
        let mut eligible = vec![false; tree.nodes.len()];
        let mut tokens = 0;
        for &node in &self.by_density {
            eligible[node] = true;
            tokens += self.items[node].iter().find(|item| item.gain > 0).map_or(0, |item| item.tokens);
            if tokens > CORE_FACTOR * capacity {
                break;
            }
        }
        let type_costs = AmortizedTypeCosts::new(tree, &self.items, &self.by_density, capacity);
        let problem = KnapsackProblem { tree, items: &self.items, eligible: &eligible, type_costs: &type_costs };
        KnapsackTable::new(&problem, capacity)
    }

    /// Every definition that covers a call or is always shown, in the form that covers the most calls. The smallest
    /// selection if there is none.
    fn everything(&self, tree: &PricedTree) -> &Arc<PricedSelection> {
        self.everything.get_or_init(|| {
            let mut selection = Selection::default();
            for (node, items) in self.items.iter().enumerate() {
                let is_shown = |item: &&KnapsackItem| item.gain > 0 || tree.nodes[node].is_forced;
                if let Some(item) = items.last().filter(is_shown) {
                    selection.show(node, item.form());
                }
            }
            if selection.is_empty() {
                selection = self.smallest(tree).clone();
            }
            Arc::new(PricedSelection::new(tree, selection))
        })
    }

    /// The smallest selection with its price.
    fn priced_smallest(&self, tree: &PricedTree) -> Arc<PricedSelection> {
        let candidate = || Arc::new(PricedSelection::new(tree, self.smallest(tree).clone()));
        Arc::clone(self.priced_smallest.get_or_init(candidate))
    }
}
