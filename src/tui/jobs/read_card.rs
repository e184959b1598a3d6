//! Reads the first call and the whole documentation of a definition from the sources.

use std::sync::Arc;

use apidisc::program::{CallId, DefinitionId};

use crate::tui::{
    highlight::Highlighter,
    message::Message,
    model::{CardText, Catalog},
    sources::{OpenFile, SourceReader, colour_first_call},
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

/// Answers with [`Message::CardRead`].
pub fn read_card(open: &OpenFile<'_>, job: &ReadCardJob) -> Message {
    let reader = SourceReader::new(&job.catalog, open);
    let mut first_call = reader.first_call(job.definition, &job.calls);
    let language = job.catalog.index.definition(job.definition).language;
    colour_first_call(&mut first_call, language, Highlighter::shared());
    let card = CardText { first_call, documentation: reader.documentation(job.definition) };
    Message::CardRead { ticket: job.ticket, card: Box::new(card) }
}
