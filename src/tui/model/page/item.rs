//! The rows of a page.

use compact_str::CompactString;

use crate::tui::{
    model::{Catalog, Topic},
    theme::SyntaxRuns,
};
use apidisc::{
    index::CallFilter,
    program::{CallId, DefinitionId, DefinitionKind, FileId, ReadId},
};

use super::PageSubject;

/// A row: its text, its link, the calls that it counts, and its source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageItem {
    /// The text.
    pub body: ItemBody,
    /// The page that Enter opens.
    pub link: Option<PageSubject>,
    /// The calls that its number counts.
    pub calls: Option<CallQuery>,
    /// The source text that is shown beside the page.
    pub shows: Option<SourcePlace>,
    /// What Enter shows on the other side of the explorer.
    pub across: Option<Across>,
    /// True if Enter shows the rest of the documentation, or only its beginning.
    pub unfolds: bool,
}

/// A query for those calls of a definition that a filter accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallQuery {
    /// The callee.
    pub definition: DefinitionId,
    /// The filter.
    pub filter: CallFilter,
}

/// A part of the side that is not shown: of the code, or of the packages that the code uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Across {
    /// The code.
    Code,
    /// A package, by the name of its module.
    Package(CompactString),
}

/// A place in the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourcePlace {
    /// A call site.
    Call(CallId),
    /// A read site.
    Read(ReadId),
    /// The place of a definition.
    Definition(DefinitionId),
    /// The beginning of a file.
    File(FileId),
    /// A line of a file, counted from 1.
    Line(FileId, u32),
    /// The part of the page's API documents whose chunk has this position.
    Part(u32),
}

/// The text of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ItemBody {
    /// An empty row.
    #[default]
    Blank,
    /// A heading, and a note.
    Heading(String, String),
    /// Pieces of text.
    Text(Vec<(String, TextRole)>),
    /// A share of calls.
    Share(ShareRow),
    /// A recipe.
    Recipe(RecipeRow),
    /// A continuation line of a recipe.
    Further(Vec<(String, TextRole)>),
    /// A detail line of the share above it.
    Detail(Vec<(String, TextRole)>),
    /// A definition or a module, with the number of its uses.
    Name(PageNameRow),
    /// A call site.
    Call(CallRow),
    /// A line of source text.
    Code(String, SyntaxRuns),
}

/// A share of calls, with a bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareRow {
    /// The property that these calls share.
    pub name: String,
    /// The style of the name.
    pub role: TextRole,
    /// The number of calls with the property.
    pub part: u32,
    /// The number of calls of which it is known whether they have the property.
    pub whole: u32,
    /// True if there are calls, but each hides whether it has the property, usually behind a spread such as `*args`.
    pub is_unseen: bool,
    /// A note after the number.
    pub note: String,
}

/// An argument set with its share of calls, with a bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeRow {
    /// The number of calls with exactly this argument set.
    pub part: u32,
    /// The number of all calls.
    pub whole: u32,
    /// The names of the arguments, for the filter.
    pub name: String,
    /// The names that fit on the first line.
    pub line: Vec<(String, TextRole)>,
}

/// A call site in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRow {
    /// The call.
    pub call: CallId,
    /// Path and line.
    pub place: String,
    /// The function that contains the call; empty at module level.
    pub caller: String,
    /// The callee, in lists that mix callees; else empty.
    pub callee: String,
    /// The arguments as far as the index knows them; shown until the source text is read.
    pub passed: String,
}

/// A definition or a module in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageNameRow {
    /// The kind of the definition; `None` for a module.
    pub kind: Option<DefinitionKind>,
    /// The name.
    pub name: String,
    /// Calls and reads together.
    pub uses: u32,
    /// A note after the name.
    pub note: String,
}

/// The role of a piece of text. It determines the style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextRole {
    /// A name or a number.
    #[default]
    Text,
    /// A name whose middle is cut if the row has no room for it.
    Name,
    /// Secondary text.
    Dim,
    /// The kind of a definition.
    Kind(DefinitionKind),
    /// The mark of a required parameter.
    Required,
    /// An unknown number.
    Unknown,
    /// A value or literal.
    Value,
}

impl SourcePlace {
    /// The file, and the line counted from 1; `None` in API documents, which are no files of the index.
    pub fn place(self, catalog: &Catalog) -> Option<(FileId, u32)> {
        Some(match self {
            Self::Call(id) => {
                let call = catalog.index.call(id);
                (call.file, call.line)
            }
            Self::Read(id) => {
                let read = catalog.index.read(id);
                (read.file, read.line)
            }
            Self::Definition(id) => {
                let place = catalog.index.definition(id).place;
                (place.file, place.line)
            }
            Self::File(id) => (id, 1),
            Self::Line(id, line) => (id, line),
            Self::Part(_) => return None,
        })
    }
}

impl CallQuery {
    /// All calls of a definition.
    pub fn all(definition: DefinitionId) -> Self {
        Self { definition, filter: CallFilter::all() }
    }

    /// The calls of a definition that pass the parameter at that position.
    pub fn passing(definition: DefinitionId, position: usize) -> Self {
        Self { definition, filter: CallFilter::passing(position) }
    }

    /// The position of the parameter, if this is the query of all calls that pass one parameter.
    pub fn argument(&self) -> Option<u16> {
        let position = self.filter.passing.iter().next()?;
        (self.filter == CallFilter::passing(position)).then_some(position as u16)
    }
}

impl ItemBody {
    /// The text without numbers. With the heading above, it identifies the row when a new index changes the numbers.
    pub(super) fn name(&self) -> String {
        let joined = |pieces: &[(String, TextRole)]| pieces.iter().map(|(text, _)| text.as_str()).collect();
        match self {
            Self::Blank | Self::Heading(..) => String::new(),
            Self::Text(pieces) | Self::Further(pieces) | Self::Detail(pieces) => joined(pieces),
            Self::Recipe(recipe) => recipe.name.clone(),
            Self::Share(share) => share.name.clone(),
            Self::Name(name) => name.name.clone(),
            Self::Call(call) => call.place.clone(),
            Self::Code(text, _) => text.clone(),
        }
    }
}

impl PageItem {
    /// True if the row can be selected.
    pub fn is_choice(&self) -> bool {
        self.link.is_some() || self.across.is_some() || self.calls.is_some() || self.shows.is_some() || self.unfolds
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

    /// The row of a definition, with a note.
    pub(in crate::tui) fn definition(
        catalog: &Catalog,
        id: DefinitionId,
        name: String,
        note: impl Into<String>,
    ) -> Self {
        Self::definition_with_uses(catalog, id, name, note, catalog.index.usage(id).uses())
    }

    /// A row with another number of uses than the definition has, such as the uses of an inherited member on one class.
    pub(in crate::tui) fn definition_with_uses(
        catalog: &Catalog,
        id: DefinitionId,
        name: String,
        note: impl Into<String>,
        uses: u32,
    ) -> Self {
        let definition = catalog.index.definition(id);
        let name = PageNameRow { kind: Some(definition.kind), name, uses, note: note.into() };
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
