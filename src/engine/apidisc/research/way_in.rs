//! How a class gets into a program, on a line: the parameter that its instances are passed to, the attribute that holds
//! one, or the default of a parameter that the class annotates. A class that exists to be passed says little by its own
//! members.

use rustc_hash::FxHashMap;

use super::found::{is_constructor, is_of_api};
use apidisc_answering::types::{TypeRole, TypeTable};
use apidisc_base::{language::Language, unprintable::escaped_line};
use apidisc_facts::program::{DefinitionId, DefinitionKind, Signature};
use apidisc_indexing::index::{Definition, Index};

/// The longest line, in bytes.
const LONGEST: usize = 120;

/// `# passed to: AsyncBroker.with_middlewares(*middlewares)`. `None` for what is no class, and if nothing is known.
pub(super) fn way_in(index: &Index, types: &TypeTable, id: DefinitionId) -> Option<String> {
    let class = index.definition(id);
    let is_class = |kind| matches!(kind, DefinitionKind::Class | DefinitionKind::Interface);
    // Values are texts: of two classes of one name, nobody knows which one is passed.
    let is_like_named = |other: &&Definition| other.name == class.name && is_class(other.kind);
    if !is_class(class.kind) || index.definitions.iter().filter(is_like_named).count() > 1 {
        return None;
    }
    let said = of_uses(index, id, class).or_else(|| accepted_by(index, types, id, class))?;
    let mark = if class.language == Language::Python { "#" } else { "//" };
    Some(format!("{mark} {}\n", escaped_line(&said))).filter(|line| line.len() <= LONGEST)
}

/// What most code does with the instances of a class. Nothing is said of a class that is mostly used otherwise.
fn of_uses(index: &Index, id: DefinitionId, class: &Definition) -> Option<String> {
    let mut counts: FxHashMap<String, u32> = FxHashMap::default();
    for (other, definition) in index.definitions_with_ids() {
        if definition.language != class.language {
            continue;
        }
        if let Some(signature) = definition.signature.as_deref() {
            for (at, usage) in definition.usage.parameters.iter().enumerate() {
                let made = usage.values.iter().filter(|(value, _)| is_made_with(value, &class.name));
                let count: u32 = made.map(|(_, count)| count).sum();
                if count > 0 && is_of_api(index, other) && other != id && definition.parent != Some(id) {
                    *counts.entry(format!("passed to: {}", parameter(index, other, signature, at))).or_default() +=
                        count;
                }
            }
            for default in defaults(signature, &class.name) {
                *counts.entry(format!("default of a parameter: {default}")).or_default() += 1;
            }
        }
        let holder = definition.parent.filter(|_| definition.kind == DefinitionKind::Attribute);
        if let Some(holder) =
            holder.filter(|_| definition.value.as_deref().is_some_and(|it| is_made_with(it, &class.name)))
        {
            let name = &index.definition(holder).name;
            *counts.entry(format!("set as: {name}.{}", definition.name)).or_default() += 1;
        }
    }
    // The sort by the text makes the result the same for every order of the table.
    let (said, count) = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
    (count.saturating_mul(2) >= class.usage.total_calls).then_some(said)
}

/// The most used function with a parameter of the type of a class that code extends.
fn accepted_by(index: &Index, types: &TypeTable, id: DefinitionId, class: &Definition) -> Option<String> {
    if types.of(TypeRole::Is, id).is_empty() {
        return None;
    }
    let takes = types.of(TypeRole::Takes, id).iter().find_map(|&taker| {
        let definition = index.definition(taker);
        let is_outside = is_of_api(index, taker) && taker != id && definition.parent != Some(id);
        let signature = definition.signature.as_deref().filter(|_| is_outside)?;
        let names = |text: &str| words_of(text).any(|word| word == class.name.as_str());
        let at = signature.parameters.iter().position(|it| it.annotation.as_deref().is_some_and(names))?;
        Some(parameter(index, taker, signature, at))
    });
    takes.map(|parameter| format!("passed to: {parameter}"))
}

/// `AsyncBroker.with_middlewares(*middlewares)`
fn parameter(index: &Index, id: DefinitionId, signature: &Signature, at: usize) -> String {
    let definition = index.definition(id);
    let owner = definition.parent.map(|parent| &index.definition(parent).name);
    let name = match owner {
        Some(owner) if is_constructor(definition) => owner.to_string(),
        Some(owner) => format!("{owner}.{}", definition.name),
        None => definition.name.to_string(),
    };
    format!("{name}({})", signature.shown_label(at))
}

/// The calls that are defaults of parameters which a class annotates: `= TaskiqDepends()`.
fn defaults<'s>(signature: &'s Signature, class: &'s str) -> impl Iterator<Item = String> + 's {
    signature.parameters.iter().filter_map(move |parameter| {
        let annotation = parameter.annotation.as_deref().filter(|text| words_of(text).any(|word| word == class))?;
        let default = parameter.default.as_deref().filter(|default| default.ends_with(')'))?;
        (!is_made_with(default, class)).then(|| format!("{}: {annotation} = {default}", parameter.name))
    })
}

/// True for the text of a value that a class of this name makes: `After(attempts=...)`, `new Box()`.
fn is_made_with(value: &str, class: &str) -> bool {
    let Some((callee, _)) = value.split_once('(') else { return false };
    callee.strip_prefix("new ").unwrap_or(callee).rsplit('.').next() == Some(class)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}
