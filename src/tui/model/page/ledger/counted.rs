//! The pages of what a number of the ledger counts: definitions, packages, names, or calls.

use std::cmp::Reverse;

use super::{CallPlace, CountedCalls, CountedRows, LedgerPage, call_at, reason_in_words};
use crate::tui::{
    model::{
        Catalog, Topic, UsedPackages,
        page::{
            Across, CallRow, ItemBody, PageItem, PageNameRow, PageSubject, SourcePlace,
            words::{self, counted},
        },
    },
    widgets::grouped,
};
use apidisc::{
    dependencies::{UncountedCall, UncountedCalls, WhyAbsent, WhyUncounted},
    packages::{Dependency, DependencyState},
    program::{CallId, DefinitionId, FileId, Resolution, UnresolvedReason},
    source::Origin,
    usage::has_spread,
};

/// The greatest number of rows, which the filter searches.
const MAX_ROWS: usize = 1_000;

/// The rows of the page about what a number counts. This walks the whole index.
pub fn counted_rows(catalog: &Catalog, calls: &CountedCalls, used: Option<&UsedPackages>) -> CountedRows {
    let uncounted = used.map(|used| &used.uncounted);
    match calls {
        CountedCalls::Own => definitions(catalog),
        CountedCalls::Spread => {
            let found = found_calls(catalog, |at| {
                let (calls, call) = (&catalog.index.calls, &catalog.index.calls[at]);
                matches!(call.resolution, Resolution::Resolved(_)) && has_spread(calls.arguments(call))
            });
            sites(catalog, "pass arguments that are not seen", found)
        }
        CountedCalls::Packages(why) => packages(catalog, *why, used),
        CountedCalls::StandardLibrary => names(uncounted),
        CountedCalls::Named(name) => {
            let why = WhyUncounted::Outside(Some(WhyAbsent::StandardLibrary));
            let what = name.as_ref().map_or_else(|| "write a built-in name".to_owned(), |name| format!("write {name}"));
            let found = uncounted.map(|calls| {
                let found = calls.with(why).filter(|(_, call)| calls.name(call) == name.as_deref());
                located(catalog, found)
            });
            sites(catalog, &what, found.unwrap_or_default())
        }
        CountedCalls::Elsewhere => {
            let found = uncounted.map(|calls| located(catalog, calls.with(WhyUncounted::Outside(None))));
            let what = "lead to something outside of which no name is known, such as methods of strings and lists";
            sites(catalog, what, found.unwrap_or_default())
        }
        CountedCalls::Apart => files_apart(catalog),
        CountedCalls::Unresolved(reason) => {
            let found = match (uncounted, reason) {
                (Some(calls), None) => located(catalog, calls.with(WhyUncounted::Ambiguous)),
                (Some(calls), Some(reason)) if *reason != UnresolvedReason::External => {
                    located(catalog, calls.with(WhyUncounted::Unresolved(*reason)))
                }
                _ => found_calls(catalog, |at| match catalog.index.calls[at].resolution {
                    Resolution::Resolved(_) => false,
                    Resolution::Ambiguous(_) => reason.is_none(),
                    Resolution::Unresolved(other) => *reason == Some(other),
                }),
            };
            sites(catalog, reason_in_words(*reason), found)
        }
    }
}

/// The number of calls, and the first of them.
type Found = (usize, Vec<CallId>);

/// The calls of the index that a condition accepts: those of sources first, then by position.
fn found_calls(catalog: &Catalog, accepts: impl Fn(usize) -> bool) -> Found {
    let index = &catalog.index;
    let mut found: Vec<usize> = (0..index.calls.len()).filter(|at| accepts(*at)).collect();
    found.sort_by_key(|at| index.file(index.calls[*at].file).origin);
    (found.len(), found.into_iter().take(MAX_ROWS).map(CallId::new).collect())
}

/// The calls of the index that stand at these places: those of sources first, then by path.
fn located<'c>(catalog: &Catalog, found: impl Iterator<Item = (&'c str, &'c UncountedCall)>) -> Found {
    let index = &catalog.index;
    let origin = |path: &str| {
        let at = index.files.partition_point(|file| file.path.as_str() < path);
        index.files.get(at).map_or(Origin::Src, |file| file.origin)
    };
    let found: Vec<_> = found.collect();
    let mut groups: Vec<_> = found.chunk_by(|(a, _), (b, _)| a == b).map(|group| (origin(group[0].0), group)).collect();
    groups.sort_by_key(|(origin, _)| *origin);
    let first = groups.iter().flat_map(|(_, group)| *group).take(MAX_ROWS);
    (found.len(), first.filter_map(|(path, call)| call_at(catalog, path, (call.line, call.col))).collect())
}

/// The rows of calls. Each leads to the page that says how it is resolved.
fn sites(catalog: &Catalog, what: &str, (number, calls): Found) -> CountedRows {
    let head = format!("{}: {what}", words::calls(number as u32));
    if calls.is_empty() {
        return CountedRows::new(head, vec![PageItem::dim("the index does not say where they stand")]);
    }
    let shown = calls.len();
    let mut items: Vec<PageItem> = Vec::with_capacity(shown + 1);
    items.extend(calls.into_iter().map(|id| {
        let call = catalog.index.call(id);
        let caller = call.caller.map_or_else(String::new, |id| catalog.label(id, false));
        let place = format!("{}:{}", catalog.index.file(call.file).path, call.line);
        let row = CallRow { call: id, place, caller, callee: "…".to_owned(), passed: String::new() };
        let item = PageItem::new(ItemBody::Call(row)).shows(SourcePlace::Call(id));
        let link = PageSubject::Ledger(LedgerPage::Call(CallPlace::of(catalog, id)));
        PageItem { link: Some(link), ..item }
    }));
    items.extend(further(number.saturating_sub(shown)));
    CountedRows::new(head, items)
}

/// A row that says how many rows are left out.
fn further(number: usize) -> Option<PageItem> {
    (number > 0).then(|| PageItem::dim(format!("… {} more", grouped(number))))
}

/// The definitions of the code that are called, the most called first.
fn definitions(catalog: &Catalog) -> CountedRows {
    let index = &catalog.index;
    let called = index.definitions_with_ids().filter(|(_, definition)| definition.usage.total_calls > 0);
    let mut called: Vec<(u32, DefinitionId)> =
        called.map(|(id, definition)| (definition.usage.total_calls, id)).collect();
    called.sort_unstable_by_key(|&(calls, id)| (Reverse(calls), id));
    let head = format!("{} are called, private ones included", counted(called.len(), "definition", "definitions"));
    let rest = called.len().saturating_sub(MAX_ROWS);
    called.truncate(MAX_ROWS);
    let rows = called.into_iter().map(|(calls, id)| {
        let module = index.module(index.definition(id).module).fqn.to_string();
        PageItem::definition_with_uses(catalog, id, catalog.label(id, false), module, calls)
    });
    CountedRows::new(head, rows.chain(further(rest)).collect())
}

/// The files that the authors of the code did not write for its users, those with the most calls first.
fn files_apart(catalog: &Catalog) -> CountedRows {
    let index = &catalog.index;
    let calls_of = |file: FileId| index.calls_of_file(file).len() as u32;
    let mut files: Vec<(u32, FileId)> = index.files_apart().map(|file| (calls_of(file), file)).collect();
    files.sort_unstable_by_key(|&(calls, file)| (Reverse(calls), file));
    let head = format!("{}, with the calls in each", counted(files.len(), "file", "files"));
    let rest = files.len().saturating_sub(MAX_ROWS);
    files.truncate(MAX_ROWS);
    let rows = files.into_iter().map(|(uses, id)| {
        let file = index.file(id);
        let name = PageNameRow { kind: None, name: file.path.to_string(), uses, note: String::new() };
        PageItem::new(ItemBody::Name(name)).shows(SourcePlace::File(id)).link_to(Topic::Module(file.module))
    });
    CountedRows::new(head, rows.chain(further(rest)).collect())
}

/// The packages that can be read, or that cannot for a reason.
fn packages(catalog: &Catalog, why: WhyAbsent, used: Option<&UsedPackages>) -> CountedRows {
    let is_of = |package: &Dependency| match why {
        WhyAbsent::NotInstalled => package.state == DependencyState::NotInstalled,
        WhyAbsent::FilesMissing => package.state == DependencyState::Incomplete,
        WhyAbsent::Archived => package.state == DependencyState::Archived,
        WhyAbsent::Compiled => package.state == DependencyState::Compiled,
        WhyAbsent::NotGenerated => package.is_not_generated(),
        WhyAbsent::Package | WhyAbsent::StandardLibrary => package.state == DependencyState::Installed,
    };
    let Some(used) = used else { return CountedRows::new("the packages have not been read".to_owned(), Vec::new()) };
    let packages: Vec<&Dependency> = used.packages().iter().filter(|package| is_of(package)).collect();
    let head = format!("{}, with the calls of each", counted(packages.len(), "package", "packages"));
    let rows = packages.into_iter().map(|package| {
        let version = package.state.absence().or(package.version.as_deref()).unwrap_or_default();
        let files = counted(package.imported_by as usize, "file", "files");
        let note = format!("{version} · imported by {files}");
        let name = PageNameRow { kind: None, name: package.label().into_owned(), uses: package.calls, note };
        let item = PageItem::new(ItemBody::Name(name));
        let module = used.catalog.index.main_module(package).filter(|_| package.definitions > 0);
        match module {
            Some(module) if catalog.index.is_of_packages() => item.link_to(Topic::Module(module)),
            Some(module) => {
                let name = used.catalog.index.module(module).fqn.clone();
                PageItem { across: Some(Across::Package(name)), ..item }
            }
            None => item,
        }
    });
    CountedRows::new(head, rows.collect())
}

/// The names of the standard library that are called, the most called first.
fn names(uncounted: Option<&UncountedCalls>) -> CountedRows {
    let found = uncounted.map(UncountedCalls::names_of_standard_library).unwrap_or_default();
    let head = format!("{} of the standard library are called", counted(found.len(), "name", "names"));
    let rest = found.len().saturating_sub(MAX_ROWS);
    let rows = found.into_iter().take(MAX_ROWS).map(|(name, uses)| {
        let label = name.unwrap_or("built-in functions and types").to_owned();
        let item = PageItem::new(ItemBody::Name(PageNameRow { kind: None, name: label, uses, note: String::new() }));
        let calls = CountedCalls::Named(name.map(Into::into));
        PageItem { link: Some(PageSubject::Ledger(LedgerPage::Counted(calls))), ..item }
    });
    CountedRows::new(head, rows.chain(further(rest)).collect())
}
