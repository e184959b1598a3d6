//! The tree of modules: its rows, the open packages and the selection.

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Catalog, FilterMatch, ListState};
use apidisc::{index::Scope, program::ModuleId, source::Origin};

/// The state of a row's disclosure triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disclosure {
    /// The row has no children.
    Leaf,
    /// Its children are hidden.
    Closed,
    /// Its children are shown.
    Open,
}

/// A row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleRow {
    /// The whole repository in the first row, else a module.
    pub scope: Scope,
    /// The depth in the tree.
    pub depth: u16,
    /// Its disclosure triangle.
    pub disclosure: Disclosure,
    /// Characters of its name that match the filter.
    pub positions: Vec<u32>,
}

/// The row of an API document, below the rows of modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRow {
    /// The position of the document.
    pub at: usize,
    /// Characters of its path that match the filter.
    pub positions: Vec<u32>,
}

/// The tree of modules.
#[derive(Debug, Default)]
pub struct ModulesPane {
    /// The rows of modules from top to bottom.
    pub rows: Vec<ModuleRow>,
    /// The rows of API documents below them.
    pub documents: Vec<DocumentRow>,
    /// The paths of all API documents.
    pub paths: Arc<[CompactString]>,
    /// True if the row that leads to the packages, or back to the code, is listed below the others.
    pub has_passage: bool,
    /// The passage is listed unless a filter is on.
    offers_passage: bool,
    /// The selection, the scroll offset and the filter.
    pub state: ListState,
    /// The FQNs of the packages whose modules are listed.
    open: FxHashSet<CompactString>,
    /// The name of the selected module, which stays valid in the next index; `None` for the repository.
    anchor: Option<CompactString>,
    /// The path of the selected document, if a document is selected.
    document: Option<CompactString>,
    /// True once the packages at the top were opened, which happens with the first index.
    has_opened_roots: bool,
}

impl ModulesPane {
    /// The selected row; `None` if a document is selected.
    pub fn selected(&self) -> Option<&ModuleRow> {
        self.rows.get(self.state.cursor.selected)
    }

    /// The scope of the other panes: the scope of the selected row, or the whole repository if no row matches the
    /// filter. `None` if a document is selected, and before the first index.
    pub fn scope(&self) -> Option<Scope> {
        match self.selected() {
            Some(row) => Some(row.scope),
            None => self.finds_nothing().then_some(Scope::Repository),
        }
    }

    /// True if no module and no document matches the filter.
    fn finds_nothing(&self) -> bool {
        self.is_empty() && self.state.filter.is_on() && self.state.filter.matches.is_some()
    }

    /// The position of the selected document; `None` if a module is selected.
    pub fn selected_document(&self) -> Option<usize> {
        self.documents.get(self.state.cursor.selected.checked_sub(self.rows.len())?).map(|row| row.at)
    }

    /// True if the selected row leads to the packages, or back to the code.
    pub fn is_passage_selected(&self) -> bool {
        self.has_passage && self.state.cursor.selected + 1 == self.len()
    }

    /// Lists the row that leads to the packages, or back to the code, or leaves it out.
    pub fn set_passage(&mut self, is_offered: bool) {
        if self.offers_passage != is_offered {
            self.offers_passage = is_offered;
            self.state.is_stale = true;
        }
    }

    /// The number of all rows.
    pub fn len(&self) -> usize {
        self.rows.len() + self.documents.len() + usize::from(self.has_passage)
    }

    /// True without any row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lists other documents.
    pub fn set_documents(&mut self, paths: Arc<[CompactString]>) {
        if self.paths != paths {
            self.paths = paths;
            self.state.replace_items();
        }
    }

    /// Selects a document.
    pub fn reveal_document(&mut self, at: usize) {
        self.state.filter.clear();
        self.document = self.paths.get(at).cloned();
        self.state.reveal();
    }

    /// Opens or closes a row; false if that changes nothing.
    pub fn set_open(&mut self, catalog: &Catalog, row: usize, open: bool) -> bool {
        let Some(ModuleRow { scope: Scope::Module(id), disclosure, .. }) = self.rows.get(row) else { return false };
        if *disclosure == Disclosure::Leaf || (*disclosure == Disclosure::Open) == open {
            return false;
        }
        let name = &catalog.index.module(*id).fqn;
        if open {
            self.open.insert(name.clone());
        } else {
            self.open.remove(name);
        }
        self.state.is_stale = true;
        true
    }

    /// The row of the package that holds the selected module.
    pub fn parent_row(&self, catalog: &Catalog) -> Option<usize> {
        let Scope::Module(id) = self.selected()?.scope else { return None };
        let parent = catalog.index.module(id).parent?;
        self.rows.iter().position(|row| row.scope == Scope::Module(parent))
    }

    /// Selects a module and opens the packages above it.
    pub fn reveal(&mut self, catalog: &Catalog, id: ModuleId) {
        self.anchor = Some(catalog.index.module(id).fqn.clone());
        self.document = None;
        self.open_parents(catalog, id);
        self.state.reveal();
    }

    /// Selects the row of the whole repository.
    pub fn reveal_repository(&mut self) {
        self.state.filter.clear();
        (self.anchor, self.document) = (None, None);
        self.state.reveal();
    }

    /// Remembers the selected row by name, to find it again in the next index.
    pub fn remember(&mut self, catalog: &Catalog) {
        if let Some(row) = self.selected() {
            self.anchor = match row.scope {
                Scope::Module(id) => Some(catalog.index.module(id).fqn.clone()),
                _ => None,
            };
            self.document = None;
        } else if let Some(at) = self.selected_document() {
            self.document = self.paths.get(at).cloned();
        } else if self.finds_nothing() {
            (self.anchor, self.document) = (None, None);
        }
    }

    /// Removes the filter and keeps the selection.
    pub fn clear_filter(&mut self, catalog: &Catalog) {
        self.state.filter.clear();
        if let Some(Scope::Module(id)) = self.selected().map(|row| row.scope) {
            self.open_parents(catalog, id);
        }
        self.state.is_stale = true;
    }

    /// Builds the rows and restores the selection.
    pub fn rebuild(&mut self, catalog: &Catalog) {
        self.state.is_stale = false;
        if !self.has_opened_roots && !catalog.index.modules.is_empty() {
            self.has_opened_roots = true;
            self.open_first(catalog);
        }
        self.has_passage = self.offers_passage;
        if let (true, Some(matches)) = (self.state.filter.is_on(), &self.state.filter.matches) {
            self.has_passage = false;
            // Candidates are numbered through: first the modules, then the documents.
            let modules = catalog.index.modules.len();
            self.rows = matches
                .iter()
                .filter(|m| m.candidate < modules)
                .map(|m| ModuleRow {
                    scope: Scope::Module(ModuleId::new(m.candidate)),
                    depth: 0,
                    disclosure: Disclosure::Leaf,
                    positions: m.positions.clone(),
                })
                .collect();
            let document = |m: &FilterMatch| {
                Some(DocumentRow { at: m.candidate.checked_sub(modules)?, positions: m.positions.clone() })
            };
            self.documents = matches.iter().filter_map(document).collect();
        } else {
            let documents = if catalog.index.is_of_packages() { 0 } else { self.paths.len() };
            self.documents = (0..documents).map(|at| DocumentRow { at, positions: vec![] }).collect();
            self.rows =
                vec![ModuleRow { scope: Scope::Repository, depth: 0, disclosure: Disclosure::Leaf, positions: vec![] }];
            for root in &catalog.roots {
                self.push(catalog, *root, 0);
            }
        }
        let selected = self.find_anchor(catalog);
        self.state.select_after_rebuild(selected);
    }

    fn push(&mut self, catalog: &Catalog, id: ModuleId, depth: u16) {
        let children = catalog.children(id);
        let open = self.open.contains(&catalog.index.module(id).fqn);
        let disclosure = match (children.is_empty(), open) {
            (true, _) => Disclosure::Leaf,
            (false, true) => Disclosure::Open,
            (false, false) => Disclosure::Closed,
        };
        self.rows.push(ModuleRow { scope: Scope::Module(id), depth, disclosure, positions: vec![] });
        if open {
            for child in children {
                self.push(catalog, *child, depth.saturating_add(1));
            }
        }
    }

    /// The row of the selected module, else of the nearest visible package above it, else the first row.
    fn find_anchor(&self, catalog: &Catalog) -> usize {
        if let Some(path) = &self.document {
            let is_it = |row: &DocumentRow| self.paths.get(row.at) == Some(path);
            return self.documents.iter().position(is_it).map_or(0, |at| self.rows.len() + at);
        }
        let Some(mut name) = self.anchor.as_deref() else { return 0 };
        let rows: FxHashMap<&str, usize> = self
            .rows
            .iter()
            .enumerate()
            .filter_map(|(row, r)| match r.scope {
                Scope::Module(id) => Some((catalog.index.module(id).fqn.as_str(), row)),
                _ => None,
            })
            .collect();
        loop {
            if let Some(row) = rows.get(name) {
                return *row;
            }
            match name.rsplit_once(if name.contains('/') { '/' } else { '.' }) {
                Some((parent, _)) => name = parent,
                None => return 0,
            }
        }
    }

    fn open_parents(&mut self, catalog: &Catalog, id: ModuleId) {
        let mut above = catalog.index.module(id).parent;
        while let Some(parent) = above {
            let module = catalog.index.module(parent);
            self.open.insert(module.fqn.clone());
            above = module.parent;
        }
    }

    /// Opens the library's own packages down to the first level with more than one module.
    fn open_first(&mut self, catalog: &Catalog) {
        for root in catalog.roots.iter().filter(|id| catalog.origin(**id) == Origin::Src) {
            for id in catalog.only_children(*root) {
                self.open.insert(catalog.index.module(id).fqn.clone());
            }
        }
    }
}
