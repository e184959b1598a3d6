//! The greedy chain for budgets above the capacity of the largest table, and the reduction of a selection to a coverage
//! target.

use std::cmp::Reverse;

use super::{Planner, PricedSelection, gain::Gain, knapsack::opening_price};
use crate::stub::{
    node_text::TypeReference,
    priced_tree::PricedTree,
    selection::{DeclaredTypes, Selection},
};
use apidisc_base::sort::SharedSort as _;

/// A step of the greedy chain: the form of a node is replaced by that of a larger item.
#[derive(Debug)]
pub(super) struct GreedyStep {
    node: usize,
    item: usize,
    /// An upper bound for the tokens of all steps up to this one.
    total_tokens: usize,
}

impl Planner {
    /// The selection of the longest prefix of the greedy chain that fits into `budget` tokens.
    pub(super) fn greedy_selection(&self, tree: &PricedTree, budget: usize) -> PricedSelection {
        let steps = self.greedy_steps.get_or_init(|| self.greedy_chain(tree));
        let mut selection = self.forced(tree);
        for step in &steps[..steps.partition_point(|step| step.total_tokens <= budget)] {
            selection.show(step.node, self.items[step.node][step.item].form(self.detail));
        }
        self.with_price(tree, selection)
    }

    /// The steps with a positive marginal gain, in descending order of marginal gain per token.
    fn greedy_chain(&self, tree: &PricedTree) -> Vec<GreedyStep> {
        let forced = self.forced(tree);
        let mut steps: Vec<(f64, usize, usize, usize)> = Vec::new();
        for &node in &self.by_density {
            let items = &self.items[node];
            let (mut tokens, mut gain, mut next) = (0, Gain::default(), 0);
            if let Some(form) = forced.get(node) {
                (tokens, gain) = (form.tokens(tree, node), self.node_gain(tree, node, form));
            }
            while next < items.len() {
                let density = |i: usize| {
                    (items[i].gain - gain).value().max(0.0) / items[i].tokens.saturating_sub(tokens).max(1) as f64
                };
                // A larger budget takes more steps, and must not cover fewer uses.
                let covering = (next..items.len()).filter(|&i| items[i].gain.uses() >= gain.uses());
                let Some(best) = covering.max_by(|&a, &b| density(a).total_cmp(&density(b)).then(b.cmp(&a))) else {
                    break;
                };
                if items[best].gain > gain {
                    steps.push((density(best), node, best, items[best].tokens.saturating_sub(tokens)));
                }
                (tokens, gain, next) = (items[best].tokens, items[best].gain, best + 1);
            }
        }
        steps.shared_sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut total = self.heading_tokens(tree);
        let mut is_open = vec![false; tree.nodes.len()];
        let mut opening = |node: usize| {
            let (mut tokens, mut at) = (0, Some(node));
            while let Some(frame) = at.filter(|&frame| !is_open[frame]) {
                is_open[frame] = true;
                tokens += if tree.has_frame(frame) { opening_price(tree, frame, self.detail) } else { 0 };
                at = tree.nodes[frame].parent;
            }
            tokens
        };
        let mut types = DeclaredTypes::default();
        let mut declaring = |node: usize, references: &[TypeReference]| {
            let priced = tree.priced_uncached(node);
            let new =
                types.price(tree, references.iter().chain(priced.head_references(self.detail)).copied(), |_| false);
            let tokens = new.tokens;
            types.add(new);
            tokens
        };
        for (node, form) in forced.iter() {
            total += form.tokens(tree, node) + opening(node) + declaring(node, &form.references);
        }
        let mut chain = Vec::with_capacity(steps.len());
        for (_, node, item, tokens) in steps {
            total += tokens + opening(node) + declaring(node, &self.items[node][item].references);
            chain.push(GreedyStep { node, item, total_tokens: total });
        }
        chain
    }

    /// For a planner of [`Objective::Uses`](super::gain::Objective::Uses): removes or reduces nodes while the selection
    /// still covers `wanted` uses. The nodes that cover the fewest uses come first.
    pub(super) fn trim(&self, tree: &PricedTree, mut selection: Selection, wanted: u32) -> Selection {
        let gain_of = |selection: &Selection, node: usize| {
            selection.get(node).map_or(0, |form| self.node_gain(tree, node, form).uses())
        };
        let mut shown: Vec<usize> = selection.iter().map(|(node, _)| node).collect();
        let mut spare = shown.iter().map(|&node| gain_of(&selection, node)).sum::<u32>().saturating_sub(wanted);
        shown.shared_sort_by_key(|&node| (gain_of(&selection, node), Reverse(node)));
        let mut remaining = shown.len();
        for node in shown {
            let Some(form) = selection.get(node) else { continue };
            let covered = self.node_gain(tree, node, form).uses();
            let needed = covered.saturating_sub(spare);
            let must_stay = tree.nodes[node].is_forced || remaining == 1;
            if needed == 0 && !must_stay {
                selection.hide(node);
                spare -= covered;
                remaining -= 1;
                continue;
            }
            let smaller = self.items[node].iter().find(|item| item.gain.uses() >= needed);
            if let Some(item) = smaller.filter(|item| item.tokens < form.tokens(tree, node)) {
                let loss = covered.saturating_sub(item.gain.uses());
                if loss <= spare {
                    spare -= loss;
                    selection.show(node, item.form(self.detail));
                }
            }
        }
        selection
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        overrides::ResolvedOverrides,
        strategy::plan::{gain::Objective, items::KnapsackItem},
        stub::{Detail, Layout},
    };
    use apidisc_base::control::Control;
    use apidisc_facts::{program::ParameterSet, source::Source};
    use apidisc_indexing::{index::Scope, indexer::build, usage::ArgumentSet};
    use apidisc_tokens::{Encoding, Tokenizer};

    /// The items of one function: the tokens, the worth and the uses of each. Returns the uses that the steps of the
    /// greedy chain cover.
    fn covered_by_steps(items: &[(usize, u32, u32)]) -> Vec<u32> {
        let files = vec![("api.py".to_owned(), b"def f(a=1): ...\nf()\n".as_slice().into())];
        let index = build(&Source::Memory { name: "sample".into(), files }, &mut |_| Control::Continue);
        let index = Arc::new(index.expect("a source").expect("not cancelled"));
        let tokenizer = Tokenizer::load(Encoding::O200kBase);
        let tree = PricedTree::new(&index, Scope::Repository, ResolvedOverrides::default(), &tokenizer, Layout::Wide);
        let mut planner = Planner::new(&tree, Detail::Full, Objective::Worth);
        let node = planner.by_density[0];
        let item = |&(tokens, worth, calls): &(usize, u32, u32)| {
            let set = ArgumentSet { worth, ..ArgumentSet::new(ParameterSet::new(), false, calls) };
            let gain = Objective::Worth.gain(&set);
            KnapsackItem {
                parameters: ParameterSet::new(),
                tokens,
                gain,
                references: Box::default(),
                tokens_alone: None,
                is_listed: false,
            }
        };
        planner.items[node] = items.iter().map(item).collect();
        planner.greedy_chain(&tree).iter().map(|step| planner.items[step.node][step.item].gain.uses()).collect()
    }

    #[test]
    fn no_step_of_the_greedy_chain_covers_fewer_uses() {
        // The second item is worth more for its tokens than the third one, but covers fewer uses than the first one.
        assert_eq!(covered_by_steps(&[(20, 48, 9), (27, 64, 4), (80, 112, 13)]), [9, 13]);
        assert_eq!(covered_by_steps(&[(20, 48, 9), (27, 64, 9), (80, 112, 13)]), [9, 9, 13]);
    }
}
