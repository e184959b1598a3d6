//! Matches the rows of a filtered list.

use std::sync::Arc;

use apidisc::program::DefinitionId;

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::{
    geometry::Pane,
    model::{Catalog, FilterCandidates, FilterMatch, shown},
};

/// A request to filter a list. A newer job for the same pane replaces this one, even if this one is already running.
#[derive(Clone, Debug)]
pub struct FilterListJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The list.
    pub pane: Pane,
    /// The pattern as it was typed.
    pub pattern: String,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The rows of the list.
    pub candidates: FilterCandidates,
}

impl BackgroundJob for FilterListJob {
    fn lane(&self) -> Lane {
        Lane::ListFilter
    }

    fn slot(&self) -> Option<usize> {
        Some(self.pane.position())
    }

    /// Answers with [`Answer::Matched`], unless a newer job replaces this one.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let labels = labels(&self.catalog, &self.candidates);
        let matches = tools.matcher().matches(&self.pattern, labels, &|| host.is_superseded());
        if let Some(matches) = matches {
            let matches = matches.into_iter().map(|(candidate, positions)| FilterMatch { candidate, positions });
            host.send(Answer::Matched { pane: self.pane, ticket: self.ticket, matches: matches.collect() });
        }
    }
}

/// Row and label of every candidate, in the order of the list.
fn labels<'a>(
    catalog: &'a Catalog,
    candidates: &'a FilterCandidates,
) -> Box<dyn Iterator<Item = (usize, String)> + 'a> {
    let index = &catalog.index;
    match candidates {
        FilterCandidates::Modules(paths) => {
            let ids = catalog.ranked_modules().into_iter();
            let documents = (index.modules.len()..).zip(paths.iter().map(ToString::to_string));
            Box::new(ids.map(|id| (id.index(), index.module(id).fqn.to_string())).chain(documents))
        }
        FilterCandidates::Parts(api, document) => {
            let parts = api.modules.get(*document).map_or(&[][..], |module| &module.parts);
            Box::new(parts.iter().map(|at| (*at as usize, api.search_text(*at))))
        }
        FilterCandidates::PartArguments(arguments) => {
            Box::new(arguments.iter().map(|argument| shown(&argument.path)).enumerate())
        }
        FilterCandidates::Symbols { base, has_private } => Box::new(base.iter().flat_map(move |id| {
            let mut ids = vec![*id];
            collect_members(catalog, *id, *has_private, &mut ids);
            ids.into_iter().map(|id| (id.index(), catalog.search_text(id)))
        })),
        FilterCandidates::Parameters(id) => {
            let signature = index.definition(*id).signature.as_ref();
            let rows =
                signature.into_iter().flat_map(|s| (0..s.parameters.len()).map(move |row| (row, s.shown_label(row))));
            Box::new(rows.map(|(row, label)| (row, label.into())))
        }
    }
}

/// Collects the members of a definition and their members, depth first.
fn collect_members(catalog: &Catalog, id: DefinitionId, has_private: bool, ids: &mut Vec<DefinitionId>) {
    for member in catalog.members(id, has_private) {
        ids.push(member);
        collect_members(catalog, member, has_private, ids);
    }
}
