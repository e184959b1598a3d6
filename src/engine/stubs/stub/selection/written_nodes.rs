//! The nodes that the text of a selection contains.

use super::Selection;
use crate::stub::priced_tree::PricedTree;

/// The shown nodes and their ancestors, in the order of the text, each with the number of its children that are
/// written.
#[derive(Debug, Default)]
pub(crate) struct WrittenNodes(Vec<(usize, usize)>);

impl WrittenNodes {
    pub(crate) fn new(tree: &PricedTree, selection: &Selection) -> Self {
        let mut written: Vec<(usize, usize)> = Vec::new();
        // Positions in `written` of the ancestors of the current node, the outermost first.
        let mut ancestors: Vec<usize> = Vec::new();
        let mut added = Vec::new();
        for (node, _) in selection.iter() {
            while ancestors.last().is_some_and(|&position| tree.nodes[written[position].0].end <= node) {
                ancestors.pop();
            }
            let innermost = ancestors.last().map(|&position| written[position].0);
            let outwards = std::iter::successors(Some(node), |&at| tree.nodes[at].parent);
            added.extend(outwards.take_while(|&at| Some(at) != innermost));
            for at in added.drain(..).rev() {
                if let Some(&parent) = ancestors.last() {
                    written[parent].1 += 1;
                }
                ancestors.push(written.len());
                written.push((at, 0));
            }
        }
        Self(written)
    }

    /// Every node with the number of its children that are written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().copied()
    }

    pub(crate) fn contains(&self, node: usize) -> bool {
        self.0.binary_search_by_key(&node, |&(written, _)| written).is_ok()
    }

    /// The number of the scope's top-level definitions among the nodes, shown in part or in full.
    pub(crate) fn symbol_count(&self, tree: &PricedTree) -> usize {
        self.iter().filter(|&(node, _)| tree.is_symbol(node)).count()
    }
}
