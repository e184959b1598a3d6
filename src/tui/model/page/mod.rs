//! Pages about a module, a definition or an argument, about one recipe, about the argument sets of a definition, and
//! about call sites. A page is a list of rows. A row that counts calls of a definition leads to those calls, if the
//! index knows where they are. A recipe is an argument set of the calls of a definition, or a sequence of calls.

mod argument;
mod calls;
mod card;
mod definition;
mod filter;
mod item;
mod module;
mod part;
mod recipe;
mod recipes;
mod registered;
mod related;
pub(in crate::tui) mod rows;
mod start;
mod typed;
mod unresolved;
mod upgrade;
mod uses;
mod words;

pub(in crate::tui) use calls::{paths, row as call_row};
pub(in crate::tui) use part::preview as part_preview;
pub(in crate::tui) use recipe::preview as recipe_preview;
pub(in crate::tui) use unresolved::in_words as reason_in_words;

pub use filter::PageFilter;
pub use item::{CallQuery, CallRow, ItemBody, PageItem, PageNameRow, RecipeRow, ShareRow, SourcePlace, TextRole};

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    ApiPart, CallLineCache, CardText, Catalog, Cursor, Excerpt, OverviewText, RecipeText, Topic, UpgradeMarks,
    name_of_all,
};
use crate::tui::widgets::width;
use apidisc::{
    http::OperationArgument,
    index::{CallEvidence, CallFilter},
    program::DefinitionId,
};

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
    /// The calls that are counted for no definition.
    Unresolved,
}

/// The order of call sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallOrder {
    /// The most common argument set first.
    #[default]
    Typical,
    /// The most recently changed file first.
    Newest,
    /// By path and line.
    Path,
}

/// The times at which files last changed, by path, in seconds since 1970.
pub type Dates = FxHashMap<CompactString, i64>;

impl CallOrder {
    /// Every order, in the order in which the key cycles.
    pub const ALL: [Self; 3] = [Self::Typical, Self::Newest, Self::Path];

    /// The name in the session file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Typical => "typical",
            Self::Newest => "newest",
            Self::Path => "path",
        }
    }
}

/// An open page.
#[derive(Debug)]
pub struct Page {
    /// The subject.
    pub subject: PageSubject,
    /// The order of its call sites.
    pub order: CallOrder,
    /// The visible rows: those that pass the filter.
    pub items: Vec<PageItem>,
    /// The filter.
    pub filter: PageFilter,
    /// The selection and the scroll offset.
    pub cursor: Cursor,
    /// The row that was selected when the page was opened, until the card is known.
    pub initial: Option<usize>,
    /// The inputs of the present rows: generation of the index, order, whether the card or the arguments are known,
    /// whether all of the documentation is shown, ticket of the dates, width, generation of the other version.
    pub made_for: Option<(u64, CallOrder, bool, bool, u64, u16, u64)>,
    /// The inputs of the last filtering: the pattern, and the revision of the call texts.
    pub filtered_by: (String, u64),
    /// The first call of the definition, and its documentation.
    pub card: Option<CardText>,
    /// The overview of the repository or module.
    pub overview: Option<Arc<OverviewText>>,
    /// The arguments of a part of API documents.
    pub arguments: Option<Arc<[OperationArgument]>>,
    /// The ticket of the request for the card or the arguments; 0 before the request.
    pub card_ticket: u64,
    /// True if a long documentation is shown as a whole.
    pub has_whole_documentation: bool,
    /// When the files of the call sites last changed, with the ticket of the request.
    pub dates: Option<(u64, Arc<Dates>)>,
    /// The ticket of the request for the dates; 0 before the request.
    pub dates_ticket: u64,
    /// The source text of the selected row.
    pub source_view: SourceView,
}

/// The source text of the selected row.
#[derive(Debug, Default)]
pub struct SourceView {
    /// The place to show, with the generation of its index.
    pub wanted: Option<(u64, SourcePlace)>,
    /// The ticket of the request.
    pub ticket: u64,
    /// The last answer, which may belong to another row, or the reason why there is none.
    pub shown: Option<Result<Excerpt, String>>,
    /// Lines scrolled from the initial position.
    pub scroll: isize,
    /// Columns scrolled to the right of the initial position.
    pub columns: usize,
    /// True if the source has the whole screen, and the keys that move scroll it.
    pub is_zoomed: bool,
}

impl SourceView {
    /// The width of the widest line, in columns.
    pub fn widest_line(&self) -> usize {
        let Some(Ok(excerpt)) = &self.shown else { return 0 };
        excerpt.lines.iter().map(|line| width(line)).max().unwrap_or(0)
    }

    /// Scrolls by lines within the excerpt, of which `height` lines are visible.
    pub fn scroll_by(&mut self, lines: isize, height: usize) {
        let Some(Ok(excerpt)) = &self.shown else { return };
        let initial = excerpt.initial_top(height);
        let top = excerpt.top(height, self.scroll).saturating_add_signed(lines);
        let top = top.min(excerpt.lines.len().saturating_sub(height));
        self.scroll = top.cast_signed() - initial.cast_signed();
    }
}

impl Page {
    /// A page before its rows are built.
    pub fn new(subject: PageSubject) -> Self {
        Self {
            subject,
            order: CallOrder::default(),
            items: Vec::new(),
            filter: PageFilter::default(),
            filtered_by: Default::default(),
            cursor: Cursor::default(),
            initial: None,
            made_for: None,
            card: None,
            overview: None,
            arguments: None,
            card_ticket: 0,
            has_whole_documentation: false,
            dates: None,
            dates_ticket: 0,
            source_view: SourceView::default(),
        }
    }

    /// The selected row.
    pub fn selected(&self) -> Option<&PageItem> {
        rows::selected(&self.items, &self.cursor)
    }

    /// Drops the rows and the selection; the next build selects the first row.
    pub fn clear_rows(&mut self) {
        self.items.clear();
        self.cursor = Cursor::default();
        self.made_for = None;
    }

    /// Builds the rows for a list `width` cells wide if the index, order, card, dates, width, filter or other version
    /// have changed. The selection stays on the same row if it still exists.
    pub fn make(&mut self, catalog: &Catalog, width: u16, call_lines: &CallLineCache, upgrade: Option<&UpgradeMarks>) {
        let other = upgrade.map_or(0, |marks| marks.read.other.generation);
        let dated = self.dates.as_ref().map_or(0, |(ticket, _)| *ticket);
        let has_card = self.card.is_some() || self.arguments.is_some() || self.overview.is_some();
        let is_whole = self.has_whole_documentation;
        let made_for = Some((catalog.generation, self.order, has_card, is_whole, dated, width, other));
        let known = if self.filter.is_on() { call_lines.revision } else { 0 };
        let filtered_by = (self.filter.pattern().to_owned(), known);
        if self.made_for == made_for && self.filtered_by == filtered_by {
            return;
        }
        let before = self.selected().map(|item| (item.link.clone(), item.calls.clone(), item.shows));
        let all = if self.made_for == made_for {
            self.filter.all.take().unwrap_or_else(|| std::mem::take(&mut self.items))
        } else {
            self.rows(catalog, width, upgrade)
        };
        if self.filter.is_on() {
            self.items = self.filter.rows(&all, call_lines);
            self.filter.all = Some(all);
        } else {
            (self.items, self.filter.all) = (all, None);
        }
        let again = before.and_then(|(to, query, shows)| {
            let is_same = |item: &PageItem| item.link == to && item.calls == query && item.shows == shows;
            // Of several uses on one line, the selected one stays selected if the rows are the same.
            let stays = self.items.get(self.cursor.selected).is_some_and(is_same);
            if stays { Some(self.cursor.selected) } else { self.items.iter().position(is_same) }
        });
        // The first row with a call site or use is preferred, since it says more than the place of a definition.
        let first = || {
            let is_use = |place| match place {
                Some(SourcePlace::Line(..)) => matches!(self.subject, PageSubject::Uses(_)),
                place => matches!(place, Some(SourcePlace::Call(_))),
            };
            let call = self.items.iter().position(|item| is_use(item.shows));
            call.or_else(|| self.items.iter().position(PageItem::is_choice))
        };
        // Once the first call is known it is selected, unless the selection has been moved.
        let is_initial = self.initial == Some(self.cursor.selected) && has_card;
        match again.filter(|_| !is_initial) {
            Some(row) => self.cursor.select(row),
            None if is_initial => self.cursor.select(first().unwrap_or(0)),
            None if self.made_for.is_none() || self.selected().is_none() => self.cursor.select(first().unwrap_or(0)),
            None => {}
        }
        let is_first = self.made_for.is_none() && !has_card;
        self.initial = is_first.then_some(self.cursor.selected).or(self.initial.filter(|_| !has_card));
        (self.made_for, self.filtered_by) = (made_for, filtered_by);
    }

    fn rows(&self, catalog: &Catalog, width: u16, upgrade: Option<&UpgradeMarks>) -> Vec<PageItem> {
        match &self.subject {
            PageSubject::About(topic) => {
                let evidence = topic.definition().map_or_else(Vec::new, |id| typical_first(catalog, id));
                let card = self.card.as_ref().map(|card| (card, self.has_whole_documentation));
                match topic {
                    Topic::Repository | Topic::Module(_) => {
                        module::about(catalog, *topic, self.overview.as_deref(), width)
                    }
                    _ => about(catalog, *topic, &evidence, card, upgrade, width),
                }
            }
            PageSubject::Recipes(id) => recipes::items(catalog, *id, &typical_first(catalog, *id), width),
            PageSubject::Recipe(text) => recipe::items(catalog, text, width),
            PageSubject::Uses(id) => uses::items(catalog, *id),
            PageSubject::Upgrade => upgrade::items(catalog, upgrade, width),
            PageSubject::Unresolved => unresolved::items(catalog),
            PageSubject::Part(part) => part::items(catalog, part, self.arguments.as_deref(), width),
            PageSubject::Calls(query) => {
                let dates = self.dates.as_ref().map(|(_, dates)| &**dates);
                calls::items(catalog, query, self.order, dates)
            }
        }
    }

    /// A key for the selected row that does not depend on the index.
    pub fn row_key(&self) -> Option<String> {
        self.selected().map(|_| self.key(self.cursor.selected))
    }

    /// Selects the row with that key, if it exists.
    pub fn select_key(&mut self, key: &str) {
        let row = (0..self.items.len()).find(|row| self.items[*row].is_choice() && self.key(*row) == key);
        if let Some(row) = row {
            self.cursor.select(row);
            self.initial = None;
        }
    }

    /// The heading above a row and the text of the row.
    fn key(&self, row: usize) -> String {
        let heading = self.items[..row].iter().rev().find_map(|item| match &item.body {
            ItemBody::Heading(text, _) => Some(text.as_str()),
            _ => None,
        });
        format!("{}/{}", heading.unwrap_or_default(), self.items[row].body.name())
    }

    /// Moves the selection by `rows` selectable rows; at the end of the list the page scrolls instead.
    pub fn step(&mut self, rows: isize) {
        rows::step(&self.items, &mut self.cursor, rows);
    }

    /// Moves the selection by `rows` rows of any kind, to the nearest selectable row.
    pub fn move_rows(&mut self, rows: isize) {
        rows::move_rows(&self.items, &mut self.cursor, rows);
    }

    /// Scrolls the selected row into view, with the heading above it.
    pub fn settle(&mut self, height: usize) {
        rows::settle(&self.items, &mut self.cursor, height);
    }
}

impl PageSubject {
    /// The definition that the page is about.
    pub fn definition(&self) -> Option<DefinitionId> {
        match self {
            Self::About(topic) => topic.definition(),
            Self::Recipes(id) | Self::Uses(id) => Some(*id),
            Self::Recipe(text) => text.recipe.symbols.first().copied(),
            Self::Calls(query) => Some(query.definition),
            Self::Part(_) | Self::Upgrade | Self::Unresolved => None,
        }
    }

    /// The topic that the panes show under the page; the repository for a page that has no topic.
    pub fn topic(&self) -> Topic {
        match self {
            Self::Part(_) | Self::Upgrade | Self::Unresolved => Topic::Repository,
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
            Self::Part(_) | Self::Upgrade | Self::Unresolved => return vec![(self.clone(), "Page")],
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
        if matches!(self, Self::Unresolved) {
            return ("", "Calls that are not resolved".to_owned());
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
                let name = signature.map(|s| s.label(at.into())).unwrap_or_default();
                ("argument", format!("{}({name})", catalog.label(id, false)))
            }
        }
    }
}

/// The rows about a topic, without rows of single calls: the preview in the finder.
pub fn summary(catalog: &Catalog, topic: Topic, width: u16) -> Vec<PageItem> {
    about(catalog, topic, &[], None, None, width)
}

/// The rows of the start page in a pane: without the lists of all definitions.
pub(in crate::tui) fn start_rows(catalog: &Catalog, topic: Topic, text: &OverviewText, width: u16) -> Vec<PageItem> {
    module::first_rows(catalog, topic, text, width)
}

fn about(
    catalog: &Catalog,
    topic: Topic,
    evidence: &[CallEvidence],
    card: Option<(&CardText, bool)>,
    upgrade: Option<&UpgradeMarks>,
    width: u16,
) -> Vec<PageItem> {
    match topic {
        Topic::Repository | Topic::Module(_) => module::about(catalog, topic, None, width),
        Topic::Definition(id) => definition::about(catalog, id, evidence, card, upgrade, width),
        Topic::Argument(id, at) => argument::about(catalog, id, usize::from(at), evidence),
    }
}

/// The calls of a definition, the most typical first.
fn typical_first(catalog: &Catalog, id: DefinitionId) -> Vec<CallEvidence> {
    let mut evidence = catalog.index.call_evidence(id);
    catalog.index.sort_by_typicality(id, &mut evidence);
    evidence
}
