//! API documents in the panes: a document is a module, its operations, schemas and other components are its symbols.
//!
//! A part is anything in the documents that has a page: an operation, a schema, another component, or a value to which
//! one of them refers. The panes hold documents beside the code: the rows of documents follow those of modules, and
//! while a document is selected, the lists of symbols and arguments are those of this module.

mod arguments;
mod catalog;
mod part;
mod parts;

pub use arguments::PartArguments;
pub use catalog::{ApiCatalog, ApiModule};
pub(in crate::tui) use catalog::{shown, without_links};
pub use part::{ApiPart, PartKind};
pub use parts::{PartList, PartRow};

use std::{path::Path, sync::Arc};

use super::{Model, page::PageSubject};
use crate::tui::geometry::Pane;

/// The API documents, and the lists of the selected one.
#[derive(Debug, Default)]
pub struct ApiState {
    /// The documents; `None` before they are read, and if there are none.
    pub catalog: Option<Arc<ApiCatalog>>,
    /// The list of parts.
    pub parts: PartList,
    /// The list of the selected part's parameters and properties.
    pub arguments: PartArguments,
    /// True if files may have changed since the documents were read.
    pub is_outdated: bool,
    /// The file or folder of the documents as the command line names it; `None` if they are in the sources.
    pub named: Option<String>,
}

impl ApiState {
    /// The state before documents are read. `named` is the file or folder that the command line names.
    pub fn new(named: Option<&Path>) -> Self {
        Self { named: named.map(|path| path.display().to_string()), ..Self::default() }
    }
}

impl Model {
    /// The documents and the position of the selected one, if a document is selected.
    pub fn document(&self) -> Option<(&Arc<ApiCatalog>, usize)> {
        self.api.catalog.as_ref().zip(self.modules.selected_document())
    }

    /// True if a document is selected; the panes then list the parts of the document.
    pub fn is_in_document(&self) -> bool {
        self.document().is_some()
    }

    /// The part in the stub pane: the part of the open page, or the selected part. For a document, the part is the
    /// `info` of the API.
    pub fn part(&self) -> Option<ApiPart> {
        if let Some(PageSubject::Part(part)) = self.page.as_ref().map(|page| &page.subject) {
            return Some(part.clone());
        }
        let (api, document) = self.document()?;
        let selected = self.api.parts.selected().filter(|_| self.subject != Pane::Modules);
        let at = selected.map(|row| row.at).or_else(|| api.modules.get(document)?.about)?;
        Some(ApiPart { api: Arc::clone(api), at })
    }
}
