//! The names and descriptions of recipes. The sources may hold any characters; those without a shape are escaped.

use super::Recipe;
use apidisc_base::unprintable::escaped_line;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::Index;

/// `Client(base_url, timeout)`, or `Client → Client.get` for a sequence.
pub(super) fn name(index: &Index, symbols: &[DefinitionId], parameters: &[usize]) -> String {
    let names: Vec<String> = symbols.iter().map(|&id| short_name(index, id)).collect();
    let name = names.join(" → ");
    let labels = labels(index, symbols, parameters);
    if labels.is_empty() { name } else { format!("{name}({})", labels.join(", ")) }
}

/// A description of the calls, with the numbers of uses and files.
pub(super) fn description(index: &Index, recipe: &Recipe) -> String {
    let Recipe { symbols, parameters, usage_count, files, variants, .. } = recipe;
    let names: Vec<String> = symbols.iter().map(|&id| short_name(index, id)).collect();
    let labels = labels(index, symbols, parameters);
    let calls = match &labels[..] {
        [] => format!("Calls {} on one value", names.join(", then ")),
        labels => format!("Calls {} with {}", names.join(", "), listed(labels)),
    };
    let similar = match variants {
        0 => String::new(),
        1 => "; another way differs little".to_owned(),
        _ => format!("; {variants} other ways differ little"),
    };
    let summary = symbols.last().and_then(|&id| index.definition(id).summary.as_deref()).unwrap_or_default();
    let text = format!("{calls} ({usage_count} times in {files} files{similar}). {summary}");
    escaped_line(text.trim_end()).into_owned()
}

/// The name of a definition, behind that of its class: `Client.get`.
fn short_name(index: &Index, id: DefinitionId) -> String {
    let definition = index.definition(id);
    let name = match definition.parent {
        Some(parent) => format!("{}.{}", index.definition(parent).name, definition.name),
        None => definition.public_name().to_owned(),
    };
    escaped_line(&name).into_owned()
}

/// The parameters that an argument set passes. In place of an object or `**kwargs`, the passed properties or keywords
/// are listed.
fn labels(index: &Index, symbols: &[DefinitionId], parameters: &[usize]) -> Vec<String> {
    let [only] = symbols else { return Vec::new() };
    let Some(signature) = &index.definition(*only).signature else { return Vec::new() };
    let object_of = |at: &usize| signature.parameters.get(*at).and_then(|parameter| parameter.object);
    let has_parts = |at: usize| parameters.iter().filter_map(object_of).any(|object| usize::from(object) == at);
    let shown = parameters.iter().filter(|at| !has_parts(**at));
    shown.map(|&at| escaped_line(&signature.label(at)).into_owned()).collect()
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
