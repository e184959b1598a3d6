//! The parameters and properties of the selected part.

use std::sync::Arc;

use crate::tui::model::ListState;
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
    /// The selection, the scroll offset and the filter.
    pub state: ListState,
    /// The id of the part and the path of the selected argument, which stay valid when the documents are read again.
    anchor: Option<(String, String)>,
    /// The id of the part.
    id: String,
}

impl PartArguments {
    /// The selected argument.
    pub fn selected(&self) -> Option<&OperationArgument> {
        self.items.as_ref()?.get(self.rows.get(self.state.cursor.selected)?.0)
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
            self.state.reset();
        }
        self.of = of;
        self.items = None;
        self.state.replace_items();
    }

    /// Stores the arguments.
    pub fn read(&mut self, items: Arc<[OperationArgument]>) {
        self.items = Some(items);
        self.state.replace_items();
    }

    /// Builds the rows. Selects the best match of a new pattern, else the same argument as before.
    pub fn rebuild(&mut self) {
        self.state.is_stale = false;
        self.rows.clear();
        let Some(items) = &self.items else { return };
        match &self.state.filter.matches {
            Some(matches) if self.state.filter.is_on() => {
                self.rows.extend(matches.iter().map(|found| (found.candidate, found.positions.clone())));
            }
            _ => self.rows.extend((0..items.len()).map(|at| (at, Vec::new()))),
        }
        let path = self.anchor.as_ref().filter(|(id, _)| *id == self.id).map(|(_, path)| path);
        let row = path.and_then(|path| self.rows.iter().position(|(at, _)| items[*at].path == *path));
        self.state.select_after_rebuild(row.unwrap_or(0));
    }
}
