//! The types that the text of a selection names and that the stub must therefore declare.

use std::collections::BTreeMap;

use super::{Selection, WrittenNodes};
use crate::stub::{node_text::TypeReference, priced_tree::PricedTree};

/// Types by their numbers. The references to a type are merged: the type takes the greatest number of type arguments in
/// them, and is a base class if it is one in any of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferencedTypes(BTreeMap<u32, TypeReference>);

impl ReferencedTypes {
    /// The types that the written nodes of a selection name.
    pub(crate) fn of(tree: &PricedTree, selection: &Selection, written: &WrittenNodes) -> Self {
        let mut types = Self::default();
        if !tree.declares_types() {
            return types;
        }
        for (node, _) in written.iter() {
            types.extend(&tree.priced(node).head_references);
            types.extend(selection.get(node).into_iter().flat_map(|form| form.references.iter()));
        }
        types
    }

    fn extend<'r>(&mut self, references: impl IntoIterator<Item = &'r TypeReference>) {
        for reference in references {
            let known = self.0.entry(reference.ty).or_insert(*reference);
            known.type_arguments = known.type_arguments.max(reference.type_arguments);
            known.is_base |= reference.is_base;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = TypeReference> + '_ {
        self.0.values().copied()
    }

    /// The short declarations of the types that no written node declares, in alphabetical order.
    pub(crate) fn short_declarations(&self, tree: &PricedTree, written: &WrittenNodes) -> Vec<String> {
        let is_declared =
            |reference: &TypeReference| tree.node_of_type(reference.ty).is_some_and(|node| written.contains(node));
        let missing = self.iter().filter(|reference| !is_declared(reference));
        let mut lines: Vec<String> = missing.map(|reference| tree.short_declaration(&reference)).collect();
        lines.sort();
        lines
    }
}
