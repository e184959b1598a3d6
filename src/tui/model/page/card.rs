//! The first-call card of a definition: code to copy, the arguments with their documentation and values, and the
//! members that people use of the result.

use super::{CallQuery, ItemBody, PageItem, ShareRow, SourcePlace, TextRole, words};
use crate::tui::{
    geometry,
    model::{CardText, Catalog, FirstCall, Topic, arguments::ranked},
    theme::{SyntaxRun, SyntaxRuns},
    widgets::{grouped, sanitized, share_text, width as text_width, wrap},
};
use apidisc::{
    index::{CallEvidence, CallFilter, Definition, Index},
    program::{DefinitionId, DefinitionKind, Signature},
    stub::exported_by,
    usage::{ArgumentSet, ParameterUsage},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest number of lines of the first call.
const MAX_CODE_LINES: usize = 24;
/// The columns by which the rest of a broken line of code is indented further.
const CONTINUATION_INDENT: usize = 4;
/// Code is never broken into pieces shorter than this, in cells.
const MIN_CODE_WIDTH: usize = 16;
/// The greatest number of values of an argument.
const MAX_VALUES: usize = 4;
/// The greatest number of lines of a type; the page of the argument shows all of it.
const MAX_TYPE_LINES: usize = 2;
/// The greatest number of words of a return type that are looked up.
const MAX_TYPE_WORDS: usize = 16;
/// The greatest number of members of the result.
const MAX_OF_RESULT: usize = 8;
/// The greatest number of lines of the documentation before it is unfolded.
const FIRST_LINES: usize = 12;

/// The section of the first call: its code, and the names that the reader supplies.
pub(super) fn first_call(
    id: DefinitionId,
    definition: &Definition,
    evidence: &[CallEvidence],
    first: &FirstCall,
    width: u16,
    items: &mut Vec<PageItem>,
) {
    if first.lines.is_empty() {
        return;
    }
    let call = evidence.iter().find(|call| Some(call.call) == first.call);
    let filter =
        call.map(|call| CallFilter { exactly: Some((call.passed.clone(), call.open)), ..CallFilter::default() });
    let note = match &filter {
        Some(filter) => {
            // The counts of the usage have the weights of origins, as all numbers of the page.
            let usage = &definition.usage;
            let is_same = |set: &&ArgumentSet| filter.exactly == Some((set.parameters.clone(), set.open));
            let part = usage.argument_sets.iter().find(is_same).map_or(0, |set| set.calls);
            let share = share_text(part, usage.total_calls).unwrap_or_default();
            format!("{share} of {} pass just these", words::calls(usage.total_calls))
        }
        None if !first.is_made => "quoted when it was indexed".to_owned(),
        None if definition.kind.is_callable() => "made from its signature".to_owned(),
        None => String::new(),
    };
    let heading = if definition.kind.is_callable() { "First call" } else { "First use" };
    items.extend([PageItem::blank(), PageItem::heading(heading, note)]);
    for (line, (text, runs)) in first.lines.iter().take(MAX_CODE_LINES).enumerate() {
        // The first line of the call can be selected, and represents the whole call.
        let query = filter.as_ref().map(|filter| CallQuery { definition: id, filter: filter.clone() });
        let mut query = query.zip(first.call).filter(|_| line == first.imports);
        for (text, runs) in code_rows(text, runs, usize::from(width.saturating_sub(5))) {
            let item = PageItem::new(ItemBody::Code(text, runs));
            items.push(match query.take() {
                Some((query, call)) => item.calls(query).shows(SourcePlace::Call(call)),
                None => item,
            });
        }
    }
    let further = first.lines.len().saturating_sub(MAX_CODE_LINES);
    if further > 0 {
        items.push(PageItem::dim(format!("… {}", words::counted(further, "more line", "more lines"))));
    }
    items.extend(missing_names(&first.missing, width));
    items.extend(first.problem.as_deref().map(PageItem::dim));
}

/// The row of the names that the code uses but does not define; no row if it defines every name.
pub(super) fn missing_names(missing: &[String], width: u16) -> Vec<PageItem> {
    if missing.is_empty() {
        return Vec::new();
    }
    wrapped(&format!("you provide: {}", missing.join(", ")), width).map(PageItem::dim).collect()
}

/// A line of code on rows of `room` cells, each with its syntax runs. Long lines are broken behind a space, and go on
/// with deeper indentation.
pub(super) fn code_rows(text: &str, runs: &SyntaxRuns, room: usize) -> Vec<(String, SyntaxRuns)> {
    let indent = text.len() - text.trim_start().len();
    let mut rows = Vec::new();
    let mut start = 0;
    loop {
        let margin = if start == 0 { 0 } else { indent + CONTINUATION_INDENT };
        let rest = &text[start..];
        let room = room.saturating_sub(margin).max(MIN_CODE_WIDTH);
        let fits = |end: &usize| text_width(rest[..*end].trim_end()) <= room;
        let breaks = rest.match_indices(' ').map(|(at, _)| at + 1).filter(|at| start + at > indent);
        let last = if fits(&rest.len()) { None } else { breaks.take_while(fits).last() };
        let end = last.map_or(text.len(), |at| start + at);
        let of_row = runs.iter().filter(|run| run.end > start).scan(false, |is_done, run| {
            let is_last = run.end >= end;
            let piece = SyntaxRun { end: run.end.min(end) - start + margin, ..*run };
            (!std::mem::replace(is_done, is_last)).then_some(piece)
        });
        rows.push((format!("{}{}", " ".repeat(margin), &text[start..end]), of_row.collect()));
        if end == text.len() {
            return rows;
        }
        start = end;
    }
}

/// The lines of a text in a row that is `width` cells wide.
pub(super) fn wrapped(text: &str, width: u16) -> impl Iterator<Item = String> {
    wrap(&sanitized(text), usize::from(width.saturating_sub(2)).max(20)).into_iter()
}

/// The section of parameters, most passed first. Each parameter has its type and default, its description in the
/// sources, and the literals that calls pass.
pub(super) fn arguments(
    definition: &Definition,
    id: DefinitionId,
    evidence: &[CallEvidence],
    width: u16,
    items: &mut Vec<PageItem>,
) {
    let Some(signature) = definition.signature.as_ref().filter(|s| !s.parameters.is_empty()) else { return };
    let declared = grouped(signature.parameters.len());
    let note = if signature.is_incomplete { "not all known: these are passed here".to_owned() } else { declared };
    items.extend([PageItem::blank(), PageItem::heading("Arguments", note)]);
    let usage = &definition.usage;
    let label = |position| signature.shown_label(position).to_string();
    let widest = (0..signature.parameters.len()).map(|position| text_width(&label(position))).max().unwrap_or(0);
    let room = geometry::share_note(width, geometry::names(widest as u16, width));
    for position in ranked(definition) {
        let parameter = &signature.parameters[position];
        let (part, whole) = usage.passed_and_known(position);
        let declaration = declared_as(signature, position);
        let fits = text_width(&declaration) <= usize::from(room);
        let share = ShareRow {
            name: label(position),
            role: if parameter.required { TextRole::Required } else { TextRole::Text },
            part,
            whole,
            is_unseen: whole == 0 && usage.total_calls > 0,
            note: if fits { declaration.clone() } else { String::new() },
        };
        let item = PageItem::share(share).link_to(Topic::Argument(id, position as u16));
        let shown = evidence.iter().find(|call| call.passed.contains(position));
        items.push(match shown {
            Some(call) => item.calls(CallQuery::passing(id, position)).shows(SourcePlace::Call(call.call)),
            None => item.shows(SourcePlace::Definition(id)),
        });
        let mut detail = |text: &str, role, most| {
            let mut lines: Vec<String> = wrapped(text, width.saturating_sub(geometry::DETAIL)).collect();
            if lines.len() > most {
                lines.truncate(most);
                lines.iter_mut().skip(most - 1).for_each(|last| last.push_str(" …"));
            }
            items.extend(lines.into_iter().map(|line| PageItem::new(ItemBody::Detail(vec![(line, role)]))));
        };
        if !fits {
            detail(&declaration, TextRole::Dim, MAX_TYPE_LINES);
        }
        // An optional argument that no call passes has no detail lines here: its own page shows them.
        if part > 0 || parameter.required || usage.total_calls == 0 {
            if let Some(text) = definition.parameter_documentation(position) {
                detail(text, TextRole::Text, usize::MAX);
            }
            if let Some(values) = usage.parameters.get(position).and_then(values) {
                detail(&values, TextRole::Value, 2);
            }
        }
    }
}

/// The type and the default of a parameter: `float | None = 5.0`.
fn declared_as(signature: &Signature, position: usize) -> String {
    let parameter = &signature.parameters[position];
    let annotation = parameter.annotation.as_deref().unwrap_or_default();
    match &parameter.default {
        Some(default) if annotation.is_empty() => format!("= {default}"),
        Some(default) => format!("{annotation} = {default}"),
        None => annotation.to_owned(),
    }
}

/// The literals that are passed most: `"GET" 12×, "POST" 3×`.
fn values(row: &ParameterUsage) -> Option<String> {
    let value = |(text, calls): &(compact_str::CompactString, u32)| format!("{text} {}×", grouped(*calls as usize));
    let values: Vec<String> = row.values.iter().take(MAX_VALUES).map(value).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// The section of the members that people use of the returned value, or of the instance of a class.
pub(super) fn of_result(catalog: &Catalog, id: DefinitionId, definition: &Definition, items: &mut Vec<PageItem>) {
    let index = &catalog.index;
    let Some(result) = result_of(index, id, definition) else { return };
    let classes = std::iter::once(result).chain(index.definition(result).ancestors.iter().copied());
    let mut seen = FxHashSet::default();
    let uses = UsesOnClass::new(index, result);
    let mut members: Vec<DefinitionId> = classes
        .flat_map(|class| catalog.members(class, false))
        .filter(|member| seen.insert(index.definition(*member).name.clone()))
        .filter(|member| uses.of(*member) > 0)
        .collect();
    if members.is_empty() {
        return;
    }
    members.sort_by_key(|member| (std::cmp::Reverse(uses.of(*member)), *member));
    let note = format!("{}: reads and calls of it", catalog.label(result, false));
    items.extend([PageItem::blank(), PageItem::heading("From the result", note)]);
    for &member in members.iter().take(MAX_OF_RESULT) {
        let definition = index.definition(member);
        let note = match (&definition.annotation, &definition.signature) {
            (Some(annotation), _) => annotation.to_string(),
            (None, Some(signature)) => signature.returns.as_ref().map_or_else(String::new, |ty| format!("→ {ty}")),
            (None, None) => String::new(),
        };
        let call = if definition.kind.is_callable() { "()" } else { "" };
        let name = format!(".{}{call}", definition.name);
        items.push(PageItem::definition_with_uses(catalog, member, name, note, uses.of(member)));
    }
    let further = members.len().saturating_sub(MAX_OF_RESULT);
    if further > 0 {
        let mut item = PageItem::dim(format!("… {}", words::counted(further, "more", "more")));
        item.link = Some(super::PageSubject::About(Topic::Definition(result)));
        items.push(item);
    }
}

/// The uses of members on one class: the uses of its own members, and the uses of inherited members on this class.
pub(super) struct UsesOnClass<'i> {
    index: &'i Index,
    inherited: FxHashMap<DefinitionId, u32>,
}

impl<'i> UsesOnClass<'i> {
    pub(super) fn new(index: &'i Index, class: DefinitionId) -> Self {
        let inherited = index.used_members_of_public_bases(class).into_iter();
        Self { index, inherited: inherited.map(|(member, usage)| (member, usage.uses())).collect() }
    }

    pub(super) fn of(&self, member: DefinitionId) -> u32 {
        self.inherited.get(&member).copied().unwrap_or_else(|| self.index.usage(member).uses())
    }
}

/// The class of the value that a call of the definition returns: the first one in its return type that the sources
/// define.
fn result_of(index: &Index, id: DefinitionId, definition: &Definition) -> Option<DefinitionId> {
    if definition.kind == DefinitionKind::Class {
        return Some(id);
    }
    let signature = definition.signature.as_ref()?;
    let returns = signature.returns.as_ref().or(signature.inferred_returns.as_ref())?;
    let words = returns.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').filter(|word| !word.is_empty());
    words.take(MAX_TYPE_WORDS).find_map(|word| type_named(index, definition, word))
}

/// The class or type that a name in the annotations of a definition means, if the sources define it.
fn type_named(index: &Index, definition: &Definition, name: &str) -> Option<DefinitionId> {
    if matches!(name, "Self" | "this") {
        return definition.parent;
    }
    let has_members = |id: &DefinitionId| {
        matches!(
            index.definition(*id).kind,
            DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::TypeAlias
        )
    };
    let named = definition.type_names.iter().find(|(other, _)| other == name).map(|(_, of)| *of);
    let of_module = || exported_by(index, &index.module(definition.module).fqn, name);
    let found = named.unwrap_or_else(of_module).filter(has_members);
    // A name that a module imports for its own use is not exported. Then the public class is accepted if no other class
    // has the name.
    let is_meant = |(_, other): &(DefinitionId, &Definition)| {
        other.name == name && other.is_public && other.parent.is_none() && other.language == definition.language
    };
    found.or_else(|| {
        let mut classes = index.definitions_with_ids().filter(is_meant).map(|(id, _)| id).filter(has_members);
        classes.next().filter(|_| classes.next().is_none())
    })
}

/// The section of the documentation, word for word. Long documentation is folded.
pub(super) fn documentation(
    definition: &Definition,
    card: &CardText,
    is_whole: bool,
    width: u16,
    items: &mut Vec<PageItem>,
) {
    let lines = &card.documentation;
    // A single paragraph stands at the top of the page.
    let is_summary = lines.iter().all(|line| !line.is_empty());
    if lines.is_empty() || is_summary && definition.summary.is_some() {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Documentation", "")]);
    let shown = if is_whole { lines.len() } else { FIRST_LINES.min(lines.len()) };
    for line in &lines[..shown] {
        let text = sanitized(line);
        let indent = text.len() - text.trim_start().len();
        let margin = " ".repeat(indent.min(16));
        let room = width.saturating_sub(margin.len() as u16);
        items.extend(wrapped(text.trim_start(), room).map(|line| PageItem::dim(format!("{margin}{line}"))));
    }
    if lines.len() > FIRST_LINES {
        let further = lines.len() - FIRST_LINES;
        let words = if is_whole {
            "… show the beginning alone".to_owned()
        } else {
            format!("… {}", words::counted(further, "more line", "more lines"))
        };
        let mut item = PageItem::dim(words);
        item.unfolds = true;
        items.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::SyntaxRole;

    #[test]
    fn long_code_is_broken_and_keeps_its_colours() {
        let text = "  station = Station(\"evening\", sensors=[Thermometer(\"air\")])";
        let runs: SyntaxRuns = vec![
            SyntaxRun { end: 20, role: SyntaxRole::Plain },
            SyntaxRun { end: 29, role: SyntaxRole::String },
            SyntaxRun { end: text.len(), role: SyntaxRole::Plain },
        ];
        let rows = code_rows(text, &runs, 34);
        let shown: Vec<&str> = rows.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(shown, ["  station = Station(\"evening\", ", "      sensors=[Thermometer(\"air\")])"]);
        let ends: Vec<Vec<usize>> = rows.iter().map(|(_, runs)| runs.iter().map(|run| run.end).collect()).collect();
        assert_eq!(ends, [vec![20, 29, 31], vec![35]]);
        assert_eq!(code_rows("short", &SyntaxRuns::new(), 34).len(), 1);
        assert_eq!(code_rows(&"x".repeat(99), &SyntaxRuns::new(), 34).len(), 1);
    }
}
