//! Reads the first call and the whole documentation of a definition from the sources.

use std::sync::Arc;

use apidisc::program::{CallId, DefinitionId};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::{
    highlight::Highlighter,
    model::{CardText, Catalog},
    sources::{SourceReader, colour_first_call},
};

/// A request for the texts of a definition's page. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadCardJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The definition.
    pub definition: DefinitionId,
    /// Its typical calls.
    pub calls: Vec<CallId>,
}

impl BackgroundJob for ReadCardJob {
    fn lane(&self) -> Lane {
        Lane::Sources
    }

    fn place(&self) -> u8 {
        1
    }

    /// Answers with [`Answer::CardRead`].
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let open = tools.open(&self.catalog);
        // The page lists what makes and takes a type once this is known.
        self.catalog.types();
        let reader = SourceReader::new(&self.catalog, &open);
        let mut first_call = reader.first_call(self.definition, &self.calls);
        let language = self.catalog.index.definition(self.definition).language;
        colour_first_call(&mut first_call, language, Highlighter::shared());
        let card = CardText { first_call, documentation: reader.documentation(self.definition) };
        host.send(Answer::CardRead { ticket: self.ticket, card: Box::new(card) });
    }
}
