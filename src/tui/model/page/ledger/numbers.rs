//! The page of all numbers of calls, by where the calls lead. Each number leads to what it counts.

use super::{CountedCalls, LedgerPage, reason_in_words};
use crate::tui::{
    model::{
        Catalog, UsedPackages,
        page::{Across, ItemBody, PageItem, PageSubject, TextRole, card, words::counted},
    },
    widgets::{grouped, share_text},
};
use apidisc::{
    dependencies::CallDestinations,
    diagnostic::Problem,
    program::{FileId, UnresolvedReason},
    usage::{Ledger, percent},
};

/// The width of the columns of numbers and shares, with the gaps around them.
const COLUMNS: u16 = 18;

pub(super) fn items(catalog: &Catalog, used: Option<&UsedPackages>, width: u16) -> Vec<PageItem> {
    let index = &catalog.index;
    let ledger = index.ledger;
    let files = index.own_files().count();
    let files = if index.files.is_empty() { index.sizes().files as usize } else { files };
    let all = used.map_or(ledger.total(), |used| used.destinations.total());
    let calls = counted(all as usize, "call site", "call sites");
    let head = format!("{calls} in {}", counted(files, "file", "files"));
    let mut items = vec![PageItem::new(ItemBody::Text(vec![(head, TextRole::Text)]))];
    if !index.is_of_packages() {
        let (own, internal) = used.map_or((ledger.resolved, ledger.internal()), |used| {
            let CallDestinations { code, unresolved, .. } = used.destinations;
            (code, code + unresolved.total() - unresolved.external)
        });
        let mut words = match share_text(own, internal) {
            Some(share) => format!(
                "{} of them are or may be calls into this code: those of this code, and those that are not resolved. \
                 {share} of these are resolved.",
                grouped(internal as usize)
            ),
            None => "no call leads into this code".to_owned(),
        };
        if own != ledger.resolved {
            let others = counted(ledger.resolved as usize, "call", "calls");
            words = format!("{words} Other pages count {others} of this code: without what its packages say.");
        }
        items.extend(card::wrapped(&words, width).map(PageItem::dim));
    }
    // An index that was read from a file has numbers, but no calls.
    let table = Table { width, total: all, has_rows: !index.calls.is_empty() };
    if let Some(used) = used {
        destinations(catalog, &used.destinations, &table, &mut items);
    } else {
        items.extend([PageItem::blank(), PageItem::heading("Calls of", "")]);
        table.row(ledger.resolved, "one definition of this code", &CountedCalls::Own, &mut items);
        let outside = Some(UnresolvedReason::External);
        table.row(ledger.external, reason_in_words(outside), &CountedCalls::Unresolved(outside), &mut items);
        unresolved(&ledger, &table, &mut items);
    }
    if ledger.spread > 0 && !index.is_of_packages() {
        items.extend([PageItem::blank(), PageItem::heading("Of the calls of this code", "")]);
        let of_own = Table { total: ledger.resolved, ..table };
        of_own.row(
            ledger.spread,
            "pass *args, **kwargs or a spread: what is unseen",
            &CountedCalls::Spread,
            &mut items,
        );
    }
    files_apart(catalog, &table, &mut items);
    sources(catalog, &mut items);
    items
}

/// What became of files that the authors of the code did not write for its users.
fn files_apart(catalog: &Catalog, table: &Table, items: &mut Vec<PageItem>) {
    let index = &catalog.index;
    let apart: Vec<FileId> = index.files_apart().collect();
    let minified = index.diagnostics.iter().filter(|found| found.problem == Problem::Minified).count();
    if index.is_of_packages() || apart.is_empty() && minified == 0 {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Files apart", "")]);
    if !apart.is_empty() {
        let calls: usize = apart.iter().map(|&file| index.calls_of_file(file).len()).sum();
        let words = format!(
            "in {} of others or for developers: vendored and generated code, scripts, settings of tools, old versions \
             beside newer ones. These calls are counted; the definitions are no part of the API.",
            counted(apart.len(), "file", "files")
        );
        table.linked_row(calls as u32, &words, &CountedCalls::Apart, items);
    }
    if minified > 0 {
        let row = format!("{} minified or bundled: not read", counted(minified, "file", "files"));
        items.extend(card::wrapped(&row, table.width).map(PageItem::dim));
    }
}

/// The weights of calls, and the sources with their commits.
fn sources(catalog: &Catalog, items: &mut Vec<PageItem>) {
    let index = &catalog.index;
    if !index.weights.are_default() {
        items.extend([PageItem::blank(), PageItem::heading("Weights", "")]);
        items.push(PageItem::dim(format!("  calls are counted otherwise: {}", index.weights.note())));
    }
    for source in &index.sources {
        items.extend([PageItem::blank(), PageItem::heading("Source", "")]);
        items.push(PageItem::dim(format!("  {}", source.url)));
        items.extend(source.commit.iter().map(|commit| PageItem::dim(format!("  at commit {commit}"))));
    }
}

/// The rows of a program whose packages were looked for.
fn destinations(catalog: &Catalog, found: &CallDestinations, table: &Table, items: &mut Vec<PageItem>) {
    items.extend([PageItem::blank(), PageItem::heading("Calls of", "")]);
    for ((number, whose), calls) in found.known().into_iter().zip(CountedCalls::KNOWN) {
        let is_own = calls == CountedCalls::Own;
        table.row(number, whose, &calls, items);
        // The code is on the other side.
        if let Some(row) = items.last_mut().filter(|_| is_own && number > 0 && catalog.index.is_of_packages()) {
            (row.link, row.across) = (None, Some(Across::Code));
        }
    }
    let elsewhere = "something else outside, such as methods of strings";
    table.row(found.unresolved.external, elsewhere, &CountedCalls::Elsewhere, items);
    unresolved(&found.unresolved, table, items);
}

/// The rows of calls that are not resolved.
fn unresolved(ledger: &Ledger, table: &Table, items: &mut Vec<PageItem>) {
    let rows = [
        (ledger.ambiguous, None),
        (ledger.unknown_receiver, Some(UnresolvedReason::UnknownReceiver)),
        (ledger.unknown_name, Some(UnresolvedReason::UnknownName)),
        (ledger.dynamic, Some(UnresolvedReason::Dynamic)),
        (ledger.too_complex, Some(UnresolvedReason::TooComplex)),
    ];
    let all: u32 = rows.iter().map(|(number, _)| number).sum();
    items.extend([PageItem::blank(), PageItem::heading("Not resolved", grouped(all as usize))]);
    for (number, reason) in rows {
        table.row(number, reason_in_words(reason), &CountedCalls::Unresolved(reason), items);
    }
}

/// What all rows of numbers share.
struct Table {
    width: u16,
    /// The number of which the shares are.
    total: u32,
    /// True if the numbers lead to what they count.
    has_rows: bool,
}

impl Table {
    /// Adds a number with its share and what it counts; nothing if the number is 0.
    fn row(&self, number: u32, what: &str, calls: &CountedCalls, items: &mut Vec<PageItem>) {
        if number > 0 {
            self.linked_row(number, what, calls, items);
        }
    }

    /// Adds a number, which may be 0.
    fn linked_row(&self, number: u32, what: &str, calls: &CountedCalls, items: &mut Vec<PageItem>) {
        let share = percent(number, self.total).map_or(String::new(), |share| format!("{share}%"));
        for (at, words) in card::wrapped(what, self.width.saturating_sub(COLUMNS)).enumerate() {
            let columns =
                if at == 0 { format!("{:>9}  {share:>4}  ", grouped(number as usize)) } else { " ".repeat(17) };
            let item = PageItem::new(ItemBody::Text(vec![(columns, TextRole::Text), (words, TextRole::Dim)]));
            let link = (at == 0 && self.has_rows).then(|| PageSubject::Ledger(LedgerPage::Counted(calls.clone())));
            items.push(PageItem { link, ..item });
        }
    }
}
