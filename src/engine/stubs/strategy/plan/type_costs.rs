//! The amortized cost of naming a type that a stub must declare.
//!
//! A type is declared once, however many items name it, but the knapsack adds the prices of items. Each item therefore
//! pays the price of the declaration divided by the number of items that name the type. Only the best items that fill
//! the capacity are counted for this. The exact price of a solution is counted afterwards.

use rustc_hash::FxHashMap;

use super::items::KnapsackItem;
use crate::stub::{
    Detail,
    node_text::TypeReference,
    priced_tree::{PricedTree, TypeSource},
};

/// The tokens that each item pays for naming a type, by the number of the type.
#[derive(Debug, Default)]
pub(crate) struct AmortizedTypeCosts(FxHashMap<u32, f32>);

impl AmortizedTypeCosts {
    /// The costs if only the definitions that fill `capacity` share them. `by_density` lists all definitions, the best
    /// ones first.
    pub(super) fn new(
        tree: &PricedTree,
        items: &[Vec<KnapsackItem>],
        by_density: &[usize],
        detail: Detail,
        capacity: usize,
    ) -> Self {
        let mut costs = Self::default();
        if !tree.declares_types() {
            return costs;
        }
        let mut declarations: FxHashMap<u32, (f32, usize)> = FxHashMap::default();
        // The import statement of each type that is imported, and the users of each statement with its tokens.
        let mut statement_of: FxHashMap<u32, u32> = FxHashMap::default();
        let mut statements: FxHashMap<u32, (f32, usize)> = FxHashMap::default();
        let mut tokens = 0;
        for &node in by_density {
            let is_within = tokens <= capacity;
            let first = items[node].iter().find(|item| item.gain.is_positive());
            tokens += first.map_or(0, |item| item.tokens);
            let priced = tree.priced_uncached(node);
            let head = priced.head_references(detail);
            for reference in items[node].iter().flat_map(|item| &item.references).chain(head) {
                declarations.entry(reference.ty).or_insert_with(|| {
                    if let TypeSource::Import(import) = tree.type_source(*reference) {
                        let statement = import.statement;
                        statement_of.insert(reference.ty, statement);
                        statements.entry(statement).or_insert_with(|| (0.0, tree.statement_price(statement)));
                    }
                    (0.0, tree.type_price(*reference))
                });
            }
            for reference in first.iter().flat_map(|item| &item.references).chain(head).filter(|_| is_within) {
                if let Some((users, _)) = declarations.get_mut(&reference.ty) {
                    *users += 1.0;
                }
                let statement = statement_of.get(&reference.ty).and_then(|statement| statements.get_mut(statement));
                if let Some((users, _)) = statement {
                    *users += 1.0;
                }
            }
        }
        let share = |&(users, tokens): &(f32, usize)| tokens as f32 / users.max(1.0);
        let of_statement = |ty: u32| statement_of.get(&ty).and_then(|statement| statements.get(statement));
        costs.0 =
            declarations.iter().map(|(&ty, own)| (ty, share(own) + of_statement(ty).map_or(0.0, share))).collect();
        costs
    }

    /// The cost of naming these types. A type that no item under consideration names costs nothing.
    pub(super) fn price(&self, references: &[TypeReference]) -> usize {
        references.iter().filter_map(|reference| self.0.get(&reference.ty)).sum::<f32>().round() as usize
    }

    /// The cost of the types in the head of a node without a frame.
    pub(super) fn head_price(&self, tree: &PricedTree, node: usize, detail: Detail) -> usize {
        if self.0.is_empty() || tree.has_frame(node) {
            0
        } else {
            self.price(tree.priced(node).head_references(detail))
        }
    }
}
