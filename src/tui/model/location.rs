//! The user's location in the explorer. It consists of names, since ids differ from index to index.

use std::sync::Arc;

use compact_str::CompactString;

use super::{
    ApiCatalog, ApiPart, Catalog, Model, RecipeText, Topic,
    page::{CallOrder, CallQuery, LedgerPage, PageSubject},
};
use crate::tui::geometry::Pane;
use apidisc::{
    index::{CallFilter, Scope},
    program::DefinitionId,
};

/// A location: the selections in the panes, and the page that is open over them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// True for a location in the packages that the code uses.
    pub is_in_packages: bool,
    /// The selected module; `None` for the whole repository.
    pub module: Option<CompactString>,
    /// The selected definition, if the user chose it.
    pub definition: Option<CompactString>,
    /// The selected argument.
    pub argument: Option<CompactString>,
    /// The path of the selected API document. If a document is selected, `module` is `None`.
    pub document: Option<CompactString>,
    /// The id of the selected part of the document, if the user chose it.
    pub part: Option<String>,
    /// The pane with the focus.
    pub focus: Pane,
    /// The open page.
    pub page: Option<PageLocation>,
    /// The topic of the tuning page, if that page is open.
    pub tuning: Option<TopicName>,
    /// True if the page of agents is open, or covered by the open page.
    pub has_agents: bool,
    /// True if the page of questions is open, or covered by the open page.
    pub has_ask: bool,
}

/// A page with its selected row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLocation {
    /// The topic of the page.
    pub about: TopicName,
    /// The kind of page.
    pub kind: PageKind,
    /// The key of the selected row, see [`super::page::Page::row_key`].
    pub row: Option<String>,
    /// The order of its call sites.
    pub order: CallOrder,
}

/// The kind of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// The facts about the topic.
    About,
    /// The recipes.
    Recipes,
    /// The uses that are neither calls nor reads.
    Uses,
    /// A recipe. In another index the page is about the first definition that it calls.
    Recipe(Arc<RecipeText>),
    /// The call sites that a filter accepts, with the names of the parameters that the filter was made for.
    Calls(CallFilter, Vec<CompactString>),
    /// A part of API documents, by the id of its chunk.
    Part(String),
    /// What the other version of a package breaks.
    Upgrade,
    /// A page of the ledger.
    Ledger(LedgerPage),
}

/// A topic by its names, which stay valid in the next index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopicName {
    /// The whole repository.
    Repository,
    /// A module.
    Module(CompactString),
    /// A definition.
    Definition(CompactString),
    /// A parameter: the definition's name, and the parameter's name.
    Argument(CompactString, CompactString),
}

impl TopicName {
    /// The names of a topic.
    pub fn of(catalog: &Catalog, topic: Topic) -> Self {
        let index = &catalog.index;
        match topic {
            Topic::Repository => Self::Repository,
            Topic::Module(id) => Self::Module(index.module(id).fqn.clone()),
            Topic::Definition(id) => Self::Definition(CompactString::new(&index.definition(id).fqn)),
            Topic::Argument(id, _) => {
                let name = topic.parameter(catalog).map_or("", |parameter| &parameter.name);
                Self::Argument(CompactString::new(&index.definition(id).fqn), name.into())
            }
        }
    }

    /// The topic with these names; the definition if its parameter no longer exists.
    pub fn find(&self, catalog: &Catalog) -> Option<Topic> {
        match self {
            Self::Repository => Some(Topic::Repository),
            Self::Module(name) => catalog.module_named(name).map(Topic::Module),
            Self::Definition(name) => catalog.index.definition_of(name).map(Topic::Definition),
            Self::Argument(name, parameter) => {
                let id = catalog.index.definition_of(name)?;
                let parameters = catalog.index.definition(id).signature.as_ref().map_or(&[][..], |s| &s.parameters);
                let at = parameters.iter().position(|p| p.name == **parameter);
                Some(at.map_or(Topic::Definition(id), |at| Topic::Argument(id, at as u16)))
            }
        }
    }
}

impl Location {
    /// True for a location that only API documents have.
    pub fn is_in_documents(&self) -> bool {
        let is_part = |page: &PageLocation| matches!(page.kind, PageKind::Part(_));
        self.document.is_some() || self.page.as_ref().is_some_and(is_part)
    }

    /// The location of a topic of an index.
    pub fn of_topic(catalog: &Catalog, topic: Topic) -> Self {
        let fqn = |id: DefinitionId| CompactString::new(&catalog.index.definition(id).fqn);
        let mut location = Self { is_in_packages: catalog.index.is_of_packages(), ..Self::default() };
        match topic {
            Topic::Repository => {}
            Topic::Module(id) => location.module = Some(catalog.index.module(id).fqn.clone()),
            Topic::Definition(id) | Topic::Argument(id, _) => {
                location.definition = Some(fqn(id));
                location.focus = Pane::Symbols;
            }
        }
        if let (TopicName::Argument(_, name), Topic::Argument(..)) = (TopicName::of(catalog, topic), topic) {
            location.argument = Some(name);
            location.focus = Pane::Arguments;
        }
        location
    }

    /// The present location.
    pub fn here(model: &Model, catalog: &Catalog) -> Self {
        let index = &catalog.index;
        let module = model.modules.scope().and_then(|scope| match scope {
            Scope::Module(id) => Some(index.module(id).fqn.clone()),
            _ => None,
        });
        let id = model.definition().filter(|_| model.symbols.is_chosen || model.focus != Pane::Modules);
        let argument = id.and_then(|id| {
            let position = model.arguments.selected()?;
            Some(CompactString::new(&index.definition(id).signature.as_ref()?.parameters.get(position)?.name))
        });
        let document = model.document();
        let chosen = document.filter(|_| model.api.parts.is_chosen || model.focus != Pane::Modules);
        let part =
            chosen.and_then(|(api, _)| Some(&api.apis.documents.chunks.chunk(model.api.parts.selected()?.at).id));
        Self {
            is_in_packages: index.is_of_packages(),
            document: document.and_then(|(api, at)| Some(api.modules.get(at)?.path.clone())),
            part: part.cloned(),
            module,
            definition: id.map(|id| CompactString::new(&index.definition(id).fqn)),
            argument,
            focus: model.focus,
            has_agents: model.agents.is_some(),
            has_ask: model.ask.is_open,
            tuning: model.tuning.as_ref().and(model.scope()).map(|scope| TopicName::of(catalog, scope.into())),
            page: model.page.as_ref().map(|page| PageLocation {
                about: TopicName::of(
                    catalog,
                    match &page.subject {
                        PageSubject::About(topic) => *topic,
                        subject => subject.definition().map_or(Topic::Repository, Topic::Definition),
                    },
                ),
                kind: match &page.subject {
                    PageSubject::About(_) => PageKind::About,
                    PageSubject::Recipes(_) => PageKind::Recipes,
                    PageSubject::Uses(_) => PageKind::Uses,
                    PageSubject::Recipe(text) => PageKind::Recipe(Arc::clone(text)),
                    PageSubject::Upgrade => PageKind::Upgrade,
                    PageSubject::Ledger(page) => PageKind::Ledger(page.clone()),
                    PageSubject::Part(part) => PageKind::Part(part.id().to_owned()),
                    PageSubject::Calls(query) => {
                        PageKind::Calls(query.filter.clone(), parameters(catalog, query.definition))
                    }
                },
                row: page.row_key(),
                order: page.order,
            }),
        }
    }
}

impl PageLocation {
    /// The subject of this page in another index or other documents. If the parameters have changed, the filter of
    /// calls is dropped.
    pub fn subject(&self, catalog: &Catalog, api: Option<&Arc<ApiCatalog>>) -> Option<PageSubject> {
        if let PageKind::Part(id) = &self.kind {
            let api = Arc::clone(api?);
            return Some(PageSubject::Part(ApiPart { at: api.apis.documents.chunks.find(id)?, api }));
        }
        if self.kind == PageKind::Upgrade {
            return Some(PageSubject::Upgrade);
        }
        if let PageKind::Ledger(page) = &self.kind {
            return Some(PageSubject::Ledger(page.clone()));
        }
        let topic = self.about.find(catalog)?;
        match (&self.kind, topic.definition()) {
            (PageKind::About, _) => Some(PageSubject::About(topic)),
            (PageKind::Recipes, id) => id.map(PageSubject::Recipes),
            (PageKind::Uses, id) => id.map(PageSubject::Uses),
            (PageKind::Recipe(text), _) if text.generation == catalog.generation => {
                Some(PageSubject::Recipe(Arc::clone(text)))
            }
            (PageKind::Recipe(_), _) => Some(PageSubject::About(topic)),
            (PageKind::Calls(filter, names), Some(definition)) => {
                let is_same = parameters(catalog, definition) == *names;
                let filter = if is_same { filter.clone() } else { CallFilter::all() };
                Some(PageSubject::Calls(CallQuery { definition, filter }))
            }
            (PageKind::Calls(..), None) | (PageKind::Part(_) | PageKind::Upgrade | PageKind::Ledger(_), _) => None,
        }
    }
}

/// The names of a definition's parameters, since a filter of calls refers to parameters by position.
fn parameters(catalog: &Catalog, id: DefinitionId) -> Vec<CompactString> {
    let signature = catalog.index.definition(id).signature.as_ref();
    signature.map_or(&[][..], |s| &s.parameters).iter().map(|parameter| CompactString::new(&parameter.name)).collect()
}
