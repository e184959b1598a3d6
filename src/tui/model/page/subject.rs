//! The subject of a page: its title, its tabs, and what the panes show under it.

use std::sync::Arc;

use super::{CallQuery, LedgerPage};
use crate::tui::{
    geometry::{self, MasterDetailArea, ScreenSize},
    model::{ApiPart, Catalog, RecipeText, Topic, name_of_all},
};
use apidisc::{index::CallFilter, program::DefinitionId};

/// The subject of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageSubject {
    /// The facts about a topic.
    About(Topic),
    /// The recipes of a definition: the argument sets of its calls.
    Recipes(DefinitionId),
    /// One recipe: an argument set, or a sequence of calls.
    Recipe(Arc<RecipeText>),
    /// The call sites of a query.
    Calls(CallQuery),
    /// The uses of a definition that are neither calls nor reads.
    Uses(DefinitionId),
    /// A part of API documents.
    Part(ApiPart),
    /// What the other version of a package breaks.
    Upgrade,
    /// The numbers of calls, what one of them counts, or how one call is resolved.
    Ledger(LedgerPage),
}

impl PageSubject {
    /// The definition that the page is about.
    pub fn definition(&self) -> Option<DefinitionId> {
        match self {
            Self::About(topic) => topic.definition(),
            Self::Recipes(id) | Self::Uses(id) => Some(*id),
            Self::Recipe(text) => text.recipe.symbols.first().copied(),
            Self::Calls(query) => Some(query.definition),
            Self::Part(_) | Self::Upgrade | Self::Ledger(_) => None,
        }
    }

    /// The layout of the page on the screen.
    pub fn area(&self, size: ScreenSize) -> MasterDetailArea {
        match self {
            Self::Ledger(page) if !page.has_sources() => geometry::page_of_rows(size),
            _ => geometry::page(size),
        }
    }

    /// The topic that the panes show under the page; the repository for a page that has no topic.
    pub fn topic(&self) -> Topic {
        match self {
            Self::Part(_) | Self::Upgrade | Self::Ledger(_) => Topic::Repository,
            Self::About(topic) => *topic,
            Self::Recipes(id) | Self::Uses(id) => Topic::Definition(*id),
            Self::Recipe(_) => self.definition().map_or(Topic::Repository, Topic::Definition),
            Self::Calls(query) => match query.argument() {
                Some(position) => Topic::Argument(query.definition, position),
                None => Topic::Definition(query.definition),
            },
        }
    }

    /// The tabs of the page: the pages on the same topic.
    pub fn tabs(&self, catalog: &Catalog) -> Vec<(Self, &'static str)> {
        let about = match self {
            // Calls that are filtered by more than one argument belong to the definition.
            Self::Calls(_) | Self::Recipes(_) | Self::Uses(_) => self.topic(),
            Self::Recipe(_) => return vec![(self.clone(), "Recipe")],
            Self::Part(_) | Self::Upgrade | Self::Ledger(_) => return vec![(self.clone(), "Page")],
            Self::About(topic) => *topic,
        };
        let mut tabs = vec![(Self::About(about), "Page")];
        let Some(id) = about.definition() else { return tabs };
        let kind = catalog.index.definition(id).kind;
        // Attributes are read.
        let uses = matches!(about, Topic::Definition(_)) && !kind.is_readable();
        let uses = uses.then_some((Self::Uses(id), "Uses"));
        if !kind.is_callable() {
            tabs.extend(uses);
            return tabs;
        }
        let filter = if let Topic::Argument(_, position) = about {
            CallFilter::passing(position.into())
        } else {
            tabs.push((Self::Recipes(id), "Recipes"));
            CallFilter::all()
        };
        let calls = match self {
            Self::Calls(_) => self.clone(),
            _ => Self::Calls(CallQuery { definition: id, filter }),
        };
        tabs.push((calls, "Calls"));
        tabs.extend(uses);
        tabs
    }

    /// The title: the kind of the topic, and its name.
    pub fn title(&self, catalog: &Catalog) -> (&'static str, String) {
        if let Self::Recipe(text) = self {
            return ("recipe", text.recipe.name.clone());
        }
        if let Self::Part(part) = self {
            return (part.word(), part.name());
        }
        if matches!(self, Self::Upgrade) {
            return ("", "Upgrade".to_owned());
        }
        if let Self::Ledger(page) = self {
            return ("", page.title());
        }
        let index = &catalog.index;
        let topic = self.topic();
        match topic {
            Topic::Repository => ("", name_of_all(index).to_owned()),
            Topic::Module(id) => {
                (if index.module(id).is_package { "package" } else { "module" }, index.module(id).fqn.to_string())
            }
            Topic::Definition(id) => (index.definition(id).kind.word(), catalog.label(id, false)),
            Topic::Argument(id, at) => {
                let signature = index.definition(id).signature.as_ref();
                let name = signature.map(|s| s.shown_label(at.into())).unwrap_or_default();
                ("argument", format!("{}({name})", catalog.label(id, false)))
            }
        }
    }
}
