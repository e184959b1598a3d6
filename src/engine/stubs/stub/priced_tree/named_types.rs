//! The types outside of a scope that its texts name: a stub may write them out beside the scope.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{PricedNodeKind, PricedTree, members::HeldMember};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::Scope;

impl PricedTree {
    /// Adds the types of the sources that the texts of the scope name, in languages whose stubs declare them.
    pub(super) fn add_named_types(&mut self) {
        let index = Arc::clone(&self.index);
        if !self.declares_types() {
            return;
        }
        let definitions: indexmap::IndexSet<DefinitionId, rustc_hash::FxBuildHasher> = self
            .nodes
            .iter()
            .filter_map(|node| match node.kind {
                PricedNodeKind::Definition(id) | PricedNodeKind::Container(id) => Some(id),
                PricedNodeKind::ImportGroup(_) => None,
            })
            .collect();
        let ids: Vec<DefinitionId> = definitions.iter().copied().collect();
        let mut named = self.renderer.name_types(&index, &ids);
        named.retain(|(id, _)| !definitions.contains(id));
        let first = self.nodes.len();
        self.add_outside_of_scope(|tree| {
            for (id, name) in named {
                tree.add_definition(&index, HeldMember::new(id), name, None);
            }
        });
        let inherited = (first..self.nodes.len()).filter(|&node| self.is_inherited(node));
        let inherited: Vec<DefinitionId> =
            inherited.filter_map(|node| self.definition(node).map(|(id, _)| id)).collect();
        if !inherited.is_empty() {
            self.renderer.name_types(&index, &inherited);
        }
        self.mark_as_named_types(first);
        let top_level: Vec<(DefinitionId, usize)> = (0..self.nodes.len())
            .filter(|&node| self.is_top_level(node))
            .filter_map(|node| match self.nodes[node].kind {
                PricedNodeKind::Container(id) | PricedNodeKind::Definition(id) => Some((id, node)),
                PricedNodeKind::ImportGroup(_) => None,
            })
            .collect();
        for (id, node) in top_level {
            self.renderer.set_node(id, &self.nodes[node].name, node);
        }
    }

    /// Adds the classes whose fields are the keywords of the requested function, or of the methods of the requested
    /// class.
    pub(super) fn add_keyword_classes(&mut self) {
        let index = Arc::clone(&self.index);
        if !matches!(self.scope, Scope::Definition(_)) {
            return;
        }
        let functions: Vec<DefinitionId> = self.definitions().map(|(id, _)| id).collect();
        // A class of the scope is a part of the stub already.
        let mut nodes: FxHashMap<DefinitionId, Option<usize>> = functions.iter().map(|&id| (id, None)).collect();
        let first = self.nodes.len();
        for function in functions {
            let Some(class) = self.renderer.keyword_class(&index, function) else { continue };
            let added = nodes.get(&class).copied();
            let node = added.unwrap_or_else(|| {
                self.add_outside_of_scope(|tree| {
                    let name = tree.written_name(class, None)?;
                    tree.add_definition(&index, HeldMember::new(class), name, None)
                })
            });
            nodes.insert(class, node);
            if let Some(node) = node {
                self.keyword_classes.insert(function, node);
            }
        }
        self.mark_as_named_types(first);
    }

    /// The node of the class outside of the scope whose fields are the keywords of the function at `node`.
    pub(crate) fn keyword_class(&self, node: usize) -> Option<usize> {
        self.keyword_classes.get(&self.definition(node)?.0).copied()
    }

    /// True if the tree has classes whose fields are the keywords of functions.
    pub(crate) fn has_keyword_classes(&self) -> bool {
        !self.keyword_classes.is_empty()
    }

    /// Adds nodes whose uses do not count as uses of the scope.
    fn add_outside_of_scope<T>(&mut self, add: impl FnOnce(&mut Self) -> T) -> T {
        let (total, known, inherited) = (self.total_calls, self.known, self.inherited);
        let added = add(self);
        (self.total_calls, self.known, self.inherited) = (total, known, inherited);
        added
    }

    /// Marks the nodes from `first` on as types outside of the scope, which may be left out.
    fn mark_as_named_types(&mut self, first: usize) {
        for node in &mut self.nodes[first..] {
            (node.is_named_type, node.is_forced) = (true, false);
        }
    }

    /// True for a member of a type that the stub shows in another type, which inherits it.
    fn is_inherited(&self, node: usize) -> bool {
        let holder = self.nodes[node].parent.and_then(|parent| self.definition(parent)).map(|(id, _)| id);
        holder.is_some() && self.definition(node).is_some_and(|(_, member)| member.parent != holder)
    }
}
