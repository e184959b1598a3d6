//! The pages of the ledger: the numbers of calls by where they lead, what each number counts, and how one call is
//! resolved.

mod call;
mod counted;
mod numbers;

pub use counted::counted_rows;

use compact_str::CompactString;

use super::{PageItem, card};
use crate::tui::model::{Catalog, UsedPackages};
use apidisc::{
    dependencies::{CallDestinations, WhyAbsent},
    program::{CallId, FileId, UnresolvedReason},
};

/// A page of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedgerPage {
    /// All numbers of calls.
    Numbers,
    /// What one of the numbers counts.
    Counted(CountedCalls),
    /// How one call is resolved, or why it is not.
    Call(CallPlace),
}

/// The calls that a number of the ledger counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountedCalls {
    /// Those that are resolved to one definition of the code.
    Own,
    /// Of those, the ones that pass arguments unseen, such as `*args`.
    Spread,
    /// Those of packages: of installed ones, or of those that cannot be read for this reason.
    Packages(WhyAbsent),
    /// Those of the standard library, by the names that they write.
    StandardLibrary,
    /// Those of the standard library that write this name; a built-in one if it is `None`.
    Named(Option<CompactString>),
    /// Those of something else outside, such as methods of strings.
    Elsewhere,
    /// Those in files that the authors of the code did not write for its users.
    Apart,
    /// Those that are not resolved for this reason; of several definitions if it is `None`.
    Unresolved(Option<UnresolvedReason>),
}

/// The place of a call, which stays valid in the next index if the file does not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallPlace {
    /// The path of the file.
    pub path: CompactString,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 0, in UTF-8 bytes.
    pub col: u32,
}

/// How a call is resolved, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallExplanation {
    /// The parts of the callee, each with what is known of it.
    pub steps: Vec<(String, String)>,
    /// The definitions that the call may call, or why there are none.
    pub result: String,
}

/// The rows of a page about what a number counts. They do not depend on the width of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedRows {
    /// What is counted, in words.
    head: String,
    items: Vec<PageItem>,
}

/// What is known of a page beside the index.
#[derive(Clone, Copy)]
pub(super) struct LedgerInputs<'a> {
    /// The packages that the code uses.
    pub(super) packages: Option<&'a UsedPackages>,
    /// The rows of the page, once they are found.
    pub(super) counted: Option<&'a CountedRows>,
    /// The explanation of the call that the page is about.
    pub(super) explained: Option<&'a Result<CallExplanation, String>>,
}

impl CountedRows {
    fn new(head: String, items: Vec<PageItem>) -> Self {
        Self { head, items }
    }

    /// The rows on a screen.
    fn shown(&self, width: u16) -> Vec<PageItem> {
        let head = card::wrapped(&self.head, width).map(PageItem::dim);
        head.chain([PageItem::blank()]).chain(self.items.iter().cloned()).collect()
    }
}

/// The rows of a page.
pub(super) fn items(catalog: &Catalog, page: &LedgerPage, inputs: LedgerInputs<'_>, width: u16) -> Vec<PageItem> {
    let LedgerInputs { packages, counted, explained } = inputs;
    match page {
        LedgerPage::Numbers => numbers::items(catalog, packages, width),
        LedgerPage::Counted(_) => counted.map_or_else(Vec::new, |rows| rows.shown(width)),
        LedgerPage::Call(place) => call::items(catalog, place, explained, width),
    }
}

impl LedgerPage {
    /// True if rows of the page show source text.
    pub fn has_sources(&self) -> bool {
        match self {
            Self::Numbers => false,
            Self::Counted(calls) => !matches!(calls, CountedCalls::Packages(_) | CountedCalls::StandardLibrary),
            Self::Call(_) => true,
        }
    }

    /// The title.
    pub fn title(&self) -> String {
        match self {
            Self::Numbers => "Ledger".to_owned(),
            Self::Counted(calls) => calls.title(),
            Self::Call(place) => format!("{}:{}", place.path, place.line),
        }
    }
}

impl CountedCalls {
    /// The calls of each destination, in the order of [`CallDestinations::known`].
    const KNOWN: [Self; 8] = [
        Self::Own,
        Self::Packages(WhyAbsent::Package),
        Self::StandardLibrary,
        Self::Packages(WhyAbsent::NotInstalled),
        Self::Packages(WhyAbsent::FilesMissing),
        Self::Packages(WhyAbsent::Archived),
        Self::Packages(WhyAbsent::Compiled),
        Self::Packages(WhyAbsent::NotGenerated),
    ];

    fn title(&self) -> String {
        match self {
            Self::Own | Self::Packages(_) | Self::StandardLibrary => {
                let known = CallDestinations::default().known();
                let at = Self::KNOWN.iter().position(|calls| calls == self).unwrap_or(0);
                format!("Calls of {}", known[at].1)
            }
            Self::Spread => "Calls with arguments unseen".to_owned(),
            Self::Named(None) => "Calls of built-in functions and types".to_owned(),
            Self::Named(Some(name)) => format!("Calls of {name}"),
            Self::Apart => "Files apart".to_owned(),
            Self::Elsewhere | Self::Unresolved(Some(UnresolvedReason::External)) => {
                "Calls of something outside".to_owned()
            }
            Self::Unresolved(_) => "Calls that are not resolved".to_owned(),
        }
    }
}

impl CallPlace {
    /// The place of a call.
    pub fn of(catalog: &Catalog, call: CallId) -> Self {
        let site = catalog.index.call(call);
        Self { path: catalog.index.file(site.file).path.clone(), line: site.line, col: site.col }
    }

    /// The call at the place.
    pub fn find(&self, catalog: &Catalog) -> Option<CallId> {
        call_at(catalog, &self.path, (self.line, self.col))
    }
}

/// The call of a file that stands at a line and column. The code that a file quotes is a second file of its path.
fn call_at(catalog: &Catalog, path: &str, place: (u32, u32)) -> Option<CallId> {
    let index = &catalog.index;
    let start = index.files.partition_point(|file| file.path.as_str() < path);
    let files = (start..index.files.len()).take_while(|at| index.files[*at].path == path);
    let mut calls = files.flat_map(|at| index.calls_of_file(FileId::new(at)));
    calls.find(|at| (index.calls[*at].line, index.calls[*at].col) == place).map(CallId::new)
}

/// What is known of calls that are counted for no definition. `None` stands for several candidates.
fn reason_in_words(reason: Option<UnresolvedReason>) -> &'static str {
    match reason {
        None => "may mean several definitions: counted for none",
        Some(UnresolvedReason::UnknownReceiver) => "a method of something whose type is not known",
        Some(UnresolvedReason::UnknownName) => "a name that leads nowhere known",
        Some(UnresolvedReason::Dynamic) => "computed while the program runs",
        Some(UnresolvedReason::TooComplex) => "of a type too complex to infer",
        Some(UnresolvedReason::External) => "something outside: the standard library or a package",
    }
}
