//! Python, as text that `ast.parse` accepts whatever the sources hold.

mod callable;
mod expression;
mod name;

pub(crate) use callable::Callable;
pub(crate) use name::{is_dotted_name, is_name};

use super::{
    pieces::{Body, Piece, Pieces},
    renderer,
    text::{counted, inert},
};
use crate::{
    index::{Definition, Index},
    program::{DefinitionId, DefinitionKind},
};
use expression::plain;

/// Decorators that change how a definition is used; others cost tokens and say little.
const DECORATORS: [&str; 3] = ["contextmanager", "asynccontextmanager", "deprecated"];

/// `# google.adk.agents:`
pub(crate) fn group(module: &str) -> String {
    format!("# {}:", inert(module))
}

/// The constructor that takes the class, and returns what it makes.
const NEW: &str = "__new__";

/// True for a class.
pub(crate) fn holds_members(definition: &Definition) -> bool {
    definition.kind == DefinitionKind::Class
}

/// Public members of a class in the order of a stub: most called first, ties by name. Fields that its
/// constructor already shows are left out.
pub(crate) fn members(index: &Index, class: &Definition) -> Vec<DefinitionId> {
    let fields = class.signature.as_ref().filter(|s| s.is_synthesized).map_or(&[][..], |s| &s.parameters);
    let mut members: Vec<DefinitionId> = class
        .members
        .iter()
        .copied()
        .filter(|&id| {
            let member = index.definition(id);
            let is_field = member.kind == DefinitionKind::Attribute && fields.iter().any(|f| f.name == member.name);
            member.is_public && !is_field && !matches!(member.name.as_str(), "__init__" | NEW)
        })
        .collect();
    members.sort_by_key(|&id| {
        let member = index.definition(id);
        (std::cmp::Reverse(member.usage.total_calls), member.name.clone(), id)
    });
    members
}

/// The text of a definition under that name, up to its body.
pub(crate) fn pieces(definition: &Definition, name: &str, indent: usize) -> Pieces {
    let head = format!("{}{}", decorators(definition, indent), head(definition, name, indent));
    Pieces { head: Piece::new(head), docstring: docstring(definition, indent), ..Pieces::default() }
}

/// What follows.
pub(crate) fn body(definition: &Definition, name: &str, indent: usize) -> Body {
    let callable = |name: &str, indent: usize| {
        Body::Callable(Box::new(renderer::Callable::Python(Callable::new(definition, name, indent))))
    };
    match definition.kind {
        DefinitionKind::Attribute | DefinitionKind::Constant => Body::None,
        DefinitionKind::Class if definition.signature.is_none() => {
            Body::Opaque(Piece::new(unknown_constructor(definition.usage.total_calls, indent)))
        }
        DefinitionKind::Class => callable(constructor(definition), indent + 4),
        _ => callable(name, indent),
    }
}

/// What the constructor of a class is called: one that takes the class is `__new__`.
fn constructor(class: &Definition) -> &'static str {
    let receiver = class.signature.as_ref().and_then(|s| s.receiver.as_deref());
    if receiver.is_some_and(|receiver| matches!(receiver, "cls" | "_cls" | "klass")) { NEW } else { "__init__" }
}

/// What stands before a definition's `def`, or all of it where it has none.
fn head(definition: &Definition, name: &str, indent: usize) -> String {
    let margin = " ".repeat(indent);
    match definition.kind {
        DefinitionKind::Class => {
            let bases: Vec<&str> = definition.bases.iter().filter_map(|base| base_class(base)).collect();
            let bases = if bases.is_empty() { String::new() } else { format!("({})", bases.join(", ")) };
            format!("{margin}class {name}{bases}:\n")
        }
        DefinitionKind::Property => format!("{margin}@property\n"),
        DefinitionKind::ClassMethod => format!("{margin}@classmethod\n"),
        DefinitionKind::StaticMethod => format!("{margin}@staticmethod\n"),
        DefinitionKind::Function | DefinitionKind::Method => String::new(),
        DefinitionKind::Interface | DefinitionKind::TypeAlias | DefinitionKind::Enum | DefinitionKind::Namespace => {
            String::new()
        }
        DefinitionKind::Attribute | DefinitionKind::Constant => {
            let annotation = definition.annotation.as_deref().and_then(plain);
            let value = definition.value.as_deref().and_then(plain);
            match (annotation, value) {
                (Some(annotation), Some(value)) => format!("{margin}{name}: {annotation} = {value}\n"),
                (Some(annotation), None) => format!("{margin}{name}: {annotation}\n"),
                (None, value) => format!("{margin}{name} = {}\n", value.unwrap_or("...")),
            }
        }
    }
}

/// Lines of the decorators that matter, before everything else.
fn decorators(definition: &Definition, indent: usize) -> String {
    use DefinitionKind::{ClassMethod, Function, Method, StaticMethod};
    let mut text = String::new();
    if !matches!(definition.kind, Function | Method | ClassMethod | StaticMethod) {
        return text;
    }
    for decorator in &definition.decorators {
        let path = decorator.split('(').next().unwrap_or_default().trim();
        let last = path.rsplit('.').next().unwrap_or_default();
        if DECORATORS.contains(&last) && is_dotted_name(path) {
            text.extend([&" ".repeat(indent), "@", path, "\n"]);
        }
    }
    text
}

/// A base that is worth a token: neither `object` nor a keyword such as `metaclass=…`.
fn base_class(base: &str) -> Option<&str> {
    plain(base).filter(|base| *base != "object")
}

/// The summary's line in the body of a class or function.
fn docstring(definition: &Definition, indent: usize) -> Option<Piece> {
    let has_body = !matches!(definition.kind, DefinitionKind::Attribute | DefinitionKind::Constant);
    let summary = definition.summary.as_deref().filter(|_| has_body)?;
    let text = name::docstring(summary)?;
    Some(Piece::new(format!("{}\"\"\"{text}\"\"\"\n", " ".repeat(indent + 4))))
}

/// The body of a class whose constructor is not in the sources.
fn unknown_constructor(calls: u32, indent: usize) -> String {
    let note = if calls > 0 {
        format!("  # {}, constructor not in these sources", counted(calls, "call"))
    } else {
        String::new()
    };
    format!("{}...{note}\n", " ".repeat(indent + 4))
}
