//! The real calls behind a number: most typical first, newest first or by path.

use std::{cmp::Reverse, fmt::Write as _};

use compact_str::CompactString;

use super::{Behind, Body, Call, Dates, Ink, Item, Order, Shows, words};
use crate::tui::{
    model::{Catalog, Topic},
    widgets::date,
};
use apidisc::{
    index::{CallEvidence, CallFilter, Definition, Index},
    program::{Argument, ArgumentKind, BoundParameter, CallId, DefinitionId},
    usage::percent,
};

pub(super) fn items(catalog: &Catalog, behind: &Behind, order: Order, dates: Option<&Dates>) -> Vec<Item> {
    let index = &catalog.index;
    let id = behind.definition;
    let definition = index.definition(id);
    let mut witnesses = chosen(index, behind);
    let common = words::common(definition, &behind.which);
    let number = words::calls(witnesses.len() as u32);
    let common = if common.is_empty() { String::new() } else { format!(" {common}") };
    let order_words = match order {
        Order::Typical => "",
        Order::Newest => ", the newest first",
        Order::Path => ", by path",
    };
    let head = vec![(number, Ink::Text), (format!("{common}{order_words}"), Ink::Dim)];
    let mut items = vec![Item::new(Body::Text(head)).to(Topic::Definition(id)).shows(Shows::Definition(id))];
    if witnesses.is_empty() {
        items.extend([Item::blank(), Item::dim(none(definition))]);
        return items;
    }
    match order {
        Order::Typical => {
            index.sort_by_typicality(id, &mut witnesses);
            by_recipe(index, definition, behind, &witnesses, &mut items);
        }
        Order::Newest if let Some(dates) = dates => newest(index, definition, &mut witnesses, dates, &mut items),
        Order::Newest => {
            items.push(Item::dim("looking up when files were changed last…"));
            by_path(index, definition, &witnesses, &mut items);
        }
        Order::Path => by_path(index, definition, &witnesses, &mut items),
    }
    items
}

fn chosen(index: &Index, behind: &Behind) -> Vec<CallEvidence> {
    let mut witnesses = index.call_evidence(behind.definition);
    witnesses.retain(|witness| behind.which.matches(witness));
    witnesses
}

/// The files that the calls stand in.
pub(in crate::tui) fn paths(index: &Index, behind: &Behind) -> Vec<CompactString> {
    let mut files: Vec<_> = chosen(index, behind).iter().map(|witness| index.call(witness.call).file).collect();
    files.dedup();
    files.into_iter().map(|file| index.file(file).path.clone()).collect()
}

/// Why there are none.
fn none(definition: &Definition) -> &'static str {
    if definition.usage.total_calls > 0 && definition.usage.calls.is_empty() {
        "the index was read from a file, which does not say where calls stand"
    } else if definition.usage.total_calls == 0 {
        "no call of it was found"
    } else {
        "there are none"
    }
}

/// Calls that pass the same stand together.
fn by_recipe(
    index: &Index,
    definition: &Definition,
    behind: &Behind,
    witnesses: &[CallEvidence],
    items: &mut Vec<Item>,
) {
    let same = |a: &CallEvidence, b: &CallEvidence| a.passed == b.passed && a.open == b.open;
    for group in witnesses.chunk_by(same) {
        if behind.which.exactly.is_some() {
            items.push(Item::blank());
        } else {
            let names = words::names(definition, &group[0].passed);
            let names = if names.is_empty() { "no arguments".to_owned() } else { names.join(", ") };
            let open = if group[0].open { " + unseen" } else { "" };
            let share = percent(group.len() as u32, witnesses.len() as u32).unwrap_or_default();
            let note = format!("{}, {share}%", words::calls(group.len() as u32));
            items.extend([Item::blank(), Item::heading(format!("{names}{open}"), note)]);
        }
        items.extend(group.iter().map(|witness| row(index, definition, witness.call)));
    }
}

fn by_path(index: &Index, definition: &Definition, witnesses: &[CallEvidence], items: &mut Vec<Item>) {
    let file = |witness: &CallEvidence| index.call(witness.call).file;
    for group in witnesses.chunk_by(|a, b| file(a) == file(b)) {
        let path = index.file(file(&group[0])).path.to_string();
        items.extend([Item::blank(), Item::heading(path, words::calls(group.len() as u32))]);
        items.extend(group.iter().map(|witness| row(index, definition, witness.call)));
    }
}

/// By the day on which their files were changed last; those of which that is not known at the end.
fn newest(
    index: &Index,
    definition: &Definition,
    witnesses: &mut [CallEvidence],
    dates: &Dates,
    items: &mut Vec<Item>,
) {
    let changed = |witness: &CallEvidence| dates.get(&index.file(index.call(witness.call).file).path).copied();
    witnesses.sort_by_key(|witness| (Reverse(changed(witness)), witness.call));
    let day = |witness: &CallEvidence| changed(witness).map(date);
    for group in witnesses.chunk_by(|a, b| day(a) == day(b)) {
        let day = day(&group[0]).unwrap_or_else(|| "age not known".to_owned());
        items.extend([Item::blank(), Item::heading(day, words::calls(group.len() as u32))]);
        items.extend(group.iter().map(|witness| row(index, definition, witness.call)));
    }
}

/// The row of a call site of a definition.
pub(in crate::tui) fn row(index: &Index, definition: &Definition, id: CallId) -> Item {
    let call = index.call(id);
    let place = format!("{}:{}", index.file(call.file).path, call.line);
    let caller = call.caller.map_or("", |id| index.definition(id).name.as_str());
    let passed = arguments(definition, index.calls.arguments(call));
    let row = Call { call: id, place, caller: caller.to_owned(), callee: String::new(), passed };
    Item::new(Body::Call(row)).shows(Shows::Call(id))
}

/// What a call passes, as far as it is short: `name='a', tools=…, **…`.
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
            // A name that the definition does not have is not kept.
            ArgumentKind::Keyword if name.is_empty() => write!(text, "…={value}"),
            ArgumentKind::Keyword => write!(text, "{name}={value}"),
            ArgumentKind::Star => write!(text, "*{value}"),
            ArgumentKind::DoubleStar => write!(text, "**{value}"),
        };
    }
    text.push(')');
    text
}

fn value(argument: &Argument) -> &str {
    argument.value.as_deref().unwrap_or("…")
}

/// The calls that pass what most calls pass: what a quote is chosen from.
pub(in crate::tui) fn of_commonest_set(catalog: &Catalog, id: DefinitionId) -> Vec<CallId> {
    let set = catalog.index.usage(id).argument_sets.first();
    let which = CallFilter { exactly: set.map(|set| (set.parameters.clone(), set.open)), ..CallFilter::default() };
    let witnesses = catalog.index.call_evidence(id);
    witnesses.iter().filter(|witness| which.matches(witness)).map(|witness| witness.call).collect()
}
