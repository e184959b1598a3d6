//! `report`: one self-contained HTML page of an API as it is used, for people without a terminal.
//!
//! | file | content |
//! | --- | --- |
//! | `page` | the page as a whole |
//! | `symbols` | the part of the page about one symbol |
//! | `html` | markup, and text that is escaped |

mod html;
mod page;
mod symbols;

use std::{path::PathBuf, sync::Arc};

use super::{Input, output};
use crate::cache::Cache;
use apidisc::{
    answers::{Context, GetRepoOverview, MAX_ANSWER_TOKENS, SymbolTable, get_repo_overview},
    first_call::FirstCalls,
    source::reread,
};

/// Writes a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteReport {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The greatest number of symbols; the most used ones are on the page.
    pub most: usize,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

impl WriteReport {
    /// Indexes, writes the page, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let (index, source) = self.input.load_with_source(self.cache.as_ref())?;
        if self.input.is_empty(&index) {
            anyhow::bail!(super::input::NOTHING_FOUND);
        }
        let index = Arc::new(index);
        let read = |path: &str| source.as_ref().and_then(|source| reread(source, path));
        let table = SymbolTable::new(Arc::clone(&index));
        let context = Context::new(&table, &read);
        let wanted = GetRepoOverview { module: None, max_tokens: MAX_ANSWER_TOKENS };
        let overview = get_repo_overview(&context, &wanted)?.data;
        let mut first_calls = FirstCalls::new(&index, &read);
        let page = page::page(&self.name(), &index, &overview, &mut first_calls, self.most);
        output::write(self.output.as_deref(), |out| out.write_all(page.as_bytes()))?;
        self.input.report(&index, self.verbose)
    }

    /// The name of the folder or file that the page is about.
    fn name(&self) -> String {
        let Some(path) = self.input.path() else { return "The demo project".to_owned() };
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        whole.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }
}
