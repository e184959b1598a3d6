//! Where one is, by names: a new index has other ids, and another run of the program too.

use compact_str::CompactString;

use super::{
    Model,
    page::{CallOrder, CallQuery, PageSubject},
};
use crate::tui::{
    catalog::{Catalog, Topic},
    geometry::Pane,
};
use apidisc::{
    index::{CallFilter, Scope},
    program::DefinitionId,
};

/// Where one is in the panes, and the page that is open over them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The selected module; none for the whole repository.
    pub module: Option<CompactString>,
    /// The selected definition, where somebody chose it.
    pub definition: Option<CompactString>,
    /// The selected argument.
    pub argument: Option<CompactString>,
    /// The pane that keys go to.
    pub focus: Pane,
    /// The page.
    pub page: Option<PageLocation>,
    /// What the tuning page is about, where that is open.
    pub tuning: Option<TopicName>,
}

/// A page and where one is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLocation {
    /// What it is about.
    pub about: TopicName,
    /// CallFilter of the pages about that.
    pub kind: PageKind,
    /// What names the selected row.
    pub row: Option<String>,
    /// The order of its calls.
    pub order: CallOrder,
}

/// CallFilter of the pages about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// All that is known.
    About,
    /// The recipes.
    Recipes,
    /// Call sites, of a signature with parameters of these names.
    Calls(CallFilter, Vec<CompactString>),
}

/// A topic by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopicName {
    /// Everything.
    Repository,
    /// A module.
    Module(CompactString),
    /// A definition.
    Definition(CompactString),
    /// A parameter of a definition.
    Argument(CompactString, CompactString),
}

impl TopicName {
    /// The name of a topic.
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

    /// What has that name; a definition whose parameter is gone stands for that.
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
    /// Where one is.
    pub fn here(model: &Model, catalog: &Catalog) -> Self {
        let index = &catalog.index;
        let module = model.modules.selected().and_then(|row| match row.scope {
            Scope::Module(id) => Some(index.module(id).fqn.clone()),
            _ => None,
        });
        let id = model.definition().filter(|_| model.symbols.chosen || model.focus != Pane::Modules);
        let argument = id.and_then(|id| {
            let position = model.arguments.selected()?;
            Some(CompactString::new(&index.definition(id).signature.as_ref()?.parameters.get(position)?.name))
        });
        Self {
            module,
            definition: id.map(|id| CompactString::new(&index.definition(id).fqn)),
            argument,
            focus: model.focus,
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
    /// The same page of another index; all calls where those that were meant can no longer be told.
    pub fn subject(&self, catalog: &Catalog) -> Option<PageSubject> {
        let topic = self.about.find(catalog)?;
        match (&self.kind, topic.definition()) {
            (PageKind::About, _) => Some(PageSubject::About(topic)),
            (PageKind::Recipes, id) => id.map(PageSubject::Recipes),
            (PageKind::Calls(filter, names), Some(definition)) => {
                let is_same = parameters(catalog, definition) == *names;
                let filter = if is_same { filter.clone() } else { CallFilter::all() };
                Some(PageSubject::Calls(CallQuery { definition, filter }))
            }
            (PageKind::Calls(..), None) => None,
        }
    }
}

/// The names of a definition's parameters, which positions in calls count on.
fn parameters(catalog: &Catalog, id: DefinitionId) -> Vec<CompactString> {
    let signature = catalog.index.definition(id).signature.as_ref();
    signature.map_or(&[][..], |s| &s.parameters).iter().map(|parameter| CompactString::new(&parameter.name)).collect()
}
