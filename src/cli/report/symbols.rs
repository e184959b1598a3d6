//! The part of the page about one symbol: its first call, its arguments with bars, its calls, its members.

use super::html::Html;
use apidisc::{
    answers::symbol_hash,
    first_call::FirstCalls,
    index::{CallEvidence, Definition, Index},
    program::DefinitionId,
    usage::{Usage, WrittenShare},
};

/// The greatest number of members of a class that are described.
const MAX_MEMBERS: usize = 30;
/// The greatest number of argument sets.
const MAX_SETS: usize = 4;
/// The greatest number of places of an argument set.
const MAX_PLACES: usize = 2;
/// The greatest number of values of an argument.
const MAX_VALUES: usize = 4;

/// The uses of a definition, and of the members of a class.
pub(super) fn uses(index: &Index, id: DefinitionId) -> u32 {
    index.uses_within(id)
}

/// Writes the article of a symbol. Without `first_calls` it is short: what the symbol is, and its typical call.
pub(super) fn article(html: &mut Html, index: &Index, first_calls: Option<&mut FirstCalls<'_>>, id: DefinitionId) {
    let definition = index.definition(id);
    html.markup("<article id=\"s-").text(&symbol_hash(&definition.fqn)).markup("\">\n<h3><small>");
    html.text(definition.kind.word()).markup("</small> ").element("code", &definition.alias).markup(" <small>");
    html.text(&uses_in_words(index, id)).markup("</small></h3>\n");
    if let Some(message) = definition.deprecation() {
        html.markup("<p><strong>Deprecated</strong> ").text(message).markup("\n");
    }
    if let Some(summary) = &definition.summary {
        html.element("p", summary);
    }
    let path = &index.file(definition.place.file).path;
    html.markup("<p class=dim>").text(&format!("{path}:{}", definition.place.line)).markup("\n");
    let Some(first_calls) = first_calls else {
        if let Some(call) = &definition.typical_call {
            html.code_block(std::iter::once(call.as_str()));
        }
        html.markup("</article>\n");
        return;
    };
    if let Some(first) = first_calls.of(id).filter(|first| !first.call.is_empty()) {
        let lines = first.imports.iter().chain(&first.setup).chain(&first.call);
        html.code_block(lines.map(String::as_str));
        if let Some(place) = &first.place {
            html.markup("<p class=dim>First call, from ").text(place).markup("\n");
        }
    }
    arguments(html, definition);
    calls(html, index, id);
    members(html, index, id);
    html.markup("</article>\n");
}

fn uses_in_words(index: &Index, id: DefinitionId) -> String {
    let (uses, own) = (uses(index, id), index.usage(id));
    let counted = |number: u32, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    match (own.total_calls, own.total_reads) {
        _ if uses == 0 => "no use found".to_owned(),
        (calls, 0) if calls == uses => counted(calls, "call"),
        (0, reads) if reads == uses => counted(reads, "read"),
        (calls, _) if calls > 0 => format!("{}, with {}", counted(uses, "use"), counted(calls, "call")),
        _ => counted(uses, "use"),
    }
}

/// Writes the arguments that calls pass or must pass; the number of the others is said.
fn arguments(html: &mut Html, definition: &Definition) {
    let Some(signature) = &definition.signature else { return };
    let usage = &definition.usage;
    let passed = |at: usize| usage.parameters.get(at).map_or(0, |parameter| parameter.count);
    let mut shown: Vec<usize> = (0..signature.parameters.len()).collect();
    shown.retain(|at| passed(*at) > 0 || signature.parameters[*at].required);
    let others = signature.parameters.len() - shown.len();
    shown.sort_by_key(|at| std::cmp::Reverse(passed(*at)));
    if !shown.is_empty() {
        html.markup("<table>\n");
        for at in shown {
            let parameter = &signature.parameters[at];
            html.markup("<tr><td>").element("code", &signature.shown_label(at)).markup("<td>");
            share(html, usage, at);
            html.markup("<td>").text(&passed(at).to_string()).markup("<td>");
            if parameter.required {
                html.element("small", "required ");
            }
            let annotation = parameter.annotation.as_deref().unwrap_or_default();
            let default = parameter.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
            html.element("code", &format!("{annotation}{default}"));
            let values = usage.parameters.get(at).map_or(&[][..], |parameter| &parameter.values);
            let values = values.iter().take(MAX_VALUES).map(|(value, count)| format!("{value} {count}×"));
            let values: Vec<String> = values.collect();
            if !values.is_empty() {
                html.markup("<br><small>").text(&values.join(", ")).markup("</small>");
            }
            html.markup("\n");
        }
        html.markup("</table>\n");
    }
    if others > 0 {
        let words =
            if others == 1 { " more argument that no call passes" } else { " more arguments that no call passes" };
        html.markup("<p class=dim>").text(&others.to_string()).markup(words).markup("\n");
    }
}

/// Writes the share of calls that pass an argument: a cell with a bar, and one with a number.
fn share(html: &mut Html, usage: &Usage, at: usize) {
    let (passed, known) = usage.passed_and_known(at);
    let Some(share) = WrittenShare::new(passed, known) else {
        html.markup("<td>");
        return;
    };
    let (width, words) = match share {
        WrittenShare::Percent(percent) => (percent, format!("{percent}%")),
        WrittenShare::NearlyNone => (0, "<1%".to_owned()),
        WrittenShare::NearlyAll => (100, ">99%".to_owned()),
    };
    html.markup("<meter max=100 value=").text(&width.to_string()).markup("></meter><td>").text(&words);
}

/// Writes the most frequent argument sets, each with the places of some calls.
fn calls(html: &mut Html, index: &Index, id: DefinitionId) {
    let definition = index.definition(id);
    let (Some(signature), mut evidence) = (&definition.signature, index.call_evidence(id)) else { return };
    if evidence.is_empty() {
        return;
    }
    index.sort_by_typicality(id, &mut evidence);
    let all = evidence.len();
    html.markup("<details><summary>Calls by what they pass</summary>\n<ul>\n");
    let mut sets = evidence.chunk_by(|a, b| a.passed == b.passed && a.open == b.open);
    for group in sets.by_ref().take(MAX_SETS) {
        let names = group[0].passed.iter().filter(|at| *at < signature.parameters.len());
        let names: Vec<String> = names.map(|at| signature.shown_label(at).to_string()).collect();
        let names = if names.is_empty() { "no arguments".to_owned() } else { names.join(", ") };
        let open = if group[0].open { " + unseen" } else { "" };
        html.markup("<li>").element("code", &format!("{names}{open}"));
        html.markup(" <small>").text(&format!("{} of {all}: ", group.len()));
        let place = |call: &CallEvidence| {
            let call = index.call(call.call);
            format!("{}:{}", index.file(call.file).path, call.line)
        };
        let places: Vec<String> = group.iter().take(MAX_PLACES).map(place).collect();
        html.text(&places.join(", ")).markup("</small>\n");
    }
    let further = sets.count();
    html.markup("</ul>\n");
    if further > 0 {
        html.markup("<p class=dim>").text(&further.to_string()).markup(" more sets of arguments\n");
    }
    html.markup("</details>\n");
}

/// Writes the used public members of a class, most used first; the number of the others is said.
fn members(html: &mut Html, index: &Index, id: DefinitionId) {
    let members = index.members_of(id).filter(|member| index.definition(*member).is_public);
    let mut members: Vec<DefinitionId> = members.collect();
    members.sort_by(|a, b| {
        let (a, b) = (index.definition(*a), index.definition(*b));
        b.usage.uses().cmp(&a.usage.uses()).then_with(|| a.fqn.cmp(&b.fqn))
    });
    let all = members.len();
    members.retain(|member| uses(index, *member) > 0);
    members.truncate(MAX_MEMBERS);
    for member in &members {
        let definition = index.definition(*member);
        html.markup("<details><summary><small>").text(definition.kind.word()).markup("</small> ");
        html.element("code", definition.public_name()).markup(" <small>").text(&uses_in_words(index, *member));
        html.markup("</small></summary>\n");
        if let Some(summary) = &definition.summary {
            html.element("p", summary);
        }
        if let Some(annotation) = &definition.annotation {
            html.markup("<p>").element("code", annotation).markup("\n");
        }
        if let Some(call) = &definition.typical_call {
            html.code_block(std::iter::once(call.as_str()));
        }
        arguments(html, definition);
        html.markup("</details>\n");
    }
    if all > members.len() {
        let words = if members.is_empty() { " members, of which no use was found" } else { " less used members" };
        html.markup("<p class=dim>").text(&(all - members.len()).to_string()).markup(words).markup("\n");
    }
}
