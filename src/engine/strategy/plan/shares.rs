//! What it costs to name a type that a stub must then declare.
//!
//! A type is declared once, however many pieces name it. A table of budgets adds prices of pieces, so that each pays
//! its share: the declaration's price, divided by the pieces among the best ones for that capacity that name it. The
//! true price of what is found is counted afterwards.

use rustc_hash::FxHashMap;

use super::choices::Choice;
use crate::stub::{needs::Need, priced_tree::PricedTree};

/// Tokens of each type, as each piece pays for it.
#[derive(Debug, Default)]
pub(crate) struct Shares(FxHashMap<u32, f32>);

impl Shares {
    /// Shared by the definitions that fill `capacity`, best ones first.
    pub(super) fn new(tree: &PricedTree, choices: &[Vec<Choice>], by_density: &[usize], capacity: usize) -> Self {
        let mut shares = Self::default();
        if !tree.declares_types() {
            return shares;
        }
        let mut names: FxHashMap<u32, (f32, usize)> = FxHashMap::default();
        let mut tokens = 0;
        for &node in by_density {
            let is_within = tokens <= capacity;
            let first = choices[node].iter().find(|choice| choice.gain > 0);
            tokens += first.map_or(0, |choice| choice.tokens);
            let part = tree.part_once(node);
            let head = &part.needs;
            for need in choices[node].iter().flat_map(|choice| &choice.needs).chain(head) {
                names.entry(need.ty).or_insert_with(|| (0.0, tree.tokenizer.count_line(&tree.short(need))));
            }
            for need in first.iter().flat_map(|choice| &choice.needs).chain(head).filter(|_| is_within) {
                if let Some((pieces, _)) = names.get_mut(&need.ty) {
                    *pieces += 1.0;
                }
            }
        }
        shares.0 = names.into_iter().map(|(ty, (pieces, tokens))| (ty, tokens as f32 / pieces.max(1.0))).collect();
        shares
    }

    /// What is paid for naming these; types of what is not among the best are paid for when they are counted.
    pub(super) fn price(&self, needs: &[Need]) -> usize {
        needs.iter().filter_map(|need| self.0.get(&need.ty)).sum::<f32>().round() as usize
    }

    /// What is paid for the types in the head of what has no body.
    pub(super) fn own_head(&self, tree: &PricedTree, node: usize) -> usize {
        if self.0.is_empty() || tree.has_body(node) { 0 } else { self.price(&tree.part(node).needs) }
    }
}
