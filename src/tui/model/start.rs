//! The start page: the overview of the repository, a package or a module. It is the first thing on the right while
//! nothing is selected, and the beginning of the page of a repository or module.

use std::sync::Arc;

use super::{
    Catalog, Model, Topic,
    page::{PageItem, PublicRows, start_rows},
};
use crate::tui::{geometry::Pane, theme::SyntaxRuns};
use apidisc::{index::Scope, overview::Overview};

/// An overview with the colours of its example, and the public definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverviewText {
    /// The overview.
    pub overview: Overview,
    /// The syntax runs of the lines of the example.
    pub runs: Vec<SyntaxRuns>,
    /// All public definitions, for the page.
    pub public: PublicRows,
}

/// The overview that was read last, and the request for the next one.
#[derive(Debug, Default)]
pub struct StartPage {
    /// The topic whose overview was requested last, with the generation of its index.
    pub wanted: Option<(u64, Topic)>,
    /// The ticket of this request.
    pub ticket: u64,
    /// The last answer.
    pub shown: Option<(u64, Topic, Arc<OverviewText>)>,
    /// The rows that stand in place of the arguments.
    pub rows: Vec<PageItem>,
    /// What the rows were made for: generation, topic, width.
    pub rows_for: Option<(u64, Topic, u16)>,
}

impl StartPage {
    /// The overview of a topic in an index, once it is read.
    pub fn of(&self, catalog: &Catalog, topic: Topic) -> Option<&Arc<OverviewText>> {
        let (generation, of, text) = self.shown.as_ref()?;
        (*generation == catalog.generation && *of == topic).then_some(text)
    }

    /// Makes the rows of the topic for a pane `width` cells wide, if they are not made yet.
    pub fn make(&mut self, catalog: &Catalog, topic: Topic, width: u16) {
        let made_for = Some((catalog.generation, topic, width));
        let Some(text) = self.of(catalog, topic).filter(|_| self.rows_for != made_for) else { return };
        self.rows = start_rows(catalog, topic, &Arc::clone(text), width);
        self.rows_for = made_for;
    }
}

impl Model {
    /// The module or repository whose overview stands in place of the arguments: nothing in it is selected.
    pub fn start_topic(&self) -> Option<Topic> {
        let is_free = self.subject == Pane::Modules && self.focus == Pane::Modules && !self.is_in_document();
        let scope = self.modules.scope().filter(|_| is_free)?;
        match scope {
            Scope::Definition(_) => None,
            scope => Some(Topic::from(scope)).filter(|_| self.catalog.as_ref().is_some_and(|c| c.index.complete)),
        }
    }

    /// The rows of the start page, if they stand in place of the arguments.
    pub fn start_rows(&self) -> Option<&[PageItem]> {
        let topic = self.start_topic()?;
        let generation = self.catalog.as_ref()?.generation;
        let is_made = self.start.rows_for.is_some_and(|(of, other, _)| of == generation && other == topic);
        is_made.then_some(&self.start.rows)
    }
}
