//! The price of naming further types in a stub that already names some.

use rustc_hash::FxHashSet;

use super::{ReferencedTypes, WrittenNodes};
use crate::stub::{
    node_text::TypeReference,
    priced_tree::{PricedTree, TypeSource},
};

/// The lines of a stub that import or declare the types which it names.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeclaredTypes {
    types: FxHashSet<u32>,
    /// The import statements, and the names in them.
    statements: FxHashSet<u32>,
    bindings: FxHashSet<u32>,
    /// True if the stub has the line above declarations of types.
    has_heading: bool,
}

/// Types that a stub does not name yet, with an upper bound for the tokens of their imports and declarations.
#[derive(Debug, Default)]
pub(crate) struct NewTypes {
    pub(crate) tokens: usize,
    declared: DeclaredTypes,
}

impl DeclaredTypes {
    pub(crate) fn of(tree: &PricedTree, referenced: &ReferencedTypes, written: &WrittenNodes) -> Self {
        let new = Self::default().price(tree, referenced.missing(tree, written), |_| false);
        let mut declared = new.declared;
        declared.types = referenced.iter().map(|reference| reference.ty).collect();
        declared.has_heading |= written.iter().any(|(node, _)| tree.nodes[node].is_named_type);
        declared
    }

    /// The price of the types that the stub does not name yet. `is_shown` is true for a node whose declaration the stub
    /// contains anyway.
    pub(crate) fn price(
        &self,
        tree: &PricedTree,
        references: impl IntoIterator<Item = TypeReference>,
        is_shown: impl Fn(usize) -> bool,
    ) -> NewTypes {
        let mut new = NewTypes::default();
        for reference in references {
            if self.types.contains(&reference.ty) || !new.declared.types.insert(reference.ty) {
                continue;
            }
            if tree.node_of_type(reference.ty).is_some_and(&is_shown) {
                continue;
            }
            let price = tree.type_price(reference);
            new.tokens += match tree.type_source(reference) {
                TypeSource::Import(import) => {
                    let is_new = |known: &FxHashSet<u32>, new: &mut FxHashSet<u32>, number| {
                        !known.contains(&number) && new.insert(number)
                    };
                    let statement = is_new(&self.statements, &mut new.declared.statements, import.statement);
                    let binding = is_new(&self.bindings, &mut new.declared.bindings, import.binding);
                    let statement = if statement { tree.statement_price(import.statement) } else { 0 };
                    statement + if binding || !import.rivals.is_empty() { price } else { 0 }
                }
                TypeSource::Declaration(_) => price + self.heading_price(tree, &mut new.declared),
            };
        }
        new
    }

    /// The price of the line above declarations of types, if the stub has none yet.
    fn heading_price(&self, tree: &PricedTree, new: &mut Self) -> usize {
        let is_new = !self.has_heading && !std::mem::replace(&mut new.has_heading, true);
        if is_new { tree.tokenizer.count_line(&tree.types_heading()) } else { 0 }
    }

    /// Adds types to those that the stub names.
    pub(crate) fn add(&mut self, new: NewTypes) {
        let NewTypes { declared, .. } = new;
        self.types.extend(declared.types);
        self.statements.extend(declared.statements);
        self.bindings.extend(declared.bindings);
        self.has_heading |= declared.has_heading;
    }

    /// `new` with the price of the types heading added, unless the stub has the heading: the price if a further type is
    /// written out below the heading.
    pub(crate) fn price_of_writing(&self, tree: &PricedTree, mut new: NewTypes) -> NewTypes {
        new.tokens += self.heading_price(tree, &mut new.declared);
        new
    }
}
