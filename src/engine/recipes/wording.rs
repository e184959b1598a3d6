//! The names and descriptions of recipes. The sources may hold any characters; those without a shape are escaped.

use crate::{index::Index, program::DefinitionId, unprintable::escaped_line};

/// `Client(base_url, timeout)`, or `Client → Client.get` for a sequence.
pub(super) fn name(index: &Index, symbols: &[DefinitionId], parameters: &[usize]) -> String {
    let names: Vec<String> = symbols.iter().map(|&id| short_name(index, id)).collect();
    let name = names.join(" → ");
    let labels = labels(index, symbols, parameters);
    if labels.is_empty() { name } else { format!("{name}({})", labels.join(", ")) }
}

/// What the calls do and how often.
pub(super) fn description(
    index: &Index,
    symbols: &[DefinitionId],
    parameters: &[usize],
    count: u32,
    files: u32,
) -> String {
    let names: Vec<String> = symbols.iter().map(|&id| short_name(index, id)).collect();
    let labels = labels(index, symbols, parameters);
    let calls = match &labels[..] {
        [] => format!("Calls {} on one value", names.join(", then ")),
        labels => format!("Calls {} with {}", names.join(", "), listed(labels)),
    };
    let summary = symbols.last().and_then(|&id| index.definition(id).summary.as_deref()).unwrap_or_default();
    let text = format!("{calls} ({count} times in {files} files). {summary}");
    escaped_line(text.trim_end()).into_owned()
}

/// The name of a definition, behind that of its class: `Client.get`.
fn short_name(index: &Index, id: DefinitionId) -> String {
    let definition = index.definition(id);
    let name = match definition.parent {
        Some(parent) => format!("{}.{}", index.definition(parent).name, definition.name),
        None => definition.alias.rsplit(['.', '#', '/']).next().unwrap_or(&definition.name).to_owned(),
    };
    escaped_line(&name).into_owned()
}

fn labels(index: &Index, symbols: &[DefinitionId], parameters: &[usize]) -> Vec<String> {
    let [only] = symbols else { return Vec::new() };
    let Some(signature) = &index.definition(*only).signature else { return Vec::new() };
    parameters.iter().map(|&at| escaped_line(&signature.label(at)).into_owned()).collect()
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
