//! Where a program takes the instances of a class, or the results of a function: the parameter that they are passed to,
//! the attribute that holds one, or the default of a parameter that the class annotates. What exists to be passed says
//! little by its own members.

use rustc_hash::FxHashMap;

use super::given::{arguments_of_function, members_given, type_in, words};
use crate::exports::{OnlyClasses, declaring};
use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterKind, Signature};
use apidisc_indexing::index::{Definition, File, Index};

/// The longest text, in bytes.
const LONGEST: usize = 110;
/// The greatest number of ancestors of a class whose takers are looked for.
const MAX_ANCESTORS: usize = 8;
/// The beginnings of annotations whose values hold several elements.
const CONTAINERS: [&str; 12] = [
    "Iterable[",
    "Sequence[",
    "Collection[",
    "list[",
    "List[",
    "tuple[",
    "Tuple[",
    "set[",
    "Array<",
    "ReadonlyArray<",
    "Iterable<",
    "readonly ",
];

/// Where a program takes something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PassedTo {
    /// `passed to: Retort(recipe=[...])`
    pub(crate) text: String,
    /// The definition that code names to pass it: the taking function, or the class around it.
    pub(crate) taker: Option<DefinitionId>,
}

/// Where a program takes the instances of a class or the results of a function. `None` if nothing is known, and if code
/// uses members of these values more often than it passes the values.
pub(crate) fn passed_to(index: &Index, classes: &OnlyClasses<'_>, id: DefinitionId) -> Option<PassedTo> {
    let definition = index.definition(id);
    let found = match definition.kind {
        DefinitionKind::Class | DefinitionKind::Interface => of_class(index, classes, id),
        _ if definition.kind.is_callable() => of_result(index, classes, id),
        _ => None,
    };
    found.filter(|found| found.text.len() <= LONGEST)
}

/// What most code does with the instances of a class, else the parameter of its type, or of a type that it implements,
/// if code uses the members of the class less.
fn of_class(index: &Index, classes: &OnlyClasses<'_>, id: DefinitionId) -> Option<PassedTo> {
    let class = index.definition(id);
    let is_class = |kind| matches!(kind, DefinitionKind::Class | DefinitionKind::Interface);
    // Values are texts: of two classes of one name, nobody knows which one is passed.
    let is_like_named = |other: &&Definition| other.name == class.name && is_class(other.kind);
    let is_only = index.definitions.iter().filter(is_like_named).count() == 1;
    let by_use = is_only.then(|| of_uses(index, id, class)).flatten();
    by_use.or_else(|| {
        let types = std::iter::once(id).chain(class.ancestors.iter().copied().take(MAX_ANCESTORS));
        let (taken, passes) = types.into_iter().find_map(|ty| most_passed(index, classes, ty, id))?;
        (passes > uses_of_members(index, id)).then_some(taken)
    })
}

/// The parameter that takes the results of a function, if code seldom uses their members.
fn of_result(index: &Index, classes: &OnlyClasses<'_>, id: DefinitionId) -> Option<PassedTo> {
    let function = index.definition(id);
    let signature = function.signature.as_ref()?;
    let declared = function.overloads.first().unwrap_or(signature);
    let returns = declared.returns.as_deref().or(declared.inferred_returns.as_deref())?;
    if arguments_of_function(function.language, returns).is_some() {
        return None;
    }
    let class = type_in(index, classes, function, returns)?;
    let is_own =
        function.parent.is_some_and(|parent| parent == class || index.definition(parent).ancestors.contains(&class));
    if is_own {
        return None;
    }
    let (taken, passes) = most_passed(index, classes, class, id)?;
    (passes > uses_of_members(index, class)).then_some(taken)
}

fn uses_of_members(index: &Index, class: DefinitionId) -> u32 {
    members_given(index, class).map(|member| index.definition(member).usage.uses()).sum()
}

/// What most code does with the instances of a class. Nothing is said of a class that is mostly used otherwise, and by
/// its members.
fn of_uses(index: &Index, id: DefinitionId, class: &Definition) -> Option<PassedTo> {
    let mut counts: FxHashMap<PassedTo, u32> = FxHashMap::default();
    for (other, definition) in index.definitions_with_ids() {
        if definition.language != class.language {
            continue;
        }
        if let Some(signature) = definition.signature.as_deref() {
            for (at, usage) in definition.usage.parameters.iter().enumerate() {
                let made =
                    usage.values.iter().filter(|(value, _)| value.ends_with(')') && is_made_with(value, &class.name));
                let count: u32 = made.map(|(_, count)| count).sum();
                if count > 0 && is_taker(index, other, id) {
                    *counts.entry(parameter(index, other, signature, at)).or_default() += count;
                }
            }
            for default in defaults(signature, &class.name) {
                let text = format!("default of a parameter: {default}");
                *counts.entry(PassedTo { text, taker: None }).or_default() += 1;
            }
        }
        let holder = definition.parent.filter(|_| definition.kind == DefinitionKind::Attribute);
        let is_held = definition.value.as_deref().is_some_and(|value| is_made_with(value, &class.name));
        if let Some(holder) = holder.filter(|_| is_held) {
            let name = &index.definition(holder).name;
            let text = format!("set as: {name}.{}", definition.name);
            *counts.entry(PassedTo { text, taker: None }).or_default() += 1;
        }
    }
    // The sort by the text makes the result the same for every order of the table.
    let (passed_to, count) = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
    let is_usual = count.saturating_mul(2) >= class.usage.total_calls || count > uses_of_members(index, id);
    is_usual.then_some(passed_to)
}

/// The parameter with this type that most calls pass, with their number. `except` takes nothing.
fn most_passed(
    index: &Index,
    classes: &OnlyClasses<'_>,
    ty: DefinitionId,
    except: DefinitionId,
) -> Option<(PassedTo, u32)> {
    let (name, language) = (&index.definition(ty).name, index.definition(ty).language);
    let mut best: Option<(u32, DefinitionId, usize)> = None;
    for (id, taker) in index.definitions_with_ids() {
        let Some(signature) = taker.signature.as_deref().filter(|_| taker.language == language) else { continue };
        for (at, parameter) in signature.parameters.iter().enumerate() {
            let Some(annotation) = parameter.type_text().filter(|text| text.contains(name.as_str())) else {
                continue;
            };
            let count = taker.usage.parameters.get(at).map_or(0, |usage| usage.count);
            if count == 0 || best.is_some_and(|(most, ..)| most >= count) || !is_taker(index, id, except) {
                continue;
            }
            let declaring = declaring(index, taker, at);
            // A callback receives such a value, and a type is none.
            let takes_value = arguments_of_function(language, annotation).is_none()
                && !annotation.to_ascii_lowercase().starts_with("type[");
            if takes_value && words(annotation).any(|word| classes.named(declaring, word) == Some(ty)) {
                best = Some((count, id, at));
            }
        }
    }
    let (count, id, at) = best?;
    Some((parameter(index, id, index.definition(id).signature.as_deref()?, at), count))
}

/// True for a public function of the library outside of a class that users can reach.
fn is_taker(index: &Index, id: DefinitionId, class: DefinitionId) -> bool {
    let definition = index.definition(id);
    let is_inside = definition.parent == Some(class);
    let is_library = || index.files.get(definition.place.file.index()).is_none_or(File::is_library);
    let is_shown = |definition: &Definition| definition.is_public || definition.is_constructor();
    id != class && !is_inside && is_shown(definition) && is_library()
}

/// `passed to: AsyncBroker.with_middlewares(*middlewares)`
fn parameter(index: &Index, id: DefinitionId, signature: &Signature, at: usize) -> PassedTo {
    let definition = index.definition(id);
    let (name, named) = match definition.parent {
        Some(parent) if definition.is_constructor() => (index.definition(parent).name.to_string(), parent),
        Some(parent) => (format!("{}.{}", index.definition(parent).name, definition.name), parent),
        None => (definition.name.to_string(), id),
    };
    let is_class = definition.kind == DefinitionKind::Class || definition.is_constructor();
    let new = if definition.language == Language::TypeScript && is_class { "new " } else { "" };
    let text = format!("passed to: {new}{name}({})", argument(definition.language, signature, at));
    PassedTo { text, taker: Some(named) }
}

/// The argument that passes a value: `recipe=[...]`, `*middlewares`, `{ storage }`.
fn argument(language: Language, signature: &Signature, at: usize) -> String {
    let parameter = &signature.parameters[at];
    let annotation = parameter.type_text().unwrap_or_default();
    let annotation = annotation.strip_prefix("Optional[").unwrap_or(annotation);
    let annotation = annotation.strip_prefix("typing.").unwrap_or(annotation);
    let holds_many = CONTAINERS.iter().any(|begin| annotation.starts_with(begin)) || annotation.ends_with("[]");
    let value = if holds_many { "[...]" } else { "..." };
    match language {
        Language::TypeScript if parameter.object.is_some() && holds_many => format!("{{ {}: [...] }}", parameter.name),
        Language::TypeScript if parameter.object.is_some() => format!("{{ {} }}", parameter.name),
        Language::TypeScript if holds_many && !parameter.is_variadic() => "[...]".to_owned(),
        Language::Python if parameter.kind == ParameterKind::KeywordOnly => format!("{}={value}", parameter.name),
        Language::Python if holds_many && !parameter.is_variadic() => format!("{}=[...]", parameter.name),
        Language::Python | Language::TypeScript => signature.shown_label(at).to_string(),
    }
}

/// The calls that are defaults of parameters which a class annotates: `= TaskiqDepends()`.
fn defaults<'s>(signature: &'s Signature, class: &'s str) -> impl Iterator<Item = String> + 's {
    signature.parameters.iter().filter_map(move |parameter| {
        let annotation = parameter.annotation.as_deref().filter(|text| words(text).any(|word| word == class))?;
        let default = parameter.default.as_deref().filter(|default| default.ends_with(')'))?;
        (!is_made_with(default, class)).then(|| format!("{}: {annotation} = {default}", parameter.name))
    })
}

/// True for the text of a value that a class of this name makes: `After(attempts=...)`, `new Box()`.
fn is_made_with(value: &str, class: &str) -> bool {
    let Some((callee, _)) = value.split_once('(') else { return false };
    callee.strip_prefix("new ").unwrap_or(callee).rsplit('.').next() == Some(class)
}
