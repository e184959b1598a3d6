//! The first call of a definition, as the explorer shows it.

use super::SourceReader;
use crate::tui::model::FirstCall;
use apidisc::{
    first_call,
    program::{CallId, DefinitionId},
};

impl SourceReader<'_> {
    /// The first call of a definition. Its syntax is not coloured. `calls` are its typical calls.
    pub fn first_call(&self, id: DefinitionId, calls: &[CallId]) -> FirstCall {
        let found = first_call::first_call(&self.catalog.index, id, calls, self.open);
        let mut lines = found.imports;
        let has_code = !found.setup.is_empty() || !found.call.is_empty();
        if has_code && !lines.is_empty() {
            lines.push(String::new());
        }
        let imports = lines.len();
        lines.extend(found.setup.into_iter().chain(found.call));
        let lines = lines.iter().map(|line| (super::displayed(line), Vec::new())).collect();
        FirstCall {
            call: found.site,
            is_made: found.is_made,
            lines,
            imports,
            missing: found.you_provide,
            problem: found.problem,
        }
    }
}
