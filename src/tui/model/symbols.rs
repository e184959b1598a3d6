//! The definitions of the selected module, most called first, with the members of open classes.

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{Cursor, Disclosure, ListFilter};
use crate::tui::catalog::Catalog;
use apidisc::{index::Scope, program::DefinitionId};

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolRow {
    /// The definition.
    pub id: DefinitionId,
    /// 0, or deeper for members of a class above it.
    pub depth: u16,
    /// Whether something is below it.
    pub disclosure: Disclosure,
    /// Characters of its label that match the filter.
    pub positions: Vec<u32>,
}

/// The list.
#[derive(Debug, Default)]
pub struct Symbols {
    /// What is listed, and of which index.
    pub of: Option<(u64, Scope, bool)>,
    /// The definitions of that scope, most called first.
    pub base: Arc<[DefinitionId]>,
    /// What is shown, from top to bottom.
    pub rows: Vec<SymbolRow>,
    /// Where one is.
    pub cursor: Cursor,
    /// What narrows it.
    pub filter: ListFilter,
    /// `rows` no longer say what the other fields say.
    pub stale: bool,
    /// The next rows begin at the best match.
    best: bool,
    /// A symbol was chosen, not merely the first one met.
    pub chosen: bool,
    /// The module's name, `None` for the repository.
    place: Option<CompactString>,
    open: FxHashSet<CompactString>,
    /// The selected definition's name, which outlives an index.
    anchor: Option<CompactString>,
}

impl Symbols {
    /// The selected row.
    pub fn selected(&self) -> Option<&SymbolRow> {
        self.rows.get(self.cursor.selected)
    }

    /// Opens or closes a row; false where it has nothing below it.
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
        self.stale = true;
        true
    }

    /// The row of the class that the selected member stands below.
    pub fn parent_row(&self) -> Option<usize> {
        let depth = self.selected()?.depth;
        (0..self.cursor.selected).rev().find(|row| self.rows[*row].depth < depth)
    }

    /// Selects a definition, and opens the classes that it stands in.
    pub fn reveal(&mut self, catalog: &Catalog, id: DefinitionId) {
        let definition = catalog.index.definition(id);
        self.anchor = Some(CompactString::new(&definition.fqn));
        self.chosen = true;
        let mut above = definition.parent;
        while let Some(parent) = above {
            let class = catalog.index.definition(parent);
            self.open.insert(CompactString::new(&class.fqn));
            above = class.parent;
        }
        self.stale = true;
    }

    /// Remembers the selected row by name, to find it again in the next index.
    pub fn remember(&mut self, catalog: &Catalog) {
        if let Some(row) = self.selected() {
            self.anchor = self.chosen.then(|| CompactString::new(&catalog.index.definition(row.id).fqn));
        }
    }

    /// No filter; what is selected stays so.
    pub fn clear_filter(&mut self, catalog: &Catalog) {
        self.filter.clear();
        if let Some(id) = self.selected().map(|row| row.id) {
            self.reveal(catalog, id);
        }
        self.stale = true;
    }

    /// Lists another scope, or the same one of another index.
    pub fn list(&mut self, catalog: &Catalog, scope: Scope, private: bool) {
        // Ids belong to one index, so that the place is compared by name.
        let place = match scope {
            Scope::Module(id) => Some(catalog.index.module(id).fqn.clone()),
            _ => None,
        };
        if self.place != place {
            self.place = place;
            self.anchor = None;
            self.chosen = false;
            self.cursor = Cursor::default();
            self.filter.clear();
        }
        self.of = Some((catalog.generation, scope, private));
        self.base = catalog.listed(scope, private);
        self.filter.outdated();
        self.stale = true;
    }

    /// New matches have come; the best one is selected where the pattern is new.
    pub fn refresh(&mut self, fresh: bool) {
        self.stale = true;
        self.best = fresh;
    }

    /// Makes the rows anew and finds the selected one in them.
    pub fn rebuild(&mut self, catalog: &Catalog, private: bool) {
        self.stale = false;
        self.rows.clear();
        if let (true, Some(matches)) = (self.filter.is_on(), &self.filter.matches) {
            self.rows.extend(matches.iter().map(|m| SymbolRow {
                id: DefinitionId::new(m.row),
                depth: 0,
                disclosure: Disclosure::Leaf,
                positions: m.positions.clone(),
            }));
        } else {
            for id in Arc::clone(&self.base).iter() {
                self.push(catalog, *id, 0, private);
            }
        }
        let selected = self
            .anchor
            .as_ref()
            .and_then(|name| self.rows.iter().position(|row| catalog.index.definition(row.id).fqn == **name))
            .unwrap_or(0);
        if std::mem::take(&mut self.best) {
            self.cursor.select(0);
        } else {
            self.cursor.follow(selected);
        }
    }

    fn push(&mut self, catalog: &Catalog, id: DefinitionId, depth: u16, private: bool) {
        let open = !self.open.is_empty() && self.open.contains(catalog.index.definition(id).fqn.as_str());
        let disclosure = match (catalog.has_members(id, private), open) {
            (false, _) => Disclosure::Leaf,
            (true, true) => Disclosure::Open,
            (true, false) => Disclosure::Closed,
        };
        self.rows.push(SymbolRow { id, depth, disclosure, positions: vec![] });
        if disclosure == Disclosure::Open {
            for member in catalog.members(id, private) {
                self.push(catalog, member, depth.saturating_add(1), private);
            }
        }
    }
}
