//! Pages about a module, a definition or an argument, about one recipe, about the argument sets of a definition, and
//! about call sites. A page is a list of rows. A row that counts calls of a definition leads to those calls, if the
//! index knows where they are. A recipe is an argument set of the calls of a definition, or a sequence of calls.

mod argument;
mod calls;
mod card;
mod definition;
mod filter;
mod item;
mod ledger;
mod module;
mod part;
mod recipe;
mod recipes;
mod registered;
mod related;
pub(in crate::tui) mod rows;
mod source_view;
mod start;
mod subject;
mod typed;
mod upgrade;
mod uses;
mod words;

pub(in crate::tui) use calls::{paths, row as call_row};
pub(in crate::tui) use part::preview as part_preview;
pub(in crate::tui) use recipe::preview as recipe_preview;

pub use filter::PageFilter;
pub use item::{
    Across, CallQuery, CallRow, ItemBody, PageItem, PageNameRow, RecipeRow, ShareRow, SourcePlace, TextRole,
};
pub use ledger::{CallExplanation, CallPlace, CountedCalls, CountedRows, LedgerPage, counted_rows};
pub use module::PublicRows;
pub use source_view::SourceView;
pub use subject::PageSubject;

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use ledger::LedgerInputs;

use super::{CallLineCache, CardText, Catalog, Cursor, OverviewText, Topic, UpgradeMarks, UsedPackages};
use apidisc::{http::OperationArgument, index::CallEvidence, program::DefinitionId};

/// The rows at the beginning of a page, which the smallest window shows.
const BEGINNING: usize = 10;

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

/// What a page is made of, beside its subject.
pub struct PageSources<'a> {
    /// The index.
    pub catalog: &'a Catalog,
    /// The source text of calls.
    pub call_lines: &'a CallLineCache,
    /// What the other version of the code or of a package breaks.
    pub upgrade: Option<&'a UpgradeMarks>,
    /// The packages that the code uses.
    pub packages: Option<&'a UsedPackages>,
}

/// What the rows of a page were made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowInputs {
    /// The generation of the index.
    pub generation: u64,
    order: CallOrder,
    /// True if what is read in the background is known: the card, the arguments, the overview, the explanation or the
    /// counted rows.
    has_card: bool,
    /// True if all of the documentation is shown.
    is_whole: bool,
    /// The ticket of the dates.
    dated: u64,
    /// The ticket of the counted rows.
    counted: u64,
    width: u16,
    /// The generation of the other version.
    other: u64,
    /// The generation of the packages; 0 before they are read.
    pub packages: u64,
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
    /// The inputs of the present rows.
    pub made_for: Option<RowInputs>,
    /// The inputs of the last filtering: the pattern, and the revision of the call texts.
    pub filtered_by: (String, u64),
    /// The first call of the definition, and its documentation.
    pub card: Option<CardText>,
    /// The overview of the repository or module.
    pub overview: Option<Arc<OverviewText>>,
    /// The arguments of a part of API documents.
    pub arguments: Option<Arc<[OperationArgument]>>,
    /// The explanation of the call that the page is about, or the reason why there is none.
    pub explained: Option<Result<CallExplanation, String>>,
    /// The definitions, packages, names or calls that a number of the ledger counts, as rows, with the ticket of the
    /// request for them.
    pub counted: Option<(u64, Arc<CountedRows>)>,
    /// The ticket of the request for the card, the arguments, the explanation or the rows; 0 before the request.
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
            explained: None,
            counted: None,
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
    pub fn make(&mut self, sources: &PageSources<'_>, width: u16) {
        let PageSources { catalog, call_lines, upgrade, packages } = *sources;
        let other = upgrade.map_or(0, |marks| marks.read.other.generation);
        let dated = self.dates.as_ref().map_or(0, |(ticket, _)| *ticket);
        let has_card = self.card.is_some()
            || self.arguments.is_some()
            || self.overview.is_some()
            || self.explained.is_some()
            || self.counted.is_some();
        let made_for = Some(RowInputs {
            generation: catalog.generation,
            order: self.order,
            has_card,
            is_whole: self.has_whole_documentation,
            dated,
            counted: self.counted.as_ref().map_or(0, |(ticket, _)| *ticket),
            width,
            other,
            packages: packages.map_or(0, |used| used.catalog.generation),
        });
        let known = if self.filter.is_on() { call_lines.revision } else { 0 };
        let filtered_by = (self.filter.pattern().to_owned(), known);
        if self.made_for == made_for && self.filtered_by == filtered_by {
            return;
        }
        let before = self.selected().map(|item| (item.link.clone(), item.calls.clone(), item.shows));
        let all = if self.made_for == made_for {
            self.filter.all.take().unwrap_or_else(|| std::mem::take(&mut self.items))
        } else {
            self.rows(catalog, width, upgrade, packages)
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
        // The first row with a call site or use is preferred, since it says more than the place of a definition. A page
        // opens at its beginning: a row further down is not preferred.
        let first = || {
            let beginning = &self.items[..self.items.len().min(BEGINNING)];
            let is_use = |place| match place {
                Some(SourcePlace::Line(..)) => matches!(self.subject, PageSubject::Uses(_) | PageSubject::Upgrade),
                place => matches!(place, Some(SourcePlace::Call(_))),
            };
            let call = beginning.iter().position(|item| is_use(item.shows));
            // A link of the head is selected only if nothing else can be.
            let shown = || beginning.iter().position(|item| item.is_choice() && item.shows.is_some());
            let head = self.items.iter().take_while(|item| item.body != ItemBody::Blank).count();
            let behind_head = || Some(head + self.items.get(head..)?.iter().position(PageItem::is_choice)?);
            call.or_else(shown).or_else(behind_head).or_else(|| self.items.iter().position(PageItem::is_choice))
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

    fn rows(
        &self,
        catalog: &Catalog,
        width: u16,
        upgrade: Option<&UpgradeMarks>,
        used: Option<&UsedPackages>,
    ) -> Vec<PageItem> {
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
            PageSubject::Ledger(page) => {
                let counted = self.counted.as_ref().map(|(_, rows)| &**rows);
                let explained = self.explained.as_ref();
                ledger::items(catalog, page, LedgerInputs { packages: used, counted, explained }, width)
            }
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

/// The rows about a topic, without rows of single calls: the preview in the finder.
pub fn summary(catalog: &Catalog, topic: Topic, width: u16) -> Vec<PageItem> {
    match topic {
        Topic::Repository | Topic::Module(_) => module::preview(catalog, topic, width),
        _ => about(catalog, topic, &[], None, None, width),
    }
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
