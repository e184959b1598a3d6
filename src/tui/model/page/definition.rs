//! The page of a definition: its first call with its arguments, then its recipes, documentation, members, bases and
//! subclasses.

use std::cmp::Reverse;

use rustc_hash::FxHashSet;

use super::{
    CallQuery, ItemBody, PageItem, PageSubject, ShareRow, SourcePlace, TextRole, card, card::UsesOnClass, recipes,
    registered, related, typed, upgrade, words,
};
use crate::tui::{
    model::{CardText, Catalog, Topic, UpgradeMarks},
    widgets::grouped,
};
use apidisc::{
    documentation::Description,
    index::{CallEvidence, Definition, Index, use_counts_in_words},
    language::Language,
    program::{DefinitionId, DefinitionKind, ReadId, ResultShape},
    usage::MemberUsage,
};

/// The greatest number of recipes on the page.
const MAX_RECIPES: usize = 5;
/// The greatest number of reads on the page.
const MAX_READS: usize = 100;

pub(super) fn about(
    catalog: &Catalog,
    id: DefinitionId,
    evidence: &[CallEvidence],
    card: Option<(&CardText, bool)>,
    other: Option<&UpgradeMarks>,
    width: u16,
) -> Vec<PageItem> {
    let index = &catalog.index;
    let definition = index.definition(id);
    let mut items = head(catalog, id, definition, width);
    upgrade::section(catalog, other, id, width, &mut items);
    // Nobody calls an abstract class: its subclasses lead on.
    let is_base = definition.usage.total_calls == 0;
    if is_base {
        subclasses(catalog, id, &mut items);
    }
    if let Some((card, _)) = card {
        card::first_call(id, definition, evidence, &card.first_call, width, &mut items);
    }
    example(index, id, width, &mut items);
    card::arguments(definition, id, evidence, width, &mut items);
    results(definition, width, &mut items);
    taken_members(definition, &mut items);
    card::of_result(catalog, id, definition, &mut items);
    uses(catalog, id, evidence, &mut items);
    registered::sections(catalog, id, width, &mut items);
    overloads(definition, &mut items);
    related::of_definition(catalog, id, &mut items);
    recipes::most_common(catalog, id, MAX_RECIPES, evidence, width, &mut items);
    if let Some((card, is_whole)) = card {
        card::documentation(definition, card, is_whole, width, &mut items);
    }
    readers(catalog, definition, &mut items);
    members(catalog, id, &mut items);
    inherited(catalog, id, &mut items);
    if !is_base {
        subclasses(catalog, id, &mut items);
    }
    typed::sections(catalog, id, &mut items);
    items
}

/// The section of an example from the repository of a package.
fn example(index: &Index, id: DefinitionId, width: u16, items: &mut Vec<PageItem>) {
    let Some(example) = index.example(id) else { return };
    items.extend([PageItem::blank(), PageItem::heading("Example of the package", String::new())]);
    let line = |line| PageItem::new(ItemBody::Text(vec![(line, TextRole::Text)]));
    items.extend(card::wrapped(&example.call, width).map(line));
    items.extend(card::wrapped(&example.place, width).map(PageItem::dim));
}

fn head(catalog: &Catalog, id: DefinitionId, definition: &Definition, width: u16) -> Vec<PageItem> {
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
    let place = words::place(&catalog.index, definition);
    head.extend(place.as_ref().map(|place| (format!("  {place}"), TextRole::Dim)));
    let item = PageItem::new(ItemBody::Text(head)).link_to(match definition.parent {
        Some(parent) => Topic::Definition(parent),
        None => Topic::Module(definition.module),
    });
    let absent = catalog.index.absence_in_words(definition.place.file);
    let has_source = place.is_some() || absent.is_some();
    let mut items = vec![if has_source { item.shows(SourcePlace::Definition(id)) } else { item }];
    items.extend(absent.iter().flat_map(|absent| card::wrapped(absent, width)).map(PageItem::dim));
    if let Some(deprecation) = definition.deprecation() {
        let text = if deprecation.is_empty() { "deprecated".to_owned() } else { format!("deprecated: {deprecation}") };
        let line = |line| PageItem::new(ItemBody::Text(vec![(line, TextRole::Required)]));
        items.extend(card::wrapped(&text, width).map(line));
    }
    let summary = definition.summary.iter().flat_map(|summary| card::wrapped(summary, width));
    items.extend(summary.map(PageItem::dim));
    items
}

/// The section of the uses of a definition: their numbers and origins.
fn uses(catalog: &Catalog, id: DefinitionId, evidence: &[CallEvidence], items: &mut Vec<PageItem>) {
    let definition = catalog.index.definition(id);
    let usage = &definition.usage;
    let number = match (definition.kind.is_callable(), usage.total_calls, usage.total_reads) {
        (true, 0, _) => "not called".to_owned(),
        (true, calls, _) => words::calls(calls),
        (false, _, 0) => "not read".to_owned(),
        (false, _, reads) => words::reads(reads),
    };
    let others = use_counts_in_words(&catalog.index.other_use_counts(id));
    let is_counted = definition.kind.is_callable() || definition.kind.is_readable();
    if !is_counted && others.is_empty() {
        return;
    }
    let number = if is_counted { number } else { String::new() };
    items.extend([PageItem::blank(), PageItem::heading("Used", number)]);
    if !others.is_empty() {
        let row = PageItem::dim(others);
        items.push(PageItem { link: Some(PageSubject::Uses(id)), ..row });
    }
    let by_origin = words::origins(usage, &catalog.index.weights);
    if !by_origin.is_empty() {
        let row = PageItem::dim(by_origin);
        items.push(match evidence.first() {
            Some(call) => row.calls(CallQuery::all(id)).shows(SourcePlace::Call(call.call)),
            None => row,
        });
    }
    let unseen = words::unseen(usage);
    if !unseen.is_empty() {
        items.push(PageItem::dim(unseen));
    }
}

/// The section of overloads, most called first.
fn overloads(definition: &Definition, items: &mut Vec<PageItem>) {
    if definition.overloads.len() < 2 {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Overloads", grouped(definition.overloads.len()))]);
    let calls = |at: usize| definition.usage.overloads.get(at).map_or(0, |overload| overload.calls);
    let mut order: Vec<usize> = (0..definition.overloads.len()).collect();
    order.sort_by_key(|&at| (Reverse(calls(at)), at));
    for at in order {
        let signature = &definition.overloads[at];
        let declared = signature.parameters.iter().enumerate().filter(|(_, parameter)| parameter.object.is_none());
        let names: Vec<String> = declared.map(|(position, _)| signature.shown_label(position).to_string()).collect();
        items.push(PageItem::share(ShareRow {
            name: format!("({})", names.join(", ")),
            part: calls(at),
            whole: definition.usage.total_calls,
            note: signature.returns.as_ref().map_or_else(String::new, ToString::to_string),
            ..ShareRow::default()
        }));
    }
}

/// The sections of the returned values and of the raised errors, as the sources describe them.
fn results(definition: &Definition, width: u16, items: &mut Vec<PageItem>) {
    let signature = definition.signature.as_ref().filter(|_| definition.kind != DefinitionKind::Class);
    let returns = signature.and_then(|s| s.returns.as_ref().or(s.inferred_returns.as_ref()));
    let documentation = definition.documentation.as_ref();
    let text = documentation.and_then(|documentation| documentation.returns.as_ref());
    if returns.is_some() || text.is_some() {
        let note = returns.map_or_else(String::new, ToString::to_string);
        items.extend([PageItem::blank(), PageItem::heading("Returns", note)]);
        items.extend(text.into_iter().flat_map(|text| card::wrapped(text, width)).map(PageItem::dim));
    }
    let raises = documentation.map_or(&[][..], |documentation| &documentation.raises);
    if !raises.is_empty() {
        items.extend([PageItem::blank(), PageItem::heading("Raises", grouped(raises.len()))]);
        let row = |error: &Description| {
            let text = if error.text.is_empty() { String::new() } else { format!("  {}", error.text) };
            let words = vec![(error.name.to_string(), TextRole::Text), (text, TextRole::Dim)];
            PageItem::new(ItemBody::Text(words))
        };
        items.extend(raises.iter().map(row));
    }
}

/// The section of the members of the returned object, tuple or dict, those that most calls take first.
fn taken_members(definition: &Definition, items: &mut Vec<PageItem>) {
    let signature = definition.signature.as_ref().filter(|_| definition.kind != DefinitionKind::Class);
    let Some(object) = signature.and_then(|signature| signature.result.as_ref()) else { return };
    let name = |at: usize| {
        let member = &object.members[at];
        match (object.shape, definition.language) {
            (ResultShape::Object, Language::Python) => format!("[\"{}\"]", member.name),
            (ResultShape::Object, Language::TypeScript) => member.name.to_string(),
            (ResultShape::NamedTuple, _) => format!(".{}", member.name),
            (ResultShape::Tuple, _) => member.label().map_or_else(|| format!("[{at}]"), str::to_owned),
        }
    };
    let usage = |at: usize| definition.usage.taken.get(at).copied().unwrap_or_default();
    let mut order: Vec<usize> = (0..object.members.len()).collect();
    order.sort_by_key(|&at| (Reverse(usage(at).count), at));
    let open = if object.is_open { ", and others" } else { "" };
    let number = format!("{}{open}", grouped(order.len()));
    items.extend([PageItem::blank(), PageItem::heading("Taken of the result", number)]);
    for at in order {
        let MemberUsage { count, known } = usage(at);
        items.push(PageItem::share(ShareRow {
            name: name(at),
            part: count,
            whole: known,
            is_unseen: known == 0 && definition.usage.total_calls > 0,
            note: object.members[at].annotation.as_ref().map_or_else(String::new, ToString::to_string),
            ..ShareRow::default()
        }));
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

/// The section of inherited members, most used first, each with its base and with its uses on this class.
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
    let uses = UsesOnClass::new(index, id);
    rows.sort_by_key(|(member, _)| {
        let definition = index.definition(*member);
        (!definition.kind.is_callable(), Reverse(uses.of(*member)))
    });
    items.extend([PageItem::blank(), PageItem::heading("Inherited", grouped(rows.len()))]);
    for (member, base) in rows {
        let note = format!("from {}", catalog.label(base, false));
        let (name, uses) = (name(member).to_string(), uses.of(member));
        items.push(PageItem::definition_with_uses(catalog, member, name, note, uses));
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
    for &&id in reads.iter().take(MAX_READS) {
        let read = index.read(id);
        let file = index.file(read.file);
        let place = format!("{}:{}", file.path, read.line);
        let row = match read.reader {
            Some(reader) => {
                vec![(catalog.label(reader, false), TextRole::Text), (format!("  {place}"), TextRole::Dim)]
            }
            // A document is shown by its path, because readers do not know documents by module names.
            None if file.is_document() => vec![(place, TextRole::Text)],
            None => {
                let module = index.module(file.module).fqn.to_string();
                vec![(module, TextRole::Text), (format!("  {place}"), TextRole::Dim)]
            }
        };
        let item = PageItem::new(ItemBody::Text(row)).shows(SourcePlace::Read(id));
        items.push(match read.reader {
            Some(reader) => item.link_to(Topic::Definition(reader)),
            None => item,
        });
    }
    if reads.len() > MAX_READS {
        items.push(PageItem::dim(format!("… {}", words::counted(reads.len() - MAX_READS, "more", "more"))));
    }
}

/// The section of subclasses, most called first.
fn subclasses(catalog: &Catalog, id: DefinitionId, items: &mut Vec<PageItem>) {
    let mut classes = catalog.descendants(id).to_vec();
    if classes.is_empty() {
        return;
    }
    classes.sort_by_key(|id| Reverse(catalog.index.usage(*id).total_calls));
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
