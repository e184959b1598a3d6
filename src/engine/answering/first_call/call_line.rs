//! How a definition is called, on a line with names only: `Client.get(url, timeout=..., ...)`.

use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, ParameterSet};
use apidisc_indexing::index::Index;
use apidisc_stubs::{
    intent::{AskedDefinition, few_keys},
    stub::{argument_text, import_of},
};

/// What stands for the parameters that are not shown.
const HIDDEN: &str = "...";

/// `Client.get(url, timeout=..., ...)`
///
/// `asked` are the parameters that an intent names. The line also has the required parameters, and as many as `others`
/// of the most passed ones, and the keys of an object that has few.
pub fn call_line(index: &Index, id: DefinitionId, asked: Option<&AskedDefinition>, others: usize) -> String {
    let definition = index.definition(id);
    let name = if definition.parent.is_none() {
        import_of(index, id).map_or_else(|| definition.name.to_string(), |import| import.local.to_string())
    } else {
        let around = std::iter::successors(Some(id), |&id| index.definition(id).parent);
        let mut names: Vec<&str> = around.map(|id| index.definition(id).name.as_str()).collect();
        names.reverse();
        names.join(".")
    };
    format!("{name}({})", parameters(index, id, asked, others))
}

/// The parameters of a line: the required ones, those that the question names, and the most used ones of the others.
fn parameters(index: &Index, id: DefinitionId, asked: Option<&AskedDefinition>, max_others: usize) -> String {
    let definition = index.definition(id);
    let Some(signature) = &definition.signature else { return String::new() };
    let mut shown: ParameterSet = (0..signature.parameters.len())
        .filter(|&at| signature.is_always_required(at) && !signature.parameters[at].is_variadic())
        .collect();
    if let Some(asked) = asked {
        shown.extend_with(&asked.parameters);
    }
    let passed = |at: usize| definition.usage.parameters.get(at).map_or(0, |row| row.count);
    let mut others: Vec<usize> = (0..signature.parameters.len())
        .filter(|&at| !shown.contains(at) && !signature.parameters[at].is_variadic())
        // Of a definition that nobody calls, the first ones say most.
        .filter(|&at| passed(at) > 0 || definition.usage.total_calls == 0 && signature.parameters[at].object.is_none())
        .collect();
    others.shared_sort_by_key(|&at| (std::cmp::Reverse(passed(at)), at));
    for at in others.into_iter().take(max_others) {
        shown.insert(at);
    }
    let mut texts = list(index, id, asked, &signature.close_over_objects(shown), None);
    let passed_on = asked.into_iter().flat_map(|asked| asked.passed_on.iter());
    let passed_on = passed_on.filter_map(|at| signature.passed_on.get(at)).map(|name| format!("{name}=..."));
    let hides = texts.pop_if(|last| last == HIDDEN);
    texts.extend(passed_on);
    texts.extend(hides);
    texts.join(", ")
}

/// The shown parameters, or the shown properties of the object at a position, with `...` for others.
fn list(
    index: &Index,
    id: DefinitionId,
    asked: Option<&AskedDefinition>,
    shown: &ParameterSet,
    object: Option<usize>,
) -> Vec<String> {
    let definition = index.definition(id);
    let Some(signature) = &definition.signature else { return Vec::new() };
    let within = |at: &usize| signature.parameters[*at].object.map(usize::from) == object;
    let last = (0..signature.parameters.len()).filter(within).rfind(|&at| shown.contains(at));
    let is_by_position = definition.language == Language::TypeScript && object.is_none();
    let (mut texts, mut hides) = (Vec::new(), false);
    for at in (0..signature.parameters.len()).filter(within) {
        // What is passed by position needs everything before it.
        let is_written = shown.contains(at) || is_by_position && last.is_some_and(|last| at < last);
        if !is_written {
            hides = true;
            continue;
        }
        let keys = asked.and_then(|asked| asked.keys.get(&at));
        let few = few_keys(index, id, at);
        let properties = match keys {
            _ if !few.is_empty() => few.join(", "),
            Some(keys) => format!("{}, {HIDDEN}", keys.join(", ")),
            None => list(index, id, asked, shown, Some(at)).join(", "),
        };
        let has_properties = signature.parameters.iter().any(|inner| inner.object.map(usize::from) == Some(at));
        let is_object = has_properties || keys.is_some() || !few.is_empty();
        let text = argument_text(&signature.parameters[at], definition.language);
        // Callers write the keywords that `**kwargs` receives among the others.
        if signature.parameters[at].is_variadic() {
            texts.extend(Some(properties).filter(|properties| !properties.is_empty()));
            continue;
        }
        texts.push(if is_object && properties != HIDDEN { format!("{text}: {{ {properties} }}") } else { text });
    }
    texts.extend(hides.then(|| HIDDEN.to_owned()));
    texts
}
