//! What a selection leads to.

use super::{priced_tree::PricedTree, selection::Selection};

/// The nodes that a selection shows and those that they stand in, in the order of the text, each with the number of
/// those directly below it.
#[derive(Debug, Default)]
pub(crate) struct Reached(Vec<(usize, usize)>);

impl Reached {
    pub(crate) fn new(tree: &PricedTree, selection: &Selection) -> Self {
        let mut reached: Vec<(usize, usize)> = Vec::new();
        // Places in `reached` of the nodes around the present one, the outermost first.
        let mut around: Vec<usize> = Vec::new();
        let mut fresh = Vec::new();
        for (node, _) in selection.iter() {
            while around.last().is_some_and(|&place| tree.nodes[reached[place].0].end <= node) {
                around.pop();
            }
            let above = around.last().map(|&place| reached[place].0);
            let outwards = std::iter::successors(Some(node), |&at| tree.nodes[at].parent);
            fresh.extend(outwards.take_while(|&at| Some(at) != above));
            for at in fresh.drain(..).rev() {
                if let Some(&place) = around.last() {
                    reached[place].1 += 1;
                }
                around.push(reached.len());
                reached.push((at, 0));
            }
        }
        Self(reached)
    }

    /// Every node, with the number of those directly below it that are reached, too.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().copied()
    }

    pub(crate) fn contains(&self, node: usize) -> bool {
        self.0.binary_search_by_key(&node, |&(reached, _)| reached).is_ok()
    }

    /// Definitions of the scope at the top among them: shown in part or whole.
    pub(crate) fn symbols(&self, tree: &PricedTree) -> usize {
        self.iter().filter(|&(node, _)| tree.is_symbol(node)).count()
    }
}
