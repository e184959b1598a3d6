//! The list of definitions of the selected module, most called first, with the members of open classes.

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{Catalog, Disclosure, ListState};
use apidisc::{index::Scope, program::DefinitionId};

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolRow {
    /// The definition.
    pub id: DefinitionId,
    /// 0 for a definition at module level, else the depth among the members.
    pub depth: u16,
    /// Its disclosure triangle.
    pub disclosure: Disclosure,
    /// Characters of its label that match the filter.
    pub positions: Vec<u32>,
}

/// The list of definitions.
#[derive(Debug, Default)]
pub struct SymbolList {
    /// The content of the list: the generation of the index, the scope, and whether private definitions are included.
    pub of: Option<(u64, Scope, bool)>,
    /// The definitions at module level, most called first.
    pub base: Arc<[DefinitionId]>,
    /// The rows from top to bottom.
    pub rows: Vec<SymbolRow>,
    /// The selection, the scroll offset and the filter.
    pub state: ListState,
    /// True if the user chose the selected symbol; false for the row that is selected by default.
    pub is_chosen: bool,
    /// The name of the listed module; `None` for the repository.
    place: Option<CompactString>,
    /// The FQNs of the definitions whose members are listed.
    open: FxHashSet<CompactString>,
    /// The name of the selected definition, which stays valid in the next index.
    anchor: Option<CompactString>,
}

impl SymbolList {
    /// The selected row.
    pub fn selected(&self) -> Option<&SymbolRow> {
        self.rows.get(self.state.cursor.selected)
    }

    /// Opens or closes a row; false if that changes nothing.
    pub fn set_open(&mut self, catalog: &Catalog, row: usize, open: bool) -> bool {
        let Some(SymbolRow { id, disclosure, .. }) = self.rows.get(row) else { return false };
        if *disclosure == Disclosure::Leaf || (*disclosure == Disclosure::Open) == open {
            return false;
        }
        let name = &catalog.index.definition(*id).fqn;
        if open {
            self.open.insert(name.as_str().into());
        } else {
            self.open.remove(name.as_str());
        }
        self.state.is_stale = true;
        true
    }

    /// The row of the class that contains the selected member.
    pub fn parent_row(&self) -> Option<usize> {
        let depth = self.selected()?.depth;
        (0..self.state.cursor.selected).rev().find(|row| self.rows[*row].depth < depth)
    }

    /// Selects a definition and opens the classes that contain it.
    pub fn reveal(&mut self, catalog: &Catalog, id: DefinitionId) {
        let definition = catalog.index.definition(id);
        self.anchor = Some(CompactString::new(&definition.fqn));
        self.is_chosen = true;
        let mut above = definition.parent;
        while let Some(parent) = above {
            let class = catalog.index.definition(parent);
            self.open.insert(CompactString::new(&class.fqn));
            above = class.parent;
        }
        self.state.is_stale = true;
    }

    /// Remembers the selected row by name, to find it again in the next index.
    pub fn remember(&mut self, catalog: &Catalog) {
        if let Some(row) = self.selected() {
            self.anchor = self.is_chosen.then(|| CompactString::new(&catalog.index.definition(row.id).fqn));
        }
    }

    /// Removes the filter and keeps the selection.
    pub fn clear_filter(&mut self, catalog: &Catalog) {
        self.state.filter.clear();
        if let Some(id) = self.selected().map(|row| row.id) {
            self.reveal(catalog, id);
        }
        self.state.is_stale = true;
    }

    /// Lists another scope, or the same scope of another index.
    pub fn list(&mut self, catalog: &Catalog, scope: Scope, has_private: bool) {
        // Ids are valid for one index only, so scopes are compared by name.
        let place = match scope {
            Scope::Module(id) => Some(catalog.index.module(id).fqn.clone()),
            _ => None,
        };
        if self.place != place {
            self.place = place;
            self.anchor = None;
            self.is_chosen = false;
            self.state.reset();
        }
        self.of = Some((catalog.generation, scope, has_private));
        self.base = catalog.listed(scope, has_private);
        self.state.replace_items();
    }

    /// Builds the rows and restores the selection.
    pub fn rebuild(&mut self, catalog: &Catalog, has_private: bool) {
        self.state.is_stale = false;
        self.rows.clear();
        if let (true, Some(matches)) = (self.state.filter.is_on(), &self.state.filter.matches) {
            self.rows.extend(matches.iter().map(|m| SymbolRow {
                id: DefinitionId::new(m.candidate),
                depth: 0,
                disclosure: Disclosure::Leaf,
                positions: m.positions.clone(),
            }));
        } else {
            for id in Arc::clone(&self.base).iter() {
                self.push(catalog, *id, 0, has_private);
            }
        }
        let selected = self
            .anchor
            .as_ref()
            .and_then(|name| self.rows.iter().position(|row| catalog.index.definition(row.id).fqn == **name))
            .unwrap_or(0);
        self.state.select_after_rebuild(selected);
    }

    fn push(&mut self, catalog: &Catalog, id: DefinitionId, depth: u16, has_private: bool) {
        let open = !self.open.is_empty() && self.open.contains(catalog.index.definition(id).fqn.as_str());
        let disclosure = match (catalog.has_members(id, has_private), open) {
            (false, _) => Disclosure::Leaf,
            (true, true) => Disclosure::Open,
            (true, false) => Disclosure::Closed,
        };
        self.rows.push(SymbolRow { id, depth, disclosure, positions: vec![] });
        if disclosure == Disclosure::Open {
            for member in catalog.members(id, has_private) {
                self.push(catalog, member, depth.saturating_add(1), has_private);
            }
        }
    }
}
