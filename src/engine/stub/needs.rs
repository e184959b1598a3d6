//! What the text of a stub names and must therefore declare.

use std::collections::BTreeMap;

use super::{priced_tree::PricedTree, reached::Reached, selection::Selection};

/// A type that a piece of text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Need {
    /// Which: the number that the language gave it.
    pub(crate) ty: u32,
    /// How many type arguments it is given, where its own declaration is not known.
    pub(crate) parameters: u8,
    /// A class that another one extends.
    pub(crate) is_base: bool,
}

/// The types that the pieces of a selection name. What is shown itself needs no further declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needed(BTreeMap<u32, Need>);

impl Needed {
    /// What everything shown by `selection` names.
    pub(crate) fn of(tree: &PricedTree, selection: &Selection, reached: &Reached) -> Self {
        let mut needed = Self::default();
        if !tree.declares_types() {
            return needed;
        }
        for (node, _) in reached.iter() {
            needed.extend(&tree.part(node).needs);
            needed.extend(selection.get(node).into_iter().flat_map(|row| row.needs.iter()));
        }
        needed
    }

    pub(crate) fn extend<'n>(&mut self, needs: impl IntoIterator<Item = &'n Need>) {
        for need in needs {
            let known = self.0.entry(need.ty).or_insert(*need);
            known.parameters = known.parameters.max(need.parameters);
            known.is_base |= need.is_base;
        }
    }

    /// What each type is needed as.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Need> + '_ {
        self.0.values().copied()
    }

    /// Short declarations of what is not shown, in the order of the text.
    pub(crate) fn lines(&self, tree: &PricedTree, reached: &Reached) -> Vec<String> {
        let is_shown = |need: &Need| tree.node_of(need.ty).is_some_and(|node| reached.contains(node));
        let mut lines: Vec<String> = self.iter().filter(|need| !is_shown(need)).map(|need| tree.short(&need)).collect();
        lines.sort();
        lines
    }
}
