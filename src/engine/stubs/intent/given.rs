//! What a call gives to the code around it: the instance that it returns, and those that its callbacks receive.

use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, Signature};
use apidisc_indexing::index::{Definition, Index};

use crate::exports::{OnlyClasses, alternatives, declaring};

/// The longest annotation that is read, in bytes.
const LONGEST_ANNOTATION: usize = 400;
/// The greatest number of names of types between an annotation and a function type.
const MAX_NAMES: usize = 3;

/// What a call gives to the code around it: its result, or the arguments of a callback.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Given {
    /// The position of the parameter that takes the callback; for the result, the number of parameters.
    pub(crate) position: usize,
    /// The parameters of the callback as they are written: `event: Event, id`. Empty for the result.
    pub(crate) arguments: String,
    /// The class or interface of the result or of the first argument, if the index has one with public members.
    pub(crate) class: Option<DefinitionId>,
    /// True if the parameter may take another value instead of the callback.
    pub(crate) is_one_way: bool,
}

/// What a callback receives.
struct Received {
    arguments: String,
    class: Option<DefinitionId>,
    /// See [`Given::is_one_way`].
    is_one_way: bool,
}

/// What a call of a function gives to the code around it, by position. The members of the class around a method are
/// left out, because a reader sees them already.
pub(crate) fn given(index: &Index, classes: &OnlyClasses<'_>, id: DefinitionId) -> Vec<Given> {
    let definition = index.definition(id);
    let Some(signature) = &definition.signature else { return Vec::new() };
    let is_own = |class: DefinitionId| {
        class == id
            || definition
                .parent
                .is_some_and(|parent| parent == class || index.definition(parent).ancestors.contains(&class))
    };
    let callbacks = signature.parameters.iter().enumerate().filter_map(|(position, parameter)| {
        let declaring = declaring(index, definition, position);
        let received = received(index, classes, declaring, parameter.type_text()?, MAX_NAMES)?;
        let Received { arguments, class, is_one_way } = received;
        Some(Given { position, arguments, class, is_one_way })
    });
    let result = || {
        let declared = definition.overloads.first().unwrap_or(signature);
        let annotation = declared.returns.as_deref().or(declared.inferred_returns.as_deref())?;
        let is_function = arguments_of_function(definition.language, annotation).is_some();
        let class = type_in(index, classes, definition, annotation).filter(|_| !is_function)?;
        let position = signature.parameters.len();
        Some(Given { position, arguments: String::new(), class: Some(class), is_one_way: false })
    };
    let is_function = definition.kind.is_callable() && definition.kind != DefinitionKind::Class;
    let result = is_function.then(result).flatten();
    let other = |given: Given| Given { class: given.class.filter(|class| !is_own(*class)), ..given };
    let says_something = |given: &Given| given.class.is_some() || !given.arguments.is_empty();
    callbacks.chain(result).map(other).filter(says_something).collect()
}

/// The parameters of a function of this type as they are written, and the type of the first one, if it is a type of the
/// index with public members. The annotation may name the function type, over at most `names` names.
fn received(
    index: &Index,
    classes: &OnlyClasses<'_>,
    definition: &Definition,
    annotation: &str,
    names: usize,
) -> Option<Received> {
    let new = |arguments: &str, is_one_way| Received {
        class: type_in(index, classes, definition, arguments),
        arguments: arguments.to_owned(),
        is_one_way,
    };
    if let Some(arguments) = arguments_of_function(definition.language, annotation) {
        // The parameters of `(...args: T) => void` are those that somebody puts for `T`.
        return (!arguments.starts_with("...")).then(|| new(arguments, allows_others(annotation)));
    }
    let names = names.checked_sub(1)?;
    words(annotation).find_map(|word| {
        let id = classes.named(definition, word)?;
        let ty = index.definition(id);
        match (ty.kind, &ty.signature) {
            (DefinitionKind::Interface | DefinitionKind::TypeAlias, Some(signature)) => {
                Some(received_by(index, classes, ty, signature))
            }
            (DefinitionKind::TypeAlias | DefinitionKind::Constant, None) => {
                let text = ty.annotation.as_deref().filter(|_| ty.kind == DefinitionKind::TypeAlias);
                let text = text.or(ty.value.as_deref())?;
                if text.starts_with('{') || text.starts_with("Record<") {
                    return None;
                }
                received(index, classes, ty, text, names).or_else(|| {
                    // `Value<number, [event: Event, id: string]>`
                    let (_, tuple) = annotation.split_once('[').filter(|_| text.contains("(...args: "))?;
                    let arguments = &tuple[..end_of(tuple, ['[', ']'])?];
                    arguments.contains(':').then(|| new(arguments, true))
                })
            }
            (DefinitionKind::Class, _) if ty.bases.iter().any(|base| is_protocol(base)) => {
                let mut members = index.members_of(id).map(|member| index.definition(member));
                let call = members.find(|member| member.name == "__call__")?;
                Some(received_by(index, classes, call, call.signature.as_ref()?))
            }
            _ => None,
        }
    })
}

/// True if a union has a part that is neither a function nor the absence of a value.
fn allows_others(annotation: &str) -> bool {
    let is_silent = |part: &str| part.is_empty() || matches!(part, "undefined" | "null" | "None" | "void");
    alternatives(annotation).any(|part| !is_silent(part.trim()) && !part.contains("=>") && !part.contains("Callable["))
}

/// What the declared parameters of a function receive: see [`received`].
fn received_by(index: &Index, classes: &OnlyClasses<'_>, function: &Definition, signature: &Signature) -> Received {
    let own = || signature.parameters.iter().filter(|parameter| parameter.object.is_none());
    let text = |parameter: &Parameter| match &parameter.annotation {
        Some(annotation) => format!("{}: {annotation}", parameter.label()),
        None => parameter.label().to_string(),
    };
    let class = own().next().and_then(|first| type_in(index, classes, function, first.annotation.as_deref()?));
    Received { arguments: own().map(text).collect::<Vec<_>>().join(", "), class, is_one_way: false }
}

/// True for `Protocol` and `Protocol[T]` among the bases of a class.
fn is_protocol(base: &str) -> bool {
    let name = base.split('[').next().unwrap_or_default();
    name.rsplit('.').next() == Some("Protocol")
}

/// The text of the parameters of the function type in an annotation: `event: Event` of `(event: Event) => void`,
/// `Event` of `Callable[[Event], None]`.
pub(crate) fn arguments_of_function(language: Language, annotation: &str) -> Option<&str> {
    if annotation.len() > LONGEST_ANNOTATION {
        return None;
    }
    if language == Language::Python {
        let (_, inner) = annotation.split_once("Callable[[")?;
        return Some(&inner[..end_of(inner, ['[', ']'])?]);
    }
    annotation.match_indices('(').find_map(|(start, _)| {
        // A member of an object type is no callback of the parameter, and neither is a value of a record.
        let before = &annotation[..start];
        if before.matches('{').count() > before.matches('}').count() || before.contains("Record<") {
            return None;
        }
        let inner = &annotation[start + 1..];
        let end = end_of(inner, ['(', ')'])?;
        let arguments = &inner[..end];
        // Code does not declare `this`.
        let declared = if arguments.starts_with("this:") { arguments.split_once(',')?.1 } else { arguments };
        inner[end + 1..].trim_start().starts_with("=>").then_some(declared.trim_start())
    })
}

/// The place of the bracket that closes the one before a text.
fn end_of(inner: &str, [open, close]: [char; 2]) -> Option<usize> {
    let mut depth = 1_usize;
    inner.find(|c: char| {
        depth = depth + usize::from(c == open) - usize::from(c == close);
        depth == 0
    })
}

/// The first type in a text of a definition that is a class or interface with public members.
pub(super) fn type_in(
    index: &Index,
    classes: &OnlyClasses<'_>,
    definition: &Definition,
    text: &str,
) -> Option<DefinitionId> {
    let types = words(text).filter_map(|word| classes.named(definition, word));
    let has_members = |id: &DefinitionId| {
        let ty = index.definition(*id);
        let is_type = matches!(ty.kind, DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::TypeAlias);
        let declaring = std::iter::once(*id).chain(ty.ancestors.iter().copied());
        let mut members = declaring.flat_map(|id| &index.definition(id).members);
        is_type && !index.is_enum(*id) && members.any(|member| is_usable(index.definition(*member)))
    };
    types.into_iter().find(has_members)
}

/// The classes and interfaces with public members that the values of annotated names have: for each annotation, with
/// the definition in which the annotation stands, at most one.
pub fn annotated_classes<'i>(
    index: &'i Index,
    annotations: impl Iterator<Item = (&'i Definition, &'i str)>,
) -> impl Iterator<Item = DefinitionId> {
    let classes = OnlyClasses::new(index);
    annotations.filter_map(move |(definition, annotation)| {
        let is_function = arguments_of_function(definition.language, annotation).is_some();
        type_in(index, &classes, definition, annotation).filter(|_| !is_function)
    })
}

/// The public members of a class or interface, with inherited ones.
pub(crate) fn members_given(index: &Index, class: DefinitionId) -> impl Iterator<Item = DefinitionId> {
    let members = index.members_of(class).chain(index.members_of_public_bases(class));
    members.filter(|id| is_usable(index.definition(*id)))
}

/// True for a member that code names after a dot.
fn is_usable(member: &Definition) -> bool {
    member.is_public && member.name.starts_with(char::is_alphabetic) && member.name != "constructor"
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::arguments_of_function;
    use apidisc_base::language::Language::{Python, TypeScript};

    #[test]
    fn the_parameters_of_a_function_type_are_found() {
        let types = [
            (TypeScript, "(event: Event) => void", Some("event: Event")),
            (TypeScript, "undefined | ((a: A, b: (c: C) => D) => void)", Some("a: A, b: (c: C) => D")),
            (TypeScript, "Array<(x: X) => Y>", Some("x: X")),
            (TypeScript, "(this: A, b: B) => void", Some("b: B")),
            (TypeScript, "Handler | (string)", None),
            (TypeScript, "{ read?: (text: string) => T }", None),
            (TypeScript, "Record<string, (text: string) => T>", None),
            (TypeScript, "{ a: 1 } | ((text: string) => T)", Some("text: string")),
            (TypeScript, "((((", None),
            (Python, "Optional[Callable[[Event, int], None]]", Some("Event, int")),
            (Python, "Callable[[Event, tuple[str, ...]], None] | None", Some("Event, tuple[str, ...]")),
            (Python, "Callable[..., Event]", None),
        ];
        for (language, annotation, expected) in types {
            assert_eq!(arguments_of_function(language, annotation), expected, "{annotation}");
        }
    }
}
