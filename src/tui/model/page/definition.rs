//! The page of a definition: how it is called, its arguments, its recipes, members, bases and subclasses.

use rustc_hash::FxHashSet;

use super::{CallQuery, ItemBody, PageItem, ShareRow, SourcePlace, TextRole, recipes, words};
use crate::tui::{
    model::{Catalog, Quote, Topic, arguments::ranked},
    widgets::{grouped, share_text},
};
use apidisc::{
    documentation::Description,
    index::{CallEvidence, CallFilter, Definition},
    program::{DefinitionId, ReadId},
};

/// The greatest number of recipes on the page.
const MOST_RECIPES: usize = 5;
/// The greatest number of reads on the page.
const MOST_READS: usize = 100;
/// The greatest number of lines of the quoted call.
const MOST_QUOTED_LINES: usize = 16;

pub(super) fn about(
    catalog: &Catalog,
    id: DefinitionId,
    witnesses: &[CallEvidence],
    quote: Option<&Result<Quote, String>>,
    width: u16,
) -> Vec<PageItem> {
    let index = &catalog.index;
    let definition = index.definition(id);
    let mut items = head(catalog, id, definition, witnesses);
    typical(id, witnesses, quote, &mut items);
    arguments(definition, id, witnesses, &mut items);
    overloads(definition, &mut items);
    results(definition, &mut items);
    recipes::most_common(catalog, id, MOST_RECIPES, witnesses, width, &mut items);
    readers(catalog, definition, &mut items);
    members(catalog, id, &mut items);
    inherited(catalog, id, &mut items);
    subclasses(catalog, id, &mut items);
    items
}

fn head(catalog: &Catalog, id: DefinitionId, definition: &Definition, witnesses: &[CallEvidence]) -> Vec<PageItem> {
    let usage = &definition.usage;
    let mut head = vec![
        (definition.kind.word().to_owned(), TextRole::Kind(definition.kind)),
        (format!(" {}", catalog.label(id, false)), TextRole::Text),
    ];
    if let Some(annotation) = &definition.annotation {
        head.push((format!(": {annotation}"), TextRole::Dim));
    }
    if let Some(value) = &definition.value {
        head.push((" = ".to_owned(), TextRole::Dim));
        head.push((value.to_string(), TextRole::Value));
    }
    if !definition.bases.is_empty() {
        head.push((format!(" ({})", definition.bases.join(", ")), TextRole::Dim));
    }
    let mut items = vec![PageItem::new(ItemBody::Text(head))];
    items.extend(definition.summary.as_ref().map(|summary| PageItem::dim(summary.as_str())));
    if let Some(deprecation) = definition.deprecation() {
        let text = if deprecation.is_empty() { String::new() } else { format!(": {deprecation}") };
        let words = vec![("deprecated".to_owned(), TextRole::Required), (text, TextRole::Dim)];
        items.push(PageItem::new(ItemBody::Text(words)));
    }
    let place = words::place(&catalog.index, definition);
    items.extend(place.map(|place| PageItem::dim(place).shows(SourcePlace::Definition(id))));
    if definition.kind.is_callable() {
        let called = if usage.total_calls == 0 { "not called".to_owned() } else { words::calls(usage.total_calls) };
        let by_origin = words::origins(usage, &catalog.index.weights);
        let words = PageItem::dim(if by_origin.is_empty() { called } else { format!("{called}: {by_origin}") });
        items.push(match witnesses.first() {
            Some(witness) => words.calls(CallQuery::all(id)).shows(SourcePlace::Call(witness.call)),
            None => words,
        });
        let unseen = words::unseen(usage);
        if !unseen.is_empty() {
            items.push(PageItem::dim(unseen));
        }
    } else if definition.kind.is_readable() {
        let read = if usage.total_reads == 0 { "not read".to_owned() } else { words::reads(usage.total_reads) };
        let by_origin = words::origins(usage, &catalog.index.weights);
        items.push(PageItem::dim(if by_origin.is_empty() { read } else { format!("{read}: {by_origin}") }));
    }
    items
}

/// The quoted call: the shortest of the typical calls.
fn typical(
    id: DefinitionId,
    witnesses: &[CallEvidence],
    quote: Option<&Result<Quote, String>>,
    items: &mut Vec<PageItem>,
) {
    match quote {
        Some(Ok(quote)) => {
            let Some(witness) = witnesses.iter().find(|witness| witness.call == quote.call) else { return };
            let filter = CallFilter { exactly: Some((witness.passed.clone(), witness.open)), ..CallFilter::default() };
            let (part, whole) =
                (witnesses.iter().filter(|other| filter.matches(other)).count() as u32, witnesses.len() as u32);
            let part = share_text(part, whole).unwrap_or_default();
            let note = format!("{part} of {} pass just these", words::calls(whole));
            items.extend([PageItem::blank(), PageItem::heading("Typical call", note)]);
            let query = CallQuery { definition: id, filter };
            let further = quote.lines.len().saturating_sub(MOST_QUOTED_LINES);
            for (line, (text, runs)) in quote.lines.iter().take(MOST_QUOTED_LINES).enumerate() {
                let item = PageItem::new(ItemBody::Code(text.clone(), runs.clone()));
                // The first line can be selected, and represents the whole call.
                items.push(if line == 0 {
                    item.calls(query.clone()).shows(SourcePlace::Call(quote.call))
                } else {
                    item
                });
            }
            if further > 0 {
                items.push(PageItem::dim(format!("… {}", words::counted(further, "more line", "more lines"))));
            }
        }
        Some(Err(why)) => {
            items.extend([PageItem::blank(), PageItem::heading("Typical call", ""), PageItem::dim(why.as_str())]);
        }
        None => {}
    }
}

/// The section of overloads, most called first.
fn overloads(definition: &Definition, items: &mut Vec<PageItem>) {
    if definition.overloads.is_empty() {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Overloads", grouped(definition.overloads.len()))]);
    let calls = |at: usize| definition.usage.overloads.get(at).map_or(0, |overload| overload.calls);
    let mut order: Vec<usize> = (0..definition.overloads.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(calls(at)), at));
    for at in order {
        let signature = &definition.overloads[at];
        let declared = signature.parameters.iter().enumerate().filter(|(_, parameter)| parameter.object.is_none());
        let names: Vec<String> = declared.map(|(position, _)| signature.label(position).to_string()).collect();
        items.push(PageItem::share(ShareRow {
            name: format!("({})", names.join(", ")),
            part: calls(at),
            whole: definition.usage.total_calls,
            note: signature.returns.as_ref().map_or_else(String::new, ToString::to_string),
            ..ShareRow::default()
        }));
    }
}

/// The section of parameters, most passed first.
fn arguments(definition: &Definition, id: DefinitionId, witnesses: &[CallEvidence], items: &mut Vec<PageItem>) {
    let Some(signature) = definition.signature.as_ref().filter(|s| !s.parameters.is_empty()) else { return };
    let declared = grouped(signature.parameters.len());
    let note = if signature.is_incomplete { "not all known: these are passed here".to_owned() } else { declared };
    items.extend([PageItem::blank(), PageItem::heading("Arguments", note)]);
    let usage = &definition.usage;
    for position in ranked(definition) {
        let parameter = &signature.parameters[position];
        let (part, unknown) = usage.parameters.get(position).map_or((0, 0), |row| (row.count, row.unknown));
        let whole = usage.total_calls.saturating_sub(unknown);
        let share = ShareRow {
            name: signature.label(position).to_string(),
            role: if parameter.required { TextRole::Required } else { TextRole::Text },
            part,
            whole,
            is_unseen: whole == 0 && usage.total_calls > 0,
            note: described(definition, position),
        };
        let item = PageItem::share(share).link_to(Topic::Argument(id, position as u16));
        let shown = witnesses.iter().find(|witness| witness.passed.contains(position));
        items.push(match shown {
            Some(witness) => item.calls(CallQuery::passing(id, position)).shows(SourcePlace::Call(witness.call)),
            None => item.shows(SourcePlace::Definition(id)),
        });
    }
}

/// The type of a parameter and its documentation.
fn described(definition: &Definition, position: usize) -> String {
    let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
    let annotation = parameter.and_then(|parameter| parameter.annotation.as_deref()).unwrap_or_default();
    match definition.parameter_documentation(position) {
        Some(text) if annotation.is_empty() => text.to_owned(),
        Some(text) => format!("{annotation}  {text}"),
        None => annotation.to_owned(),
    }
}

/// The sections of what a call returns and raises, as the sources describe it.
fn results(definition: &Definition, items: &mut Vec<PageItem>) {
    let Some(documentation) = &definition.documentation else { return };
    if let Some(returns) = &documentation.returns {
        items.extend([PageItem::blank(), PageItem::heading("Returns", ""), PageItem::dim(returns.as_str())]);
    }
    if !documentation.raises.is_empty() {
        items.extend([PageItem::blank(), PageItem::heading("Raises", grouped(documentation.raises.len()))]);
        let row = |error: &Description| {
            let text = if error.text.is_empty() { String::new() } else { format!("  {}", error.text) };
            let words = vec![(error.name.to_string(), TextRole::Text), (text, TextRole::Dim)];
            PageItem::new(ItemBody::Text(words))
        };
        items.extend(documentation.raises.iter().map(row));
    }
}

/// The section of members, most used first.
fn members(catalog: &Catalog, id: DefinitionId, items: &mut Vec<PageItem>) {
    if !catalog.has_members(id, false) {
        return;
    }
    let members = catalog.members(id, false);
    items.extend([PageItem::blank(), PageItem::heading("Members", grouped(members.len()))]);
    for member in members {
        let definition = catalog.index.definition(member);
        let note = definition.summary.as_deref().unwrap_or_default();
        items.push(PageItem::definition(catalog, member, definition.name.to_string(), note));
    }
}

/// The section of inherited members, most used first, with the base of each.
fn inherited(catalog: &Catalog, id: DefinitionId, items: &mut Vec<PageItem>) {
    let index = &catalog.index;
    let name = |id: DefinitionId| index.definition(id).name.clone();
    let mut seen: FxHashSet<_> = index.members_of(id).map(name).collect();
    let mut rows: Vec<(DefinitionId, DefinitionId)> = Vec::new();
    for &base in &index.definition(id).ancestors {
        let found = catalog.members(base, false).into_iter().filter(|member| seen.insert(name(*member)));
        rows.extend(found.map(|member| (member, base)));
    }
    if rows.is_empty() {
        return;
    }
    rows.sort_by_key(|(member, _)| {
        let definition = index.definition(*member);
        (!definition.kind.is_callable(), std::cmp::Reverse(definition.usage.uses()))
    });
    items.extend([PageItem::blank(), PageItem::heading("Inherited", grouped(rows.len()))]);
    for (member, base) in rows {
        let note = format!("from {}", catalog.label(base, false));
        items.push(PageItem::definition(catalog, member, name(member).to_string(), note));
    }
}

/// The section of the functions and modules that read an attribute, each with its first read, by path and line.
fn readers(catalog: &Catalog, definition: &Definition, items: &mut Vec<PageItem>) {
    let index = &catalog.index;
    let mut seen = FxHashSet::default();
    let is_first = |id: &&ReadId| seen.insert((index.read(**id).file, index.read(**id).reader));
    let reads: Vec<&ReadId> = definition.usage.reads.iter().filter(is_first).collect();
    if reads.is_empty() {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Read in", grouped(reads.len()))]);
    for &&id in reads.iter().take(MOST_READS) {
        let read = index.read(id);
        let file = index.file(read.file);
        let reader = match read.reader {
            Some(reader) => catalog.label(reader, false),
            None => index.module(file.module).fqn.to_string(),
        };
        let row = vec![(reader, TextRole::Text), (format!("  {}:{}", file.path, read.line), TextRole::Dim)];
        let item = PageItem::new(ItemBody::Text(row)).shows(SourcePlace::Read(id));
        items.push(match read.reader {
            Some(reader) => item.link_to(Topic::Definition(reader)),
            None => item,
        });
    }
    if reads.len() > MOST_READS {
        items.push(PageItem::dim(format!("… {}", words::counted(reads.len() - MOST_READS, "more", "more"))));
    }
}

/// The section of subclasses, most called first.
fn subclasses(catalog: &Catalog, id: DefinitionId, items: &mut Vec<PageItem>) {
    let mut classes = catalog.descendants(id).to_vec();
    if classes.is_empty() {
        return;
    }
    classes.sort_by_key(|id| std::cmp::Reverse(catalog.index.usage(*id).total_calls));
    items.extend([PageItem::blank(), PageItem::heading("Subclasses", grouped(classes.len()))]);
    for class in classes {
        let nearest = catalog.index.definition(class).ancestors.first().copied();
        let note = match nearest.filter(|nearest| *nearest != id) {
            Some(nearest) => format!("through {}", catalog.label(nearest, false)),
            None => String::new(),
        };
        items.push(PageItem::definition(catalog, class, catalog.label(class, false), note));
    }
}
