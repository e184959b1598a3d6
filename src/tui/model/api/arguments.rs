//! The parameters and properties of the selected part.

use std::sync::Arc;

use crate::tui::model::{Cursor, ListFilter};
use apidisc::http::OperationArgument;

/// The list of parameters and properties.
#[derive(Debug, Default)]
pub struct PartArguments {
    /// The part whose arguments are listed: the generation of the documents, and the position of the chunk.
    pub of: Option<(u64, u32)>,
    /// The arguments; `None` until they are read.
    pub items: Option<Arc<[OperationArgument]>>,
    /// The ticket of the request for them.
    pub ticket: u64,
    /// The rows from top to bottom: the position among the arguments, and the characters that match the filter.
    pub rows: Vec<(usize, Vec<u32>)>,
    /// The selection and the scroll offset.
    pub cursor: Cursor,
    /// The filter.
    pub filter: ListFilter,
    /// True if the other fields have changed since `rows` was built.
    pub stale: bool,
    /// True if the next rebuild selects the best match.
    best: bool,
    /// The id of the part and the path of the selected argument, which stay valid when the documents are read again.
    anchor: Option<(String, String)>,
    /// The id of the part.
    id: String,
}

impl PartArguments {
    /// The selected argument.
    pub fn selected(&self) -> Option<&OperationArgument> {
        self.items.as_ref()?.get(self.rows.get(self.cursor.selected)?.0)
    }

    /// Remembers the selected argument.
    pub fn remember(&mut self) {
        if let Some(path) = self.selected().map(|argument| argument.path.clone()) {
            self.anchor = Some((self.id.clone(), path));
        }
    }

    /// Lists the arguments of another part, whose id is `id`, as soon as they are read.
    pub fn show(&mut self, of: Option<(u64, u32)>, id: &str) {
        self.remember();
        if self.id != id {
            id.clone_into(&mut self.id);
            self.anchor = None;
            self.cursor = Cursor::default();
            self.filter.clear();
        }
        self.of = of;
        self.items = None;
        self.filter.outdated();
        self.stale = true;
    }

    /// Stores the arguments.
    pub fn read(&mut self, items: Arc<[OperationArgument]>) {
        self.items = Some(items);
        self.filter.outdated();
        self.stale = true;
    }

    /// Requests a rebuild with new matches. If `fresh`, the pattern is new, and the rebuild selects the best match.
    pub fn refresh(&mut self, fresh: bool) {
        self.stale = true;
        self.best = fresh;
    }

    /// Builds the rows. Selects the best match of a new pattern, else the same argument as before.
    pub fn rebuild(&mut self) {
        self.stale = false;
        self.rows.clear();
        let Some(items) = &self.items else { return };
        match &self.filter.matches {
            Some(matches) if self.filter.is_on() => {
                self.rows.extend(matches.iter().map(|found| (found.row, found.positions.clone())));
            }
            _ => self.rows.extend((0..items.len()).map(|at| (at, Vec::new()))),
        }
        let path = self.anchor.as_ref().filter(|(id, _)| *id == self.id).map(|(_, path)| path);
        let row = path.and_then(|path| self.rows.iter().position(|(at, _)| items[*at].path == *path));
        if std::mem::take(&mut self.best) {
            self.cursor.select(0);
        } else {
            self.cursor.follow(row.unwrap_or(0));
        }
    }
}
