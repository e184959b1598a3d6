//! The page of the calls that are counted for no definition, by reason: the rows behind the numbers of the ledger.

use super::{CallRow, ItemBody, PageItem, SourcePlace};
use crate::tui::{
    model::{Catalog, Topic},
    widgets::grouped,
};
use apidisc::program::{CallId, Resolution, UnresolvedReason};

/// The greatest number of rows of a reason; the filter searches these rows.
const MAX_ROWS: usize = 500;

/// The sections, one for each reason. Reasons that may hide a call of this code come first, calls of something outside
/// last.
pub(super) fn items(catalog: &Catalog) -> Vec<PageItem> {
    let index = &catalog.index;
    let reasons = [
        None,
        Some(UnresolvedReason::UnknownReceiver),
        Some(UnresolvedReason::UnknownName),
        Some(UnresolvedReason::Dynamic),
        Some(UnresolvedReason::TooComplex),
        Some(UnresolvedReason::External),
    ];
    let mut found: [(usize, Vec<CallId>); 6] = Default::default();
    for (at, call) in index.calls.iter().enumerate() {
        let reason = match call.resolution {
            Resolution::Resolved(_) => continue,
            Resolution::Ambiguous(_) => None,
            Resolution::Unresolved(reason) => Some(reason),
        };
        let Some(section) = reasons.iter().position(|other| *other == reason) else { continue };
        let (number, rows) = &mut found[section];
        *number += 1;
        if rows.len() < MAX_ROWS {
            rows.push(CallId::new(at));
        }
    }
    let mut items = vec![PageItem::dim("`apidisc-tui calls --explain FILE:LINE` says why a call is not resolved")];
    for (reason, (number, calls)) in reasons.into_iter().zip(found) {
        if calls.is_empty() {
            continue;
        }
        items.extend([PageItem::blank(), PageItem::heading(in_words(reason), grouped(number))]);
        items.extend(calls.into_iter().map(|id| row(catalog, id)));
        let further = number.saturating_sub(MAX_ROWS);
        if further > 0 {
            items.push(PageItem::dim(format!("… {} more", grouped(further))));
        }
    }
    if items.len() == 1 {
        items.push(PageItem::dim("every call is resolved, or the index was read from a file"));
    }
    items
}

/// What is known of calls that are counted for no definition. `None` stands for several candidates.
pub(in crate::tui) fn in_words(reason: Option<UnresolvedReason>) -> &'static str {
    match reason {
        None => "may mean several definitions: counted for none",
        Some(UnresolvedReason::UnknownReceiver) => "a method of something whose type is not known",
        Some(UnresolvedReason::UnknownName) => "a name that leads nowhere known",
        Some(UnresolvedReason::Dynamic) => "computed while the program runs",
        Some(UnresolvedReason::TooComplex) => "of a type too complex to infer",
        Some(UnresolvedReason::External) => "call something outside: the standard library or a package",
    }
}

fn row(catalog: &Catalog, id: CallId) -> PageItem {
    let index = &catalog.index;
    let call = index.call(id);
    let caller = call.caller.map_or_else(String::new, |id| catalog.label(id, false));
    let place = format!("{}:{}", index.file(call.file).path, call.line);
    let row = CallRow { call: id, place, caller, callee: "…".to_owned(), passed: String::new() };
    let item = PageItem::new(ItemBody::Call(row)).shows(SourcePlace::Call(id));
    match call.caller {
        Some(caller) => item.link_to(Topic::Definition(caller)),
        None => item,
    }
}
