//! What an intent names in a tree.

use super::PricedTree;
use crate::overrides::DefinitionOverrides;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Scope};

impl PricedTree {
    /// True if an intent names the definition at a node or a parameter of it, and for a requested function if there is
    /// an intent.
    pub(crate) fn is_asked(&self, node: usize) -> bool {
        let is_requested = |id: DefinitionId, definition: &Definition| {
            let is_function = definition.kind.is_callable() && definition.kind != DefinitionKind::Class;
            self.scope == Scope::Definition(id) && is_function
        };
        self.definition(node).is_some_and(|(id, definition)| {
            let is_named = self.overrides.of(id).is_some_and(DefinitionOverrides::names_something);
            is_named || self.overrides.has_intent() && is_requested(id, definition)
        })
    }

    /// The node of the requested definition, if the scope is a definition.
    pub(crate) fn requested(&self) -> Option<usize> {
        let Scope::Definition(requested) = self.scope else { return None };
        (0..self.nodes.len()).find(|&node| self.definition(node).is_some_and(|(id, _)| id == requested))
    }

    /// True if an intent names a definition of the scope, or if there is an intent and a definition is requested.
    pub(crate) fn names_something(&self) -> bool {
        let is_requested = || matches!(self.scope, Scope::Definition(_));
        self.overrides.has_intent() && (is_requested() || (0..self.nodes.len()).any(|node| self.is_asked(node)))
    }

    /// What an intent names of the definition at a node; `None` if the definition has no overrides.
    pub(crate) fn asked(&self, node: usize) -> Option<&DefinitionOverrides> {
        let (id, _) = self.definition(node)?;
        self.overrides.of(id)
    }
}
