//! The rows of a page.

use crate::tui::{
    catalog::{Catalog, Topic},
    theme::SyntaxRuns,
};
use apidisc::{
    index::CallFilter,
    program::{CallId, DefinitionId, DefinitionKind, FileId},
};

use super::PageSubject;

/// A row: what it says, where it leads, and the calls behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageItem {
    /// What it says.
    pub body: ItemBody,
    /// The page that it leads to.
    pub link: Option<PageSubject>,
    /// The calls behind its number.
    pub calls: Option<CallQuery>,
    /// What of the sources is shown beside it.
    pub shows: Option<SourcePlace>,
}

/// Calls of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallQuery {
    /// What they call.
    pub definition: DefinitionId,
    /// CallFilter of its calls.
    pub filter: CallFilter,
}

/// A place in the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourcePlace {
    /// A call.
    Call(CallId),
    /// Where something is defined.
    Definition(DefinitionId),
    /// A file from its beginning.
    File(FileId),
}

/// What a row says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ItemBody {
    /// Nothing.
    #[default]
    Blank,
    /// The heading of what follows, and a word on it.
    Heading(String, String),
    /// Pieces of text.
    Text(Vec<(String, TextRole)>),
    /// A share of calls.
    Share(ShareRow),
    /// A recipe.
    Recipe(RecipeRow),
    /// What of a recipe has no room on its first line.
    Further(Vec<(String, TextRole)>),
    /// A definition or a module, with its calls.
    Name(NameRow),
    /// A call.
    Call(CallRow),
    /// A line of source text.
    Code(String, SyntaxRuns),
}

/// A share of calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareRow {
    /// What they have in common.
    pub name: String,
    /// How its name is drawn.
    pub role: TextRole,
    /// How many they are.
    pub part: u32,
    /// Of how many; 0 where none tells.
    pub whole: u32,
    /// There are calls, but none of them tells.
    pub is_unseen: bool,
    /// What else there is to say.
    pub note: String,
}

/// An argument set with its share of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeRow {
    /// The calls that pass just these.
    pub part: u32,
    /// Of how many.
    pub whole: u32,
    /// All that they pass.
    pub name: String,
    /// The first line of that.
    pub line: Vec<(String, TextRole)>,
}

/// A call in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRow {
    /// CallFilter.
    pub call: CallId,
    /// Where it stands.
    pub place: String,
    /// What it stands in; empty for a module.
    pub caller: String,
    /// What it calls, where that is not said elsewhere.
    pub callee: String,
    /// What it passes, as far as the index knows: what is shown until its source is read.
    pub passed: String,
}

/// A definition or a module in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameRow {
    /// What it is; none for a module.
    pub kind: Option<DefinitionKind>,
    /// Its name.
    pub name: String,
    /// Its calls.
    pub calls: u32,
    /// What else there is to say.
    pub note: String,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextRole {
    /// A name or a number.
    #[default]
    Text,
    /// What is there for those who look.
    Dim,
    /// A definition's kind.
    Kind(DefinitionKind),
    /// That it has to be passed.
    Required,
    /// That it is not known.
    Unknown,
    /// A value as it stands in the source.
    Value,
}

impl SourcePlace {
    /// The file and the line, from 1.
    pub fn place(self, catalog: &Catalog) -> (FileId, u32) {
        match self {
            Self::Call(id) => {
                let call = catalog.index.call(id);
                (call.file, call.line)
            }
            Self::Definition(id) => {
                let place = catalog.index.definition(id).place;
                (place.file, place.line)
            }
            Self::File(id) => (id, 1),
        }
    }
}

impl CallQuery {
    /// All calls of a definition.
    pub fn all(definition: DefinitionId) -> Self {
        Self { definition, filter: CallFilter::all() }
    }

    /// Its calls that pass a parameter.
    pub fn passing(definition: DefinitionId, position: usize) -> Self {
        Self { definition, filter: CallFilter::passing(position) }
    }

    /// The parameter that they all pass, where nothing else is said of them.
    pub fn argument(&self) -> Option<u16> {
        let position = self.filter.passing.iter().next()?;
        (self.filter == CallFilter::passing(position)).then_some(position as u16)
    }
}

impl ItemBody {
    /// What it says, but for numbers.
    pub(super) fn name(&self) -> String {
        let joined = |pieces: &[(String, TextRole)]| pieces.iter().map(|(text, _)| text.as_str()).collect();
        match self {
            Self::Blank | Self::Heading(..) => String::new(),
            Self::Text(pieces) | Self::Further(pieces) => joined(pieces),
            Self::Recipe(recipe) => recipe.name.clone(),
            Self::Share(share) => share.name.clone(),
            Self::Name(name) => name.name.clone(),
            Self::Call(call) => call.place.clone(),
            Self::Code(text, _) => text.clone(),
        }
    }
}

impl PageItem {
    /// True where it can be selected.
    pub fn is_choice(&self) -> bool {
        self.link.is_some() || self.calls.is_some() || self.shows.is_some()
    }

    pub(in crate::tui) fn new(body: ItemBody) -> Self {
        Self { body, ..Self::default() }
    }

    pub(in crate::tui) fn blank() -> Self {
        Self::default()
    }

    pub(in crate::tui) fn heading(text: impl Into<String>, note: impl Into<String>) -> Self {
        Self::new(ItemBody::Heading(text.into(), note.into()))
    }

    pub(in crate::tui) fn dim(text: impl Into<String>) -> Self {
        Self::new(ItemBody::Text(vec![(text.into(), TextRole::Dim)]))
    }

    pub(in crate::tui) fn share(share: ShareRow) -> Self {
        Self::new(ItemBody::Share(share))
    }

    /// The row of a definition; `note` is what else there is to say.
    pub(in crate::tui) fn definition(
        catalog: &Catalog,
        id: DefinitionId,
        name: String,
        note: impl Into<String>,
    ) -> Self {
        let definition = catalog.index.definition(id);
        let name =
            NameRow { kind: Some(definition.kind), name, calls: definition.usage.total_calls, note: note.into() };
        let item = Self::new(ItemBody::Name(name)).link_to(Topic::Definition(id)).shows(SourcePlace::Definition(id));
        if definition.usage.total_calls > 0 { item.calls(CallQuery::all(id)) } else { item }
    }

    pub(in crate::tui) fn link_to(mut self, topic: Topic) -> Self {
        self.link = Some(PageSubject::About(topic));
        self
    }

    pub(in crate::tui) fn calls(mut self, query: CallQuery) -> Self {
        self.calls = Some(query);
        self
    }

    pub(in crate::tui) fn shows(mut self, shows: SourcePlace) -> Self {
        self.shows = Some(shows);
        self
    }
}
