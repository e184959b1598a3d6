//! The page of call sites, sorted by the frequency of their argument set, by the last change of their file, or by path.

use std::{cmp::Reverse, fmt::Write as _};

use compact_str::CompactString;

use super::{CallOrder, CallQuery, CallRow, Dates, ItemBody, PageItem, SourcePlace, TextRole, words};
use crate::tui::{
    model::{Catalog, Topic},
    widgets::{date, share_text},
};
use apidisc::{
    index::{CallEvidence, Definition, Index},
    program::{Argument, ArgumentKind, BoundParameter, CallId, ParameterSet},
};

pub(super) fn items(catalog: &Catalog, query: &CallQuery, order: CallOrder, dates: Option<&Dates>) -> Vec<PageItem> {
    let index = &catalog.index;
    let id = query.definition;
    let definition = index.definition(id);
    let mut evidence = matching_calls(index, query);
    let common = words::shared_property(definition, &query.filter);
    let number = words::calls(evidence.len() as u32);
    let common = if common.is_empty() { String::new() } else { format!(" {common}") };
    let order_words = match order {
        CallOrder::Typical => "",
        CallOrder::Newest => ", the newest first",
        CallOrder::Path => ", by path",
    };
    let head = vec![(number, TextRole::Text), (format!("{common}{order_words}"), TextRole::Dim)];
    let mut items =
        vec![PageItem::new(ItemBody::Text(head)).link_to(Topic::Definition(id)).shows(SourcePlace::Definition(id))];
    if evidence.is_empty() {
        items.extend([PageItem::blank(), PageItem::dim(reason_for_none(definition))]);
        return items;
    }
    match order {
        CallOrder::Typical => {
            index.sort_by_typicality(id, &mut evidence);
            by_recipe(index, definition, query, &evidence, &mut items);
        }
        CallOrder::Newest if let Some(dates) = dates => newest(index, definition, &mut evidence, dates, &mut items),
        CallOrder::Newest => {
            items.push(PageItem::dim("looking up when files were changed last…"));
            by_path(index, definition, &evidence, &mut items);
        }
        CallOrder::Path => by_path(index, definition, &evidence, &mut items),
    }
    items
}

fn matching_calls(index: &Index, query: &CallQuery) -> Vec<CallEvidence> {
    let mut evidence = index.call_evidence(query.definition);
    evidence.retain(|call| query.filter.matches(call));
    evidence
}

/// The paths of the files that hold the calls.
pub(in crate::tui) fn paths(index: &Index, query: &CallQuery) -> Vec<CompactString> {
    let mut files: Vec<_> = matching_calls(index, query).iter().map(|call| index.call(call.call).file).collect();
    files.dedup();
    files.into_iter().map(|file| index.file(file).path.clone()).collect()
}

/// The reason why there are no calls to list.
fn reason_for_none(definition: &Definition) -> &'static str {
    if definition.usage.total_calls > 0 && definition.usage.calls.is_empty() {
        "the index was read from a file, which does not say where calls stand"
    } else if definition.usage.total_calls == 0 {
        "no call of it was found"
    } else {
        "there are none"
    }
}

/// The parameters that all of several groups pass, if headings are shorter without them.
fn shared_parameters<'g>(mut groups: impl Iterator<Item = &'g [CallEvidence]>) -> ParameterSet {
    let Some(first) = groups.next() else { return ParameterSet::new() };
    let (mut shared, mut count) = (first[0].passed.clone(), 1);
    for group in groups {
        shared = shared.difference(&shared.difference(&group[0].passed));
        count += 1;
    }
    if count > 1 && shared.len() > 1 { shared } else { ParameterSet::new() }
}

/// Groups the calls by argument set. The headings do not repeat what all calls pass.
fn by_recipe(
    index: &Index,
    definition: &Definition,
    query: &CallQuery,
    evidence: &[CallEvidence],
    items: &mut Vec<PageItem>,
) {
    let same = |a: &CallEvidence, b: &CallEvidence| a.passed == b.passed && a.open == b.open;
    let shared = shared_parameters(evidence.chunk_by(same));
    if !shared.is_empty() {
        let names = words::names(definition, &shared).join(", ");
        items.push(PageItem::dim(format!("all pass {names}; the headings name what else is passed")));
    }
    for group in evidence.chunk_by(same) {
        if query.filter.exactly.is_some() {
            items.push(PageItem::blank());
        } else {
            let names = words::names(definition, &group[0].passed.difference(&shared));
            let nothing = if shared.is_empty() { "no arguments" } else { "nothing else" };
            let names = if names.is_empty() { nothing.to_owned() } else { names.join(", ") };
            let open = if group[0].open { " + unseen" } else { "" };
            let share = share_text(group.len() as u32, evidence.len() as u32).unwrap_or_default();
            let note = format!("{}, {share}", words::calls(group.len() as u32));
            items.extend([PageItem::blank(), PageItem::heading(format!("{names}{open}"), note)]);
        }
        items.extend(group.iter().map(|call| row(index, definition, call.call)));
    }
}

fn by_path(index: &Index, definition: &Definition, evidence: &[CallEvidence], items: &mut Vec<PageItem>) {
    let file = |call: &CallEvidence| index.call(call.call).file;
    for group in evidence.chunk_by(|a, b| file(a) == file(b)) {
        let path = index.file(file(&group[0])).path.to_string();
        items.extend([PageItem::blank(), PageItem::heading(path, words::calls(group.len() as u32))]);
        items.extend(group.iter().map(|call| row(index, definition, call.call)));
    }
}

/// Groups the calls by the day on which their files last changed; unknown days come last.
fn newest(
    index: &Index,
    definition: &Definition,
    evidence: &mut [CallEvidence],
    dates: &Dates,
    items: &mut Vec<PageItem>,
) {
    let changed = |call: &CallEvidence| dates.get(&index.file(index.call(call.call).file).path).copied();
    evidence.sort_by_key(|call| (Reverse(changed(call)), call.call));
    let day = |call: &CallEvidence| changed(call).map(date);
    for group in evidence.chunk_by(|a, b| day(a) == day(b)) {
        let day = day(&group[0]).unwrap_or_else(|| "age not known".to_owned());
        items.extend([PageItem::blank(), PageItem::heading(day, words::calls(group.len() as u32))]);
        items.extend(group.iter().map(|call| row(index, definition, call.call)));
    }
}

/// The row of a call site.
pub(in crate::tui) fn row(index: &Index, definition: &Definition, id: CallId) -> PageItem {
    let call = index.call(id);
    let place = format!("{}:{}", index.file(call.file).path, call.line);
    let caller = call.caller.map_or("", |id| index.definition(id).name.as_str());
    let passed = arguments(definition, index.calls.arguments(call));
    let row = CallRow { call: id, place, caller: caller.to_owned(), callee: String::new(), passed };
    PageItem::new(ItemBody::Call(row)).shows(SourcePlace::Call(id))
}

/// The arguments of a call, as in `(name='a', tools=…, **…)`. Only short literals are written out.
fn arguments(definition: &Definition, arguments: &[Argument]) -> String {
    let parameters = definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
    let mut text = String::from("(");
    for (at, argument) in arguments.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        let name = match &argument.bound {
            BoundParameter::Parameter(at) => parameters.get(usize::from(*at)).map_or("", |p| p.name.as_str()),
            BoundParameter::Named(name) | BoundParameter::Receiver(name) => name.as_str(),
            BoundParameter::Unknown => "",
        };
        let value = value(argument);
        let _ = match argument.kind {
            ArgumentKind::Positional => write!(text, "{value}"),
            // The index does not keep the name of a keyword that the definition lacks.
            ArgumentKind::Keyword if name.is_empty() => write!(text, "…={value}"),
            ArgumentKind::Keyword => write!(text, "{name}={value}"),
            ArgumentKind::Star => write!(text, "*{value}"),
            ArgumentKind::DoubleStar => write!(text, "**{value}"),
            ArgumentKind::Decorated => write!(text, "@{name}"),
        };
    }
    text.push(')');
    text
}

fn value(argument: &Argument) -> &str {
    argument.value.as_deref().unwrap_or("…")
}
