//! The repository around a folder or file that is opened alone.

use super::Catalog;
use apidisc::{
    index::Index,
    program::{FileId, ModuleId},
};

/// The repository around what is opened, whose calls are counted on request. A named path is read as if it stood alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    /// The name of the repository's folder.
    pub name: String,
    /// The path of what is opened, from the repository.
    pub path: String,
    /// True if the whole repository is indexed.
    pub is_counted: bool,
    /// The path of the other choice, for the title and for the command line.
    pub other: String,
    /// True until the module of what is opened is selected in the index of the repository.
    pub is_sought: bool,
}

impl Around {
    /// The module of what is opened, if it is sought and in this index.
    pub fn arrived(&mut self, catalog: &Catalog) -> Option<ModuleId> {
        let found = if self.is_sought { module_at(&catalog.index, &self.path) } else { None };
        self.is_sought &= found.is_none() && !catalog.index.complete;
        found
    }
}

/// The widest module of which every file is at or below a path.
fn module_at(index: &Index, path: &str) -> Option<ModuleId> {
    let is_inside = |at: usize| {
        let rest = index.files[at].path.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let inside = (0..index.files.len()).filter(|&at| is_inside(at) && !index.is_quoted_code(FileId::new(at)));
    let first = inside.min_by_key(|&at| index.files[at].origin)?;
    // The modules around those of files elsewhere hold more than what is opened.
    let mut is_wider = vec![false; index.modules.len()];
    for at in (0..index.files.len()).filter(|&at| !is_inside(at)) {
        let mut around = Some(index.files[at].module);
        while let Some(module) = around.filter(|module| !is_wider[module.index()]) {
            is_wider[module.index()] = true;
            around = index.module(module).parent;
        }
    }
    let chain = std::iter::successors(Some(index.files[first].module), |id| index.module(*id).parent);
    let chain: Vec<ModuleId> = chain.take(index.modules.len()).collect();
    let widest = chain.iter().copied().take_while(|module| !is_wider[module.index()]).last();
    widest.or_else(|| chain.first().copied())
}
