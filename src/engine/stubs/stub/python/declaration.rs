//! The lines of a Python declaration outside of its signature: decorators, first lines, docstrings, attributes.

use std::cmp::Reverse;

use super::{
    docstring::Docstring,
    expression::plain_expression,
    identifiers::{docstring_text, is_dotted_name},
    record::{self, RecordFields},
    signature::PythonSignature,
    unpacked::{is_typed_dict, names_typed_dict},
};
use crate::stub::{
    decorators::Decorator,
    doc_text::DocText,
    node_text::{NodeBody, NodeText, PricedLines},
    overloads::{OverloadFrame, OverloadedSignature},
    renderer::{CallableRenderer, Indentation, PlacedDefinition},
    text::{first_sentence, pluralized},
    uncalled::uncalled_constructor,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, ParameterKind, Signature};
use apidisc_indexing::index::{Definition, Index};

/// The decorators that change how a definition is used. Others are not worth their tokens, except for validators and
/// registrations.
const DECORATORS: [&str; 3] = ["contextmanager", "asynccontextmanager", "deprecated"];

/// The decorators of functions that a model calls when it is made (pydantic, `SQLAlchemy`).
const VALIDATORS: [&str; 5] = ["field_validator", "model_validator", "root_validator", "validates", "validator"];

/// The greatest length of the arguments of a validator that a stub repeats, in bytes.
const MAX_ARGUMENTS: usize = 60;

/// The name of a constructor that receives the class and returns the instance.
pub(super) const NEW: &str = "__new__";

/// The public members of a class in the order of a stub: most used first, methods before attributes that nobody reads,
/// ties by name.
pub(super) fn members(index: &Index, class: DefinitionId) -> Vec<DefinitionId> {
    let mut members: Vec<DefinitionId> = index
        .members_of(class)
        .filter(|&id| {
            let member = index.definition(id);
            member.is_public && !matches!(member.name.as_str(), "__init__" | NEW)
        })
        .collect();
    members.shared_sort_by_key(|&id| {
        let member = index.definition(id);
        let is_last_of_equals = (member.deprecation().is_some(), member.kind == DefinitionKind::Attribute);
        (Reverse(member.usage.uses()), is_last_of_equals, member.name.clone(), id)
    });
    members
}

/// The text of a definition under `name`, without its body.
pub(super) fn text(placed: PlacedDefinition<'_>) -> NodeText {
    let PlacedDefinition { definition, name, indent, .. } = placed;
    let head = match attribute_type(placed) {
        Some(ty) => format!("{}{}{name}: {ty}\n", deprecated(definition, indent), indent.margin()),
        None => head_lines(definition, name, indent),
    };
    NodeText {
        head: PricedLines::new(head),
        listed_name: is_listed(definition, indent).then(|| name.into()),
        ..NodeText::default()
    }
}

/// The type of an attribute whose value is a descriptor: the return type of the getter (Python descriptor guide). The
/// getter is a function of the class, as in `x = property(get_x)`, or the method `__get__` of a class of the module, as
/// in `x = Cell()`. `None` if the sources do not state that type.
fn attribute_type(placed: PlacedDefinition<'_>) -> Option<String> {
    let PlacedDefinition { index, definition, .. } = placed;
    if definition.kind != DefinitionKind::Attribute || definition.annotation.is_some() {
        return None;
    }
    let (callee, arguments) = called_name(definition.value.as_deref()?)?;
    let member = |class: DefinitionId, name: &str| {
        let mut members = index.definition(class).members.iter().map(|&id| index.definition(id));
        members.find(|member| member.name == name)
    };
    let getter = if callee == "property" {
        let first = arguments.split(',').next().unwrap_or_default().trim();
        member(definition.parent?, first.strip_prefix("fget=").unwrap_or(first))?
    } else {
        let class = index.definition_of(&format!("{}.{callee}", index.module(definition.module).fqn))?;
        member(class, "__get__").filter(|_| index.definition(class).kind == DefinitionKind::Class)?
    };
    // The last overload of `__get__` is that of instances: the others are for access through the class, without an
    // instance.
    let signature = getter.overloads.last().or(getter.signature.as_deref())?;
    let returns = signature.returns.as_deref().and_then(plain_expression)?;
    Some(returns.to_owned()).filter(|returns| !matches!(returns.as_str(), "Self" | "typing.Self"))
}

/// The name of the callee of a call, and the text of its arguments: `("property", "get_x")`. `None` if the text is no
/// call whose callee is a name.
fn called_name(value: &str) -> Option<(&str, &str)> {
    let (callee, arguments) = plain_expression(value)?.split_once('(')?;
    Some((callee, arguments.strip_suffix(')')?)).filter(|(callee, _)| is_dotted_name(callee))
}

/// True for an attribute of a class that call shapes list by its name alone. The value of a constant or of an enum
/// member is worth its tokens, and so is a deprecation. A value that is a call tells a reader nothing.
fn is_listed(definition: &Definition, indent: Indentation) -> bool {
    let value = definition.value.as_deref().and_then(plain_expression);
    let has_value = value.is_some_and(|value| value != "..." && called_name(value).is_none());
    let is_constant = definition.annotation.is_none() && has_value;
    let is_attribute = match definition.kind {
        DefinitionKind::Attribute => !is_constant,
        DefinitionKind::Property => true,
        _ => false,
    };
    is_attribute && indent.columns > 0 && definition.deprecation().is_none()
}

/// `def Client(base_url=...): ...`, for a class at the top level whose constructor is known and has no
/// overloads.
pub(super) fn constructor_alone(placed: PlacedDefinition<'_>) -> Option<Box<dyn CallableRenderer>> {
    let (class, indent) = (placed.definition, placed.indent);
    let is_plain = class.kind == DefinitionKind::Class
        && class.overloads.is_empty()
        && class.deprecation().is_none()
        && uncalled_constructor(class, indent, placed.is_wanted).is_none();
    let signature = class.signature.as_deref().filter(|_| is_plain && indent.columns == 0)?;
    Some(Box::new(PythonSignature::alone(placed, signature)))
}

/// The lines of a definition before its signature.
fn head_lines(definition: &Definition, name: &str, indent: Indentation) -> String {
    let decorators = decorators(definition, indent);
    // The decorator `@deprecated` states the deprecation already.
    let is_said = decorators.lines().any(|line| decorator_name(line) == "deprecated");
    let deprecated = if is_said { String::new() } else { deprecated(definition, indent) };
    format!("{deprecated}{decorators}{}", head(definition, name, indent))
}

/// The body of a definition: a signature, its overloads, the fields of a `TypedDict`, or nothing.
pub(super) fn body(placed: PlacedDefinition<'_>) -> NodeBody {
    let PlacedDefinition { index, definition, name, indent, is_wanted, .. } = placed;
    if let Some(comment) = uncalled_constructor(definition, indent, is_wanted) {
        let line = format!("{}...  # {comment}\n", indent.inner().margin());
        return NodeBody::UnknownConstructor(PricedLines::new(line));
    }
    if let Some(signature) = definition.signature.as_deref().filter(|_| is_typed_dict(index, definition)) {
        return NodeBody::Callable(Box::new(RecordFields::new(definition, signature, indent.inner())));
    }
    let callable = |name: &str, indent: Indentation| {
        if definition.overloads.is_empty() {
            let signature = definition.signature.as_deref();
            return NodeBody::Callable(Box::new(PythonSignature::new(
                definition,
                signature,
                &definition.usage,
                name,
                indent,
            )));
        }
        let margin = indent.margin();
        let frame = OverloadFrame {
            comment_opening: format!("{margin}#"),
            decorator: format!("{margin}@overload\n"),
            // The head of a class is no decorator of its constructor.
            repeated: if definition.kind == DefinitionKind::Class {
                String::new()
            } else {
                head_lines(definition, name, indent)
            },
        };
        let overloaded = OverloadedSignature::new(definition, frame, |signature, usage| {
            Box::new(PythonSignature::new(definition, Some(signature), usage, name, indent))
        });
        let implementation = definition.signature.as_deref().filter(|signature| is_typed(signature));
        let implementation = implementation.map(|signature| -> Box<dyn CallableRenderer> {
            Box::new(PythonSignature::new(definition, Some(signature), &definition.usage, name, indent))
        });
        NodeBody::Callable(Box::new(overloaded.with_implementation(implementation)))
    };
    match definition.kind {
        DefinitionKind::Attribute | DefinitionKind::Constant => NodeBody::Empty,
        DefinitionKind::Class if definition.signature.is_none() => {
            NodeBody::UnknownConstructor(PricedLines::new(unknown_constructor(definition.usage.total_calls, indent)))
        }
        DefinitionKind::Class => callable(constructor_name(definition), indent.inner()),
        _ => callable(name, indent),
    }
}

/// True if the signature states the type of every parameter, except for the keywords that `**kwargs` receives.
fn is_typed(signature: &Signature) -> bool {
    let is_stated = |p: &Parameter| p.annotation.is_some() || p.kind == ParameterKind::Property;
    signature.parameters.iter().all(is_stated)
}

/// The name of the constructor of a class: `__new__` if its receiver is the class.
fn constructor_name(class: &Definition) -> &'static str {
    let receiver = class.signature.as_ref().and_then(|s| s.receiver.as_deref());
    if receiver.is_some_and(|receiver| matches!(receiver, "cls" | "_cls" | "klass")) { NEW } else { "__init__" }
}

/// The `class` line of a class, the decorator that states the kind of a method, or the whole declaration of an
/// attribute or constant. Empty for a function and for a property, whose decorator depends on its detail.
fn head(definition: &Definition, name: &str, indent: Indentation) -> String {
    let margin = indent.margin();
    match definition.kind {
        DefinitionKind::Class => {
            format!("{margin}class {name}{}:\n", base_classes(definition))
        }
        DefinitionKind::ClassMethod => format!("{margin}@classmethod\n"),
        DefinitionKind::StaticMethod => format!("{margin}@staticmethod\n"),
        DefinitionKind::Function | DefinitionKind::Method | DefinitionKind::Property => String::new(),
        // No Python definition has one of these kinds.
        DefinitionKind::Interface | DefinitionKind::TypeAlias | DefinitionKind::Enum | DefinitionKind::Namespace => {
            String::new()
        }
        DefinitionKind::Attribute | DefinitionKind::Constant => {
            let annotation = definition.annotation.as_deref().and_then(plain_expression);
            let value = definition.value.as_deref().and_then(plain_expression);
            match (annotation, value) {
                (Some(annotation), Some(value)) => format!("{margin}{name}: {annotation} = {value}\n"),
                (Some(annotation), None) => format!("{margin}{name}: {annotation}\n"),
                (None, value) => format!("{margin}{name} = {}\n", value.unwrap_or("...")),
            }
        }
    }
}

/// The comment of a deprecated definition.
fn deprecated(definition: &Definition, indent: Indentation) -> String {
    let Some(text) = definition.deprecation() else { return String::new() };
    let text = first_sentence(text).unwrap_or_default();
    // The directive `deprecated` begins with the version (Sphinx).
    let is_version = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let version = text.split(' ').next().filter(is_version).unwrap_or_default();
    let since = if version.is_empty() { String::new() } else { format!(" since {version}") };
    let rest = text[version.len()..].trim_start();
    let rest = if rest.is_empty() { String::new() } else { format!(": {rest}") };
    format!("{}# deprecated{since}{rest}\n", indent.margin())
}

/// The text of a decorator that says what calls the function, without `@`: a validator with its arguments, or a
/// registration under a literal, as in `router.get("/items/{id}")` and `app.command("list")`.
fn registration(written: &str, decorator: Decorator<'_>) -> Option<String> {
    let (path, arguments) = (decorator.path, decorator.arguments?);
    if !is_dotted_name(path) {
        return None;
    }
    if VALIDATORS.contains(&decorator.name) {
        let written = plain_expression(written).filter(|_| arguments.len() <= MAX_ARGUMENTS);
        return Some(written.map_or_else(|| format!("{path}(...)"), str::to_owned));
    }
    // A decorator without a dot is mostly a function that changes another one; a path says that it is a route.
    let is_route = decorator.first_string().is_some_and(|text| text[1..].starts_with('/'));
    let registration = decorator.registration().filter(|_| is_route || path.contains('.'))?;
    plain_expression(&registration).is_some().then_some(registration)
}

/// The lines of the decorators in [`DECORATORS`], and of those that register the function.
fn decorators(definition: &Definition, indent: Indentation) -> String {
    use DefinitionKind::{ClassMethod, Function, Method, StaticMethod};
    let mut text = String::new();
    if !matches!(definition.kind, Function | Method | ClassMethod | StaticMethod) {
        return text;
    }
    for written in &definition.decorators {
        let decorator = Decorator::read(written);
        let Decorator { path, name, .. } = decorator;
        if DECORATORS.contains(&name) && is_dotted_name(path) {
            let message = definition.deprecation().filter(|_| name == "deprecated").and_then(first_sentence);
            let message = message.map_or_else(String::new, |text| format!("(\"{}\")", docstring_text(&text)));
            text.extend([&indent.margin(), "@", path, &message, "\n"]);
        } else if let Some(registration) = registration(written, decorator) {
            text.extend([&indent.margin(), "@", &registration, "\n"]);
        }
    }
    text
}

/// The last name of a decorator: `deprecated` of `@typing_extensions.deprecated("…")`.
pub(super) fn decorator_name(decorator: &str) -> &str {
    Decorator::read(decorator).name
}

/// The base classes of a class, in parentheses; empty without any.
pub(super) fn base_classes(class: &Definition) -> String {
    let mut bases: Vec<&str> = class.bases.iter().filter_map(|base| base_class(base)).collect();
    if names_typed_dict(class) && !record::is_total(class) {
        bases.push("total=False");
    }
    if bases.is_empty() { String::new() } else { format!("({})", bases.join(", ")) }
}

/// The text of a base class; `None` for `object` and for a keyword argument such as `metaclass=…`.
fn base_class(base: &str) -> Option<&str> {
    plain_expression(base).filter(|base| *base != "object")
}

/// The docstring of a definition. That of an attribute follows the attribute (PEP 258).
pub(super) fn docs(placed: PlacedDefinition<'_>, is_whole: bool) -> DocText {
    let PlacedDefinition { index, id, definition, indent, .. } = placed;
    let has_body = !matches!(definition.kind, DefinitionKind::Attribute | DefinitionKind::Constant);
    let indent = if has_body { indent.inner() } else { indent };
    DocText::new(index, id, is_whole, &Docstring { definition, indent })
}

/// The line in the body of a class whose constructor is not in the sources.
fn unknown_constructor(calls: u32, indent: Indentation) -> String {
    let note = if calls > 0 {
        format!("  # {}, constructor not in these sources", pluralized(calls, "call"))
    } else {
        String::new()
    };
    format!("{}...{note}\n", indent.inner().margin())
}
