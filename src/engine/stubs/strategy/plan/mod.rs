//! Chooses the selection for a budget or for a coverage target, from the prices of a tree.
//!
//! **Invariant.** A larger budget never covers fewer uses. The answer for a budget is the best of a set of selections,
//! and a larger budget only adds selections to this set.

mod argument_bundles;
mod auto_wording;
mod documentation;
mod enrichment;
mod fill;
mod gain;
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
    Detail, Docs, Style, Wording,
    priced_tree::{PricedTree, PricedTrees},
    selection::{Legend, NodeForm, Selection, heading},
};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_indexing::index::Definition;
use fill::{FillKind, FillOptions};
use gain::{Gain, Objective};
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

/// The planners of one tree, by their objective and by the detail of their selections. A planner is made on first use.
#[derive(Debug, Default)]
pub(crate) struct Planners([[OnceLock<Planner>; Detail::ALL.len()]; Objective::ALL.len()]);

/// The state that all selections of one tree in one detail share: items, and caches of tables and selections.
#[derive(Debug)]
pub(crate) struct Planner {
    /// The level of detail of each shown member.
    detail: Detail,
    objective: Objective,
    /// The items of each node; empty for a node that is neither used nor always shown, and for types outside of the
    /// scope.
    items: Vec<Vec<KnapsackItem>>,
    /// Nodes with items that gain uses, in descending order of uses per token.
    by_density: Vec<usize>,
    /// Nodes that cover no use with only their required parameters, in descending order of uses; among equals
    /// attributes come last, then the order of the text decides. Members that code never calls by name follow all
    /// others; see [`is_implicit`].
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
    /// The gain, by the known or assumed argument sets.
    gain: Gain,
    price: usize,
}

impl PricedSelection {
    /// The number of covered uses.
    fn covered(&self) -> u32 {
        self.gain.uses()
    }

    /// True if this selection is preferred to `other`: it covers more uses, or as many uses with a greater gain, or has
    /// the same gain for fewer tokens.
    fn is_better_than(&self, other: &Self) -> bool {
        let rank = |selection: &Self| (selection.covered(), selection.gain, Reverse(selection.price));
        rank(self) > rank(other)
    }
}

impl Planners {
    fn get(&self, tree: &PricedTree, detail: Detail, objective: Objective) -> &Planner {
        self.0[objective as usize][detail as usize].get_or_init(|| Planner::new(tree, detail, objective))
    }

    /// The planner of the selections within a budget, with its tree. [`Wording::Auto`] has the planner of call shapes,
    /// since its selections begin with call shapes.
    fn within<'a>(&'a self, trees: &'a PricedTrees, wording: Wording) -> (&'a Planner, &'a PricedTree) {
        let detail = wording.detail().unwrap_or(Detail::Calls);
        let tree = trees.of(detail);
        (self.get(tree, detail, Objective::Worth), tree)
    }

    /// The selection with the most coverage for at most `budget` tokens, with the rest of the budget filled: see
    /// [`Planner::filled`] and [`auto_wording`]. If nothing fits, the smallest selection.
    pub(crate) fn within_budget(&self, trees: &PricedTrees, style: Style, budget: usize) -> Selection {
        let Style { wording, docs } = style;
        if wording == Wording::Auto {
            return self.in_auto_wording(trees, docs, budget);
        }
        let (planner, tree) = self.within(trees, wording);
        match planner.best(tree, budget) {
            Some(best) => planner.filled(tree, &best, budget, docs),
            None => planner.smallest(tree).clone(),
        }
    }

    /// See [`Planner::reaching_target`]. Without a budget, [`Wording::Auto`] means [`Detail::Full`].
    pub(crate) fn reaching_target(&self, trees: &PricedTrees, wording: Wording, target: f64) -> Selection {
        let detail = wording.detail().unwrap_or_default();
        let tree = trees.of(detail);
        self.get(tree, detail, Objective::Uses).reaching_target(tree, target)
    }

    /// The smallest selection of a wording. For [`Wording::Auto`], this is the smaller one of the smallest call shapes
    /// and the smallest full form, which needs no legend.
    pub(crate) fn smallest<'a>(&'a self, trees: &'a PricedTrees, wording: Wording) -> &'a Selection {
        let (shortest, tree) = self.within(trees, wording);
        if wording != Wording::Auto {
            return shortest.smallest(tree);
        }
        let full_tree = trees.of(Detail::Full);
        let full = self.get(full_tree, Detail::Full, Objective::Worth);
        let is_full_shorter = full.priced_smallest(full_tree).price < shortest.priced_smallest(tree).price;
        if is_full_shorter { full.smallest(full_tree) } else { shortest.smallest(tree) }
    }
}

impl Planner {
    /// Finds the items of every node.
    fn new(tree: &PricedTree, detail: Detail, objective: Objective) -> Self {
        let items: Vec<Vec<KnapsackItem>> = (0..tree.nodes.len())
            .into_par_iter()
            .map(|node| {
                let is_used = tree.definition(node).is_some_and(|(_, d)| d.usage.uses() > 0);
                let is_used = is_used && !tree.nodes[node].is_named_type;
                if is_used || tree.nodes[node].is_forced {
                    undominated_items(tree, node, detail, objective)
                } else {
                    Vec::new()
                }
            })
            .collect();
        let density = |node: usize| {
            items[node].iter().map(|item| item.gain.value() / item.tokens.max(1) as f64).fold(0.0, f64::max)
        };
        let mut by_density: Vec<usize> =
            (0..items.len()).filter(|&node| items[node].iter().any(|item| item.gain.is_positive())).collect();
        by_density.shared_sort_by(|&a, &b| density(b).total_cmp(&density(a)).then(a.cmp(&b)));
        let mut fill_candidates: Vec<usize> = (0..items.len())
            .filter(|&node| tree.definition(node).is_some() && !tree.nodes[node].is_named_type)
            .filter(|&node| items[node].first().is_none_or(|item| !item.gain.is_positive()))
            .collect();
        fill_candidates.shared_sort_by_key(|&node| {
            let definition = tree.definition(node).map(|(_, definition)| definition);
            let uses = definition.map_or(0, Definition::ranking_uses);
            let is_readable = definition.is_some_and(|definition| definition.kind.is_readable());
            (uses == 0 && definition.is_some_and(is_implicit), Reverse(uses), is_readable, node)
        });
        Self {
            detail,
            objective,
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

    /// The best selection for `budget` tokens, with the rest of the budget filled (see [`fill`]).
    fn filled(&self, tree: &PricedTree, best: &PricedSelection, budget: usize, docs: Docs) -> Selection {
        let mut selection = best.selection.clone();
        self.describe(tree, &mut selection, budget, budget, docs);
        self.fill(tree, &mut selection, budget, FillKind::SameDetail, docs);
        selection
    }

    /// Describes what an intent names within `budget`; without an intent, says what callers pass within
    /// `covering_budget`.
    fn describe(
        &self,
        tree: &PricedTree,
        selection: &mut Selection,
        covering_budget: usize,
        budget: usize,
        docs: Docs,
    ) {
        if tree.names_something() {
            self.describe_asked(tree, selection, budget, docs);
        } else {
            self.add_values(tree, selection, covering_budget, docs);
        }
    }

    /// Describes what an intent names: see [`FillKind::Asked`].
    fn describe_asked(&self, tree: &PricedTree, selection: &mut Selection, budget: usize, docs: Docs) {
        self.fill(tree, selection, budget, FillKind::Asked, docs);
    }

    /// Says of the definitions that are always shown what callers pass, as far as a share of the budget goes.
    fn add_values(&self, tree: &PricedTree, selection: &mut Selection, budget: usize, docs: Docs) {
        if docs != Docs::None && !tree.forced.is_empty() {
            self.fill(tree, selection, budget, FillKind::Values, docs);
        }
    }

    fn fill(&self, tree: &PricedTree, selection: &mut Selection, budget: usize, kind: FillKind, docs: Docs) {
        let options = FillOptions { members: &self.fill_candidates, detail: self.detail, kind, docs };
        fill::fill(tree, options, selection, budget);
    }

    /// A selection with its gain and price.
    fn with_price(&self, tree: &PricedTree, selection: Selection) -> PricedSelection {
        let gain = selection.iter().map(|(node, form)| self.node_gain(tree, node, form)).sum();
        PricedSelection { gain, price: selection.price(tree), selection }
    }

    /// The gain of a node in a form, by the known or assumed argument sets.
    fn node_gain(&self, tree: &PricedTree, node: usize, form: &NodeForm) -> Gain {
        let definition = tree.definition(node).filter(|_| !tree.nodes[node].is_named_type);
        definition.map_or_else(Gain::default, |(_, definition)| {
            known_gain(&definition.usage, &form.parameters, self.objective)
        })
    }

    /// Tokens of the longest title line with its legend.
    fn heading_tokens(&self, tree: &PricedTree) -> usize {
        let legend = Legend { detail: self.detail, has_classes_alone: true, hides_parts: true };
        tree.tokenizer.count_line(&heading(tree, tree.symbols, tree.known, legend))
    }

    /// The smallest selection that covers the share `target` of all known uses, or all that can be covered.
    pub(crate) fn reaching_target(&self, tree: &PricedTree, target: f64) -> Selection {
        let everything = self.everything(tree);
        let known = if tree.known.total() > 0 { tree.known.total() } else { everything.covered() };
        let wanted = (target.clamp(0.0, 1.0) * f64::from(known) - 1e-9).ceil().max(0.0) as u32;
        let wanted = wanted.min(everything.covered());
        let reaches = |candidate: &PricedSelection| candidate.covered() >= wanted;
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
            let most = (budget + window).saturating_sub(self.heading_tokens(tree)).min(capacity);
            let mut next = table.most_uses(most);
            // The candidates are the selections that cover the most uses, not those of the greatest gain: a larger
            // budget must not cover fewer uses.
            while let Some((cheapest, _)) = next.filter(|&(_, uses)| uses > 0) {
                let candidate = self.table_selection(tree, &table, cheapest);
                let fits = candidate.price <= budget;
                keep_better(&mut best, candidate);
                if fits {
                    break;
                }
                next = cheapest.checked_sub(1).and_then(|less| table.most_uses(less));
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
        let selection = table.selection(tree, &self.items, self.detail, budget);
        let candidate = Arc::new(self.with_price(tree, selection));
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

    /// Solves the knapsack problem of a capacity over the definitions with the most uses per token. A larger capacity
    /// considers all definitions that a smaller one considers.
    fn solve(&self, tree: &PricedTree, capacity: usize) -> KnapsackTable {
        let mut eligible = vec![false; tree.nodes.len()];
        let mut tokens = 0;
        for &node in &self.by_density {
            eligible[node] = true;
            tokens += self.items[node].iter().find(|item| item.gain.is_positive()).map_or(0, |item| item.tokens);
            if tokens > CORE_FACTOR * capacity {
                break;
            }
        }
        let type_costs = AmortizedTypeCosts::new(tree, &self.items, &self.by_density, self.detail, capacity);
        let (items, detail) = (&self.items, self.detail);
        let problem = KnapsackProblem { tree, items, eligible: &eligible, detail, type_costs: &type_costs };
        KnapsackTable::new(&problem, capacity)
    }

    /// Every definition that covers a use or is always shown, in the form that covers the most uses. The smallest
    /// selection if there is none.
    fn everything(&self, tree: &PricedTree) -> &Arc<PricedSelection> {
        self.everything.get_or_init(|| {
            let mut selection = Selection::default();
            for (node, items) in self.items.iter().enumerate() {
                let is_shown = |item: &&KnapsackItem| item.gain.is_positive() || tree.nodes[node].is_forced;
                if let Some(item) = items.last().filter(is_shown) {
                    selection.show(node, item.form(self.detail));
                }
            }
            if selection.is_empty() {
                selection = self.smallest(tree).clone();
            }
            Arc::new(self.with_price(tree, selection))
        })
    }

    /// The smallest selection with its price.
    fn priced_smallest(&self, tree: &PricedTree) -> Arc<PricedSelection> {
        let candidate = || Arc::new(self.with_price(tree, self.smallest(tree).clone()));
        Arc::clone(self.priced_smallest.get_or_init(candidate))
    }
}

/// True for a special method of Python that every object or class has, and that code reaches without its name: a stub
/// that declares it tells a caller nothing (Python language reference, 3.3.1 to 3.3.3).
fn is_implicit(definition: &Definition) -> bool {
    let is_special = definition.language == Language::Python && definition.name.starts_with("__");
    let name = definition.name.trim_matches('_');
    is_special
        && matches!(
            name,
            "repr"
                | "str"
                | "format"
                | "eq"
                | "ne"
                | "hash"
                | "del"
                | "dir"
                | "sizeof"
                | "reduce"
                | "reduce_ex"
                | "getstate"
                | "setstate"
                | "getattribute"
                | "setattr"
                | "delattr"
                | "init_subclass"
                | "post_init"
                | "set_name"
                | "new"
        )
}
