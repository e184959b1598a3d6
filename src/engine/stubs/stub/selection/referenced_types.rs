//! The types that the text of a selection names, and the lines that bring them in or declare them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Selection, WrittenNodes};
use crate::stub::{
    node_text::TypeReference,
    priced_tree::{PricedTree, TypeSource},
    wording::Detail,
};

/// Types by their numbers. The references to a type are merged: the type takes the greatest number of type arguments in
/// them, and is a base class if it is one in any of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferencedTypes(BTreeMap<u32, TypeReference>);

/// The lines for the types that no written node declares.
#[derive(Debug, Default)]
pub(crate) struct TypeLines {
    /// The import statements, in alphabetical order.
    pub(crate) imports: Vec<String>,
    /// Declarations on one line, in alphabetical order.
    pub(crate) declarations: Vec<String>,
}

impl ReferencedTypes {
    /// The types that the written nodes of a selection name.
    pub(crate) fn of(tree: &PricedTree, selection: &Selection, written: &WrittenNodes) -> Self {
        let mut types = Self::default();
        if !tree.declares_types() {
            return types;
        }
        for (node, _) in written.iter() {
            let form = selection.get(node);
            if selection.tokens_alone(tree, node).is_none() {
                let detail = form.map_or_else(Detail::default, |form| form.detail);
                types.extend(tree.priced(node).head_references(detail));
            }
            types.extend(form.into_iter().flat_map(|form| form.references.iter()));
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

    /// The types that no written node declares.
    pub(crate) fn missing<'a>(
        &'a self,
        tree: &'a PricedTree,
        written: &'a WrittenNodes,
    ) -> impl Iterator<Item = TypeReference> + 'a {
        let is_declared =
            |reference: &TypeReference| tree.node_of_type(reference.ty).is_some_and(|node| written.contains(node));
        self.iter().filter(move |reference| !is_declared(reference))
    }

    /// The lines for the types that no written node declares.
    pub(crate) fn lines(&self, tree: &PricedTree, written: &WrittenNodes) -> TypeLines {
        let mut lines = TypeLines::default();
        let mut statements: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        for reference in self.missing(tree, written) {
            match tree.type_source(reference) {
                TypeSource::Import(import) if !import.rivals.iter().any(|&node| written.contains(node)) => {
                    statements.entry(import.statement).or_default().insert(import.name);
                }
                TypeSource::Import(_) => lines.declarations.push(tree.name_declaration(reference)),
                TypeSource::Declaration(line) => lines.declarations.push(line),
            }
        }
        let statements = statements.into_iter();
        lines.imports = statements
            .map(|(statement, names)| tree.import_line(statement, &names.into_iter().collect::<Vec<_>>()))
            .collect();
        lines.imports.sort_unstable();
        lines.declarations.sort_unstable();
        lines
    }
}
